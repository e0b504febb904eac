#include "agent/tools/check_arguments.hpp"
#include "agent/tools/tool.hpp"
#include "agent/tools/utc_offset.hpp"
#include "base/json.hpp"
#include "base/time_zone.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent {
namespace {

using testing::HasSubstr;

boost::json::object object(std::string_view text) {
    return base::parse_json(text).value().get_object();
}

struct misfit {
    std::string_view arguments;
    std::string_view complaint; // "" = fits
};

TEST(check_arguments, names_what_does_not_fit) {
    auto const schema = object(R"({"type":"object","required":["city","days"],"properties":{
        "city":{"type":"string"},"days":{"type":"integer"},"exact":{"type":"boolean"},
        "range":{"type":"array"},"more":{"type":"object"},"factor":{"type":"number"},
        "note":{"type":["string","null"]},"any":{}}})");
    for (auto [arguments, complaint] : {
             misfit{R"({"city":"Rome","days":2})", ""},
             misfit{R"({"city":"Rome","days":2.0})", ""},
             misfit{
                 R"({"city":"Rome","days":2,"factor":1.5,"note":null,"any":[],"unknown":1})", ""},
             misfit{R"({"days":2})", "\"city\" is missing"},
             misfit{R"({"city":"Rome"})", "\"days\" is missing"},
             misfit{R"({"city":7,"days":2})", "\"city\" must be of type string"},
             misfit{R"({"city":"Rome","days":"2"})", "\"days\" must be of type integer"},
             misfit{R"({"city":"Rome","days":2.5})", "\"days\" must be of type integer"},
             misfit{R"({"city":"Rome","days":2,"exact":1})", "\"exact\" must be of type boolean"},
             misfit{R"({"city":"Rome","days":2,"range":{}})", "\"range\" must be of type array"},
             misfit{R"({"city":"Rome","days":2,"more":[]})", "\"more\" must be of type object"},
             misfit{
                 R"({"city":"Rome","days":2,"factor":"x"})", "\"factor\" must be of type number"},
             misfit{R"({"city":null,"days":2})", "\"city\" must be of type string"},
             misfit{
                 R"({"city":"Rome","days":2,"note":1})", "\"note\" must be of type string or null"},
         }) {
        auto fits = check_arguments(schema, object(arguments));
        EXPECT_EQ(fits.has_value(), complaint.empty()) << arguments;
        if (fits) continue;
        EXPECT_THAT(fits.error().detail, HasSubstr(complaint));
    }
}

struct offset {
    std::string_view text;
    int minutes;
};

TEST(utc_offset, reads_what_people_write) {
    for (auto [text, minutes] :
         {offset{"", 0},
          offset{"UTC", 0},
          offset{"utc", 0},
          offset{"Z", 0},
          offset{"GMT", 0},
          offset{"+02:00", 120},
          offset{"-05:30", -330},
          offset{"+0530", 330},
          offset{"UTC+2", 120},
          offset{"utc -3", -180},
          offset{"GMT+5:45", 345},
          offset{"+14", 840},
          offset{"-14:00", -840}}) {
        auto read = parse_utc_offset(text);
        ASSERT_TRUE(read) << text;
        EXPECT_EQ(read->count(), minutes) << text;
    }
    for (auto text :
         {"Europe/Berlin",
          "+15",
          "+14:01",
          "+02:60",
          "+",
          "UTC+",
          "2",
          "+2:",
          "++2",
          "+1:2:3",
          "+02:00x",
          "UTC+99999999999",
          " "})
        EXPECT_FALSE(parse_utc_offset(text)) << text;
}

TEST(utc_offset, is_written_as_iso_8601) {
    base::sys_time const t{std::chrono::seconds{1'795'000'000}};

    EXPECT_EQ(base::to_iso8601(t, std::chrono::minutes{0}), base::to_iso8601(t));
    EXPECT_THAT(base::to_iso8601(t, std::chrono::minutes{120}), testing::EndsWith("+02:00"));
    EXPECT_THAT(base::to_iso8601(t, std::chrono::minutes{-330}), testing::EndsWith("-05:30"));
    EXPECT_EQ(
        base::to_iso8601(t, std::chrono::minutes{120}).substr(0, 19),
        base::to_iso8601(t + std::chrono::hours{2}).substr(0, 19)
    );
}

class tools : public testing::Test {
protected:
    std::string run(std::string name, boost::json::value arguments) {
        auto result = io_.run(set_.run({"c1", std::move(name), std::move(arguments), {}}, {}));
        return result ? *result : std::string(base::to_string(result.error()));
    }

    tests::loop io_;
    base::manual_clock clock_;
    tool_set set_ = builtin_tools(clock_);
};

TEST_F(tools, calculator_calculates_and_explains) {
    EXPECT_EQ(run("calculator", boost::json::object{{"expression", "2^0.5"}}), "1.4142135623731");
    EXPECT_EQ(
        run("calculator", boost::json::object{{"expression", "1/0"}}), "invalid: division by zero"
    );
}

TEST_F(tools, current_time_is_the_clocks) {
    clock_.advance(std::chrono::hours{1});

    EXPECT_EQ(run("current_time", boost::json::object{}), base::to_iso8601(clock_.now()));
    EXPECT_THAT(
        run("current_time", boost::json::object{{"timezone", "+02:00"}}),
        testing::EndsWith("+02:00")
    );
    EXPECT_THAT(
        run("current_time", boost::json::object{{"timezone", "Mars"}}), HasSubstr("fixed offsets")
    );
}

// The clock stands at the 18th of November 2026.
TEST_F(tools, current_time_knows_zones_by_name) {
    auto const in = [&](char const* zone) {
        return run("current_time", boost::json::object{{"timezone", zone}});
    };

    EXPECT_THAT(in("Europe/Berlin"), testing::EndsWith("+01:00"));
    clock_.advance(std::chrono::hours{24 * 180});
    EXPECT_THAT(in("Europe/Berlin"), testing::EndsWith("+02:00"));
    EXPECT_THAT(in("Asia/Kathmandu"), testing::EndsWith("+05:45"));
    EXPECT_THAT(in("Berlin"), HasSubstr("did you mean Europe/Berlin?"));
}

TEST_F(tools, a_call_that_cannot_be_run_is_an_error_for_the_model) {
    EXPECT_THAT(run("teleport", boost::json::object{}), HasSubstr("calculator, current_time"));
    EXPECT_THAT(run("calculator", nullptr), HasSubstr("not a JSON object"));
    EXPECT_THAT(run("calculator", boost::json::object{}), HasSubstr("\"expression\" is missing"));
}

TEST_F(tools, are_described_for_providers) {
    auto specs = set_.specs();

    ASSERT_EQ(specs.size(), 2u);
    EXPECT_EQ(specs[0].name, "calculator");
    EXPECT_EQ(specs[1].name, "current_time");
    for (auto const& spec : specs) {
        EXPECT_EQ(spec.parameters.at("type"), "object");
        EXPECT_FALSE(spec.description.empty());
        EXPECT_EQ(set_.find(spec.name)->risk(), risk::low);
    }
}

} // namespace
} // namespace postrider::agent
