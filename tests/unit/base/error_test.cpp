#include "base/error.hpp"

#include <gtest/gtest.h>

#include <set>
#include <stdexcept>
#include <string>

namespace postrider::base::error_test {
namespace {

constexpr errc first = errc::rate_limited;
constexpr errc last = errc::internal;

TEST(error, every_code_has_a_name_of_its_own_that_reads_back) {
    std::set<std::string_view> names;
    for (auto n = static_cast<int>(first); n <= static_cast<int>(last); ++n) {
        auto code = static_cast<errc>(n);
        auto name = to_string(code);
        EXPECT_NE(name, "unknown") << n;
        EXPECT_TRUE(names.insert(name).second) << name;
        EXPECT_EQ(errc_from_string(name), code);
    }
    EXPECT_EQ(errc_from_string("unknown"), std::nullopt);
    EXPECT_EQ(errc_from_string(""), std::nullopt);
    EXPECT_EQ(to_string(errc{0}), "unknown");
}

TEST(error, only_the_passing_failures_are_worth_another_try) {
    std::set<errc> const passing{
        errc::rate_limited, errc::overloaded, errc::timeout, errc::unavailable};
    for (auto n = static_cast<int>(first); n <= static_cast<int>(last); ++n) {
        auto code = static_cast<errc>(n);
        EXPECT_EQ(retryable(code), passing.contains(code)) << to_string(code);
    }
}

TEST(error, text_joins_code_and_detail) {
    EXPECT_EQ(to_string(error(errc::timeout)), "timeout");
    EXPECT_EQ(to_string(error(errc::timeout, "no first byte")), "timeout: no first byte");
}

TEST(error, ignoring_a_failure_throws_its_text) {
    result<int> failed = error(errc::refused, "never");
    try {
        (void)failed.value();
        FAIL() << "value() of a failure returned";
    } catch (std::runtime_error const& e) {
        EXPECT_STREQ(e.what(), "refused: never");
    }
}

} // namespace
} // namespace postrider::base::error_test
