#include "base/ids.hpp"

#include <gtest/gtest.h>

#include <type_traits>
#include <unordered_set>

namespace postrider::ids_test {
namespace {

static_assert(sizeof(chat_id) == sizeof(std::int64_t));
static_assert(!std::is_convertible_v<chat_id, user_id>);
static_assert(!std::is_convertible_v<chat_id, std::int64_t>);
static_assert(!std::is_convertible_v<std::int64_t, chat_id>);

TEST(ids, keep_their_number) {
    chat_id const group{-1'001'234'567'890};
    EXPECT_EQ(base::raw(group), -1'001'234'567'890);
    EXPECT_EQ(base::to_string(group), "-1001234567890");
    EXPECT_EQ(group, chat_id{-1'001'234'567'890});
    EXPECT_LT(job_id{1}, job_id{2});
}

TEST(ids, hash_like_their_number) {
    std::unordered_set<job_id> seen{job_id{1}, job_id{2}, job_id{1}};
    EXPECT_EQ(seen.size(), 2u);
}

} // namespace
} // namespace postrider::ids_test
