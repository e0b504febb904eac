#include "agent/json_schema/number.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace postrider::agent::json_schema::number_test {

namespace json = boost::json;
namespace {

json::value number(std::string_view text) {
    return base::parse_json(text).value();
}

TEST(compare, is_exact_across_kinds) {
    EXPECT_TRUE(compare(number("1"), number("1.0")) == 0);
    EXPECT_TRUE(compare(number("9007199254740993"), number("9007199254740992.0")) > 0);
    EXPECT_TRUE(compare(number("9223372036854775807"), number("9223372036854775808.0")) < 0);
    EXPECT_TRUE(compare(number("18446744073709551615"), number("18446744073709551616.0")) < 0);
    EXPECT_TRUE(compare(number("-1"), number("18446744073709551615")) < 0);
    EXPECT_TRUE(compare(number("-9223372036854775808"), number("-9223372036854775808.0")) == 0);
    EXPECT_TRUE(compare(number("1e300"), number("18446744073709551615")) > 0);
    EXPECT_TRUE(compare(std::nan(""), number("1")) == std::partial_ordering::unordered);
}

TEST(is_whole, is_about_the_value) {
    for (auto text : {"1", "-1", "1.0", "1e300", "18446744073709551615"})
        EXPECT_TRUE(is_whole(number(text))) << text;
    EXPECT_FALSE(is_whole(number("1.5")));
    EXPECT_FALSE(is_whole(HUGE_VAL));
}

struct pair {
    char const* number;
    char const* factor;
};

TEST(is_multiple, reads_decimals_as_they_are_written) {
    for (auto [of, factor] : {
             pair{"19.99", "0.01"},
             pair{"0.3", "0.1"},
             pair{"0.30000000000000004", "0.1"},
             pair{"-4.2", "0.7"},
             pair{"1e308", "0.5"},
             pair{"12391239123", "1e-8"},
             pair{"0", "7"},
             pair{"0.0", "1e-300"},
             pair{"-9223372036854775808", "2"},
             pair{"18446744073709551615", "5"},
             pair{"4.0", "2"},
             pair{"1.5e300", "5e299"},
         })
        EXPECT_TRUE(is_multiple(number(of), number(factor))) << of << " of " << factor;
    for (auto [of, factor] : {
             pair{"19.995", "0.01"},
             pair{"0.35", "0.1"},
             pair{"7", "2"},
             pair{"1e308", "0.123456789"},
             pair{"18446744073709551615", "2"},
             pair{"-9223372036854775807", "2"},
             pair{"1", "18446744073709551615"},
             pair{"1e-300", "1e300"},
             pair{"3", "1e300"},
         })
        EXPECT_FALSE(is_multiple(number(of), number(factor))) << of << " of " << factor;
    EXPECT_FALSE(is_multiple(HUGE_VAL, 1));
    EXPECT_FALSE(is_multiple(std::nan(""), 1));
}

} // namespace
} // namespace postrider::agent::json_schema::number_test
