#include "agent/expression/arithmetic.hpp"
#include "agent/expression/calculation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

namespace postrider::agent::arithmetic_test {
namespace {

using expressions::format_number;
using testing::HasSubstr;

std::string shown(std::string_view expression) {
    auto value = calculate(expression);
    return value ? format_number(*value) : "error: " + value.error().detail;
}

struct sum {
    std::string_view expression;
    std::string_view result;
};

// covers: S3.12
TEST(arithmetic, calculates) {
    for (auto [expression, result] : {
             sum{"1+1", "2"},
             sum{"0.1+0.2", "0.3"},
             sum{"2+3*4", "14"},
             sum{"(2+3)*4", "20"},
             sum{"10-4-3", "3"},
             sum{"100/10/5", "2"},
             sum{"2^3^2", "512"},
             sum{"2**10", "1024"},
             sum{"-2^2", "-4"},
             sum{"2^-1", "0.5"},
             sum{"(-2)^2", "4"},
             sum{"7%4", "3"},
             sum{"-7%4", "-3"},
             sum{"--3", "3"},
             sum{"-+-3", "3"},
             sum{"1/3", "0.333333333333333"},
             sum{"1e3", "1000"},
             sum{"1.5E-3", "0.0015"},
             sum{".5+1.", "1.5"},
             sum{"1e300*10", "1e+301"},
             sum{"9007199254740991", "9007199254740991"},
             sum{"-0", "0"},
             sum{"0*-1", "0"},
             sum{"sqrt(16)+abs(-3)", "7"},
             sum{"round(2.5)+floor(-1.2)+ceil(1.2)", "3"},
             sum{"min(3, 1, 2)*max(4,5)", "5"},
             sum{"2*pi", "6.28318530717959"},
             sum{"e", "2.71828182845905"},
             sum{" \t1\n + 2 ", "3"},
             sum{"6\u00d77", "42"},
             sum{"8\u00f72", "4"},
             sum{"5\u22123", "2"},
             sum{"1\u00a0+\u00a01", "2"},
         })
        EXPECT_EQ(shown(expression), result) << expression;
}

// covers: S3.12
TEST(arithmetic, says_what_is_wrong) {
    for (auto [expression, why] : {
             sum{"1/0", "division by zero"},
             sum{"1%0", "division by zero"},
             sum{"0^-1", "division by zero"},
             sum{"1e300*1e300", "too large"},
             sum{"10^400", "too large"},
             sum{"1e999", "too large"},
             sum{"sqrt(-1)", "not real"},
             sum{"(-8)^0.5", "not a real number"},
             sum{"", "ends too early"},
             sum{"1+", "ends too early"},
             sum{"(1", "')' is missing"},
             sum{"1)", "not an arithmetic"},
             sum{"1 2", "not an arithmetic"},
             sum{"2x", "not an arithmetic"},
             sum{"foo", "unknown name"},
             sum{"foo(1)", "unknown function"},
             sum{"sqrt(1,2)", "number of arguments"},
             sum{"sqrt()", "not an arithmetic"},
             sum{"nan", "unknown name"},
             sum{"inf", "unknown name"},
             sum{"0x10", "not an arithmetic"},
             sum{"1;2", "not an arithmetic"},
             sum{"$(1)", "not an arithmetic"},
         })
        EXPECT_THAT(shown(expression), HasSubstr(why)) << expression;
}

TEST(arithmetic, bounds_length_and_depth) {
    auto nested = [](int depth) {
        auto n = static_cast<std::size_t>(depth);
        return std::string(n, '(') + "1" + std::string(n, ')');
    };
    EXPECT_EQ(shown(nested(60)), "1");
    EXPECT_EQ(calculate(nested(100)).error().code, base::errc::too_large);
    EXPECT_EQ(calculate(std::string(500, '-') + "1").error().code, base::errc::too_large);
    EXPECT_EQ(calculate(std::string(5000, '1')).error().code, base::errc::too_large);
    std::string tower = "2";
    for (int i = 0; i < 100; ++i) tower += "^1";
    EXPECT_EQ(calculate(tower).error().code, base::errc::too_large);
}

TEST(arithmetic, survives_garbage) {
    std::mt19937 chance{20261121};
    std::string_view const alphabet =
        "0123456789.eE+-*/%^(), sqrtminpi\xc3\x97\0x"; // and a broken ×
    for (int round = 0; round < 20000; ++round) {
        std::string text(chance() % 40, ' ');
        for (auto& c : text) c = alphabet[chance() % alphabet.size()];
        auto value = calculate(text);
        if (value) {
            EXPECT_TRUE(std::isfinite(*value)) << text;
            EXPECT_FALSE(format_number(*value).empty());
        } else {
            EXPECT_FALSE(value.error().detail.empty()) << text;
        }
    }
}

} // namespace
} // namespace postrider::agent::arithmetic_test
