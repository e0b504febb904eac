#include "base/json/json.hpp"
#include "base/json/jsonb_form.hpp"
#include "base/json/text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace postrider::base::jsonb_form_test {
namespace {

namespace json = boost::json;

json::value form_of(json::value value) {
    to_jsonb_form(value);
    return value;
}

TEST(jsonb_form, makes_integers_of_whole_numbers_wherever_they_stand) {
    EXPECT_TRUE(form_of(5.0).is_int64());
    EXPECT_EQ(form_of(-3.0), json::value(-3));
    EXPECT_EQ(form_of(-0.0), json::value(0));
    EXPECT_EQ(form_of(1e16), json::value(10'000'000'000'000'000));
    EXPECT_EQ(form_of(1e19), json::value(10'000'000'000'000'000'000U));
    json::object members{{"id", 5.0}, {"list", json::array{1.0, json::object{{"n", 2.0}}}}};
    to_jsonb_form(members);
    EXPECT_EQ(members, (json::object{{"id", 5}, {"list", json::array{1, json::object{{"n", 2}}}}}));
}

TEST(jsonb_form, leaves_other_numbers_and_has_none_that_json_has_not) {
    EXPECT_EQ(form_of(2.5), json::value(2.5));
    EXPECT_EQ(form_of(-1.5e-9), json::value(-1.5e-9));
    EXPECT_EQ(form_of(1e25), json::value(1e25));
    EXPECT_EQ(form_of(std::numeric_limits<std::int64_t>::max()).as_int64(), INT64_MAX);
    EXPECT_TRUE(form_of(std::numeric_limits<double>::quiet_NaN()).is_null());
    EXPECT_TRUE(form_of(std::numeric_limits<double>::infinity()).is_null());
}

// Numbers as a model writes them, and what jsonb prints (psql 15) of the text that they have then.
TEST(jsonb_form, of_a_number_is_the_same_once_it_is_recorded) {
    struct row {
        std::string_view said;
        std::string_view printed;
    };
    for (auto [said, printed] : {
             row{"2.0", "2"},
             row{"-0.0", "0"},
             row{"1e16", "10000000000000000"},
             row{"-1.5e18", "-1500000000000000000"},
             row{"1e19", "10000000000000000000"},
             row{"1.5e20", "150000000000000000000"},
             row{"1e-7", "0.0000001"},
             row{"1.25e-9", "0.00000000125"},
             row{"123.0625", "123.0625"},
         }) {
        auto const fresh = form_of(parse_json(said).value());
        auto const recorded = parse_json(printed).value();
        EXPECT_EQ(fresh.kind(), recorded.kind()) << said;
        EXPECT_EQ(json_text(fresh), json_text(recorded)) << said;
    }
}

// Of more digits than Boost.JSON reads exactly.
TEST(jsonb_form, of_a_number_of_many_digits_is_the_same_once_it_is_recorded) {
    std::mt19937_64 random(7);
    std::uniform_real_distribution<> near(-1000, 1000);
    for (int i = 0; i < 2000; ++i) {
        auto const number = near(random);
        auto const fresh = form_of(number);
        EXPECT_NEAR(fresh.as_double(), number, 1e-12);
        EXPECT_EQ(parse_json(json_text(fresh)).value(), fresh) << json_text(fresh);
    }
    auto const most = std::numeric_limits<double>::max();
    EXPECT_EQ(form_of(form_of(most)), form_of(most));
    EXPECT_GT(form_of(most).as_double(), most / 2);
}

} // namespace
} // namespace postrider::base::jsonb_form_test
