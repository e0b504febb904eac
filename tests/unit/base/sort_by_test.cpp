#include "base/sort_by.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>

namespace postrider::base::sort_by_test {

namespace {

struct named {
    std::string name;
    int number;

    bool operator==(named const&) const = default;
};

} // namespace

TEST(sort_by, keeps_the_order_of_equal_keys) {
    std::vector<named> all{{"b", 1}, {"a", 2}, {"b", 0}, {"a", 1}};
    stable_sort_by(all, [](named const& each) { return std::string_view(each.name); });
    EXPECT_EQ(all, (std::vector<named>{{"a", 2}, {"a", 1}, {"b", 1}, {"b", 0}}));
}

TEST(sort_by, moves_what_cannot_be_copied) {
    std::vector<std::unique_ptr<int>> all;
    for (int const number : {3, 1, 2}) all.push_back(std::make_unique<int>(number));
    stable_sort_by(all, [](auto const& each) { return *each; });
    EXPECT_EQ(*all[0], 1);
    EXPECT_EQ(*all[1], 2);
    EXPECT_EQ(*all[2], 3);
}

TEST(sort_by, leaves_nothing_as_it_is) {
    std::vector<int> none;
    stable_sort_by(none, [](int each) { return each; });
    EXPECT_TRUE(none.empty());
}

} // namespace postrider::base::sort_by_test
