#include "storage/stores/lane_cache.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::lane_cache_test {
namespace {

TEST(lane_cache, forgets_what_was_not_used_for_longest) {
    lane_cache cache(2);
    cache.put("a", lane_id{1}, {});
    cache.put("b", lane_id{2}, {});
    EXPECT_EQ(cache.find("a", {}), lane_id{1});

    cache.put("c", lane_id{3}, {});

    EXPECT_EQ(cache.find("a", {}), lane_id{1});
    EXPECT_EQ(cache.find("b", {}), std::nullopt);
    EXPECT_EQ(cache.find("c", {}), lane_id{3});
}

TEST(lane_cache, a_key_is_replaced_and_dropped) {
    lane_cache cache(2);
    cache.put("a", lane_id{1}, {});
    cache.put("a", lane_id{2}, {});
    EXPECT_EQ(cache.find("a", {}), lane_id{2});

    cache.drop("a");
    cache.drop("a");
    EXPECT_EQ(cache.find("a", {}), std::nullopt);
}

TEST(lane_cache, a_lane_that_was_told_another_manner_is_not_known) {
    lane_cache cache(2);
    cache.put("a", lane_id{1}, {"queue", {}});

    EXPECT_EQ(cache.find("a", {"interrupt", {}}), std::nullopt);
    EXPECT_EQ(cache.find("a", {"queue", {}}), lane_id{1});
}

} // namespace
} // namespace postrider::storage::lane_cache_test
