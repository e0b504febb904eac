#include "agent/language/utc_offset.hpp"
#include "base/json/json.hpp"
#include "base/time_zone.hpp"
#include "base/utf8.hpp"
#include "tests/unit/agent/tool_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::tools_test {
namespace {

using testing::HasSubstr;

boost::json::object object(std::string_view text) {
    return base::parse_json(text).value().get_object();
}

// Whatever it is called with, it answers "called".
flow::offered_tool scripted_tool(std::string_view parameters) {
    flow::offered_tool offered;
    offered.spec = {"scripted", "For tests.", object(parameters)};
    offered.work = flow::tool_function();
    return offered;
}

std::string call(std::string_view parameters, std::string_view arguments) {
    flow::offered_tools set;
    set.add(scripted_tool(parameters)).value();
    auto const checked = set.check({"c1", "scripted", object(arguments), {}});
    return checked ? "called" : checked.error().detail;
}

struct misfit {
    std::string_view arguments;
    std::string_view complaint; // "" = fits
};

// covers: S3.11 S3.15
TEST(tool_arguments, that_do_not_fit_are_named_so_that_the_call_can_be_mended) {
    constexpr auto parameters = R"({"type":"object","required":["city","days"],"properties":{
        "city":{"type":"string"},"days":{"type":"integer"},"exact":{"type":"boolean"},
        "range":{"type":"array"},"more":{"type":"object"},"factor":{"type":"number"},
        "note":{"type":["string","null"]},"any":{},
        "stops":{"type":"array","items":{"enum":["north","south"]}}}})";
    for (auto [arguments, complaint] : {
             misfit{R"({"city":"Rome","days":2})", ""},
             misfit{R"({"city":"Rome","days":2.0})", ""},
             misfit{
                 R"({"city":"Rome","days":2,"factor":1.5,"note":null,"any":[],"unknown":1})", ""},
             misfit{R"({"days":2})", "the arguments must have the member \"city\""},
             misfit{R"({"city":"Rome"})", "the arguments must have the member \"days\""},
             misfit{R"({"city":7,"days":2})", "/city must be a string, not a number"},
             misfit{R"({"city":"Rome","days":"2"})", "/days must be an integer, not a string"},
             misfit{R"({"city":"Rome","days":2.5})", "/days must be an integer, not a fraction"},
             misfit{
                 R"({"city":"Rome","days":2,"exact":1})", "/exact must be a boolean, not a number"},
             misfit{
                 R"({"city":"Rome","days":2,"range":{}})",
                 "/range must be an array, not an object"},
             misfit{
                 R"({"city":"Rome","days":2,"more":[]})", "/more must be an object, not an array"},
             misfit{
                 R"({"city":"Rome","days":2,"factor":"x"})",
                 "/factor must be a number, not a string"},
             misfit{R"({"city":null,"days":2})", "/city must be a string, not null"},
             misfit{
                 R"({"city":"Rome","days":2,"note":1})",
                 "/note must be a string or null, not a number"},
             misfit{
                 R"({"days":2.5,"stops":["north","up"]})",
                 "the arguments must have the member \"city\"\n"
                 "/days must be an integer, not a fraction\n"
                 "/stops/1 must be one of \"north\", \"south\""},
         }) {
        auto const fits =
            "the arguments do not fit the tool's parameters:\n" + std::string(complaint);
        EXPECT_EQ(call(parameters, arguments), complaint.empty() ? "called" : fits) << arguments;
    }
}

// covers: S3.11
TEST(offered_tools, take_no_tool_whose_parameters_are_no_schema) {
    flow::offered_tools set;
    auto const added =
        set.add(scripted_tool(R"({"type":"object","properties":{"n":{"type":"int"}}})"));

    ASSERT_FALSE(added);
    EXPECT_EQ(added.error().code, base::errc::invalid);
    EXPECT_EQ(
        added.error().detail,
        "the parameters of the tool scripted are no JSON Schema:\n"
        "/properties/n/type: \"int\" is no type"
    );
    EXPECT_TRUE(set.empty());
}

TEST(offered_tools, take_a_servers_tool_although_not_all_of_its_schema_can_be_used) {
    flow::offered_tools set;
    auto foreign = scripted_tool(R"({"type":"object","properties":{"n":{"type":"int","maximum":5},
        "text":{"type":"string","default":null}}})");
    foreign.kind = "mcp.files";
    set.add(std::move(foreign)).value();

    auto const checked = set.check({"c1", "scripted", object("{}"), {}});
    auto const refused = set.check({"c2", "scripted", object(R"({"n":7})"), {}});

    ASSERT_TRUE(checked) << checked.error().detail;
    EXPECT_EQ(checked->arguments, object("{}")) << "null is no text";
    EXPECT_EQ(
        refused.error().detail,
        "the arguments do not fit the tool's parameters:\n/n must be at most 5, not 7"
    );
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
        auto const output = bench_.run({"c1", std::move(name), std::move(arguments), {}});
        return output ? output->text : std::string(base::to_string(output.error()));
    }

    base::manual_clock clock_;
    tests::tool_bench bench_{clock_};
    flow::offered_tools set_ = tests::offered_table();
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
    EXPECT_THAT(in("Berlin"), testing::EndsWith("+02:00 (Europe/Berlin)"));
    EXPECT_THAT(in("Berlni"), HasSubstr("did you mean Europe/Berlin?"));
    EXPECT_THAT(in("the USA"), HasSubstr("name a city"));
}

TEST_F(tools, a_call_that_cannot_be_run_is_an_error_for_the_model) {
    EXPECT_THAT(run("teleport", boost::json::object{}), HasSubstr("calculator, cancel_reminder"));
    EXPECT_THAT(run("calculator", nullptr), HasSubstr("not a JSON object"));
    EXPECT_THAT(
        run("calculator", boost::json::object{}), HasSubstr("must have the member \"expression\"")
    );
}

TEST_F(tools, a_call_whose_arguments_hold_u_0000_is_an_error_for_the_model) {
    tool_call const call{"c", "calculator", nullptr, R"({"expression":"1\u00002"})"};

    EXPECT_THAT(set_.check(call).error().detail, HasSubstr("U+0000"));
}

// What a model leaves out has the value that its schema promises.
TEST_F(tools, get_the_defaults_of_their_schema) {
    auto search = scripted_tool(R"({"type":"object","required":["limit"],"properties":{
        "limit":{"type":"integer","default":10},"query":{"type":"string"},
        "page":{"type":"object","properties":{"size":{"type":"integer","default":5}}}}})");
    search.spec.name = "search";
    set_.add(std::move(search)).value();
    auto const checked = [&](std::string_view arguments) {
        tool_call const call{"c", "search", base::parse_json(arguments).value(), {}};
        return set_.check(call).value().arguments;
    };

    EXPECT_EQ(checked(R"({"query":"x"})"), base::parse_json(R"({"query":"x","limit":10})").value());
    EXPECT_EQ(
        checked(R"({"limit":3,"page":{}})"),
        base::parse_json(R"({"limit":3,"page":{"size":5}})").value()
    );
}

TEST_F(tools, are_described_for_providers) {
    auto specs = set_.specs();

    ASSERT_EQ(specs.size(), agent::tools().size());
    EXPECT_EQ(specs.at(0).name, "calculator");
    for (auto const& spec : specs) {
        EXPECT_EQ(spec.parameters.at("type"), "object");
        EXPECT_FALSE(spec.description.empty());
    }
}

TEST_F(tools, that_only_read_are_of_low_risk_and_no_effects) {
    for (auto const* name : {"calculator", "current_time", "list_reminders"}) {
        auto const* tool = find_tool(name);
        ASSERT_TRUE(tool);
        EXPECT_EQ(tool->risk({}, {}), risk::low);
        EXPECT_EQ(tool->effect_class({}, {}), queue::effect_class::pure);
    }
}

TEST(tool_output, is_cut_at_a_character_with_a_note_of_what_is_missing) {
    std::string euros;
    for (int i = 0; i < 100; ++i) euros += "\u20ac"; // three bytes each

    auto const cut = cut_to(euros, 100);

    EXPECT_LE(cut.size(), 100u);
    EXPECT_TRUE(base::is_utf8(cut));
    EXPECT_THAT(cut, testing::StartsWith("\u20ac\u20ac"));
    EXPECT_THAT(cut, testing::EndsWith("\n[231 more bytes are not shown]"));
    EXPECT_EQ(cut_to("short", 100), "short");
    EXPECT_TRUE(base::is_utf8(cut_to("\xff\xfe", 100)));
}

TEST(tool_output, stands_in_the_record_as_it_was) {
    auto output = tool_output::of({{"temperature", 3.5}});
    output.media.push_back({"image/png", std::string("\x89PNG\0\xff", 6)});
    output.receipts.push_back({"created", "reminder", "17", "tomorrow: call Ann"});

    auto const kept = within(output, 1000);
    auto const read = tool_output_from_json(to_json(kept)).value();

    EXPECT_EQ(read.text, "{\"temperature\":3.5}\n[image/png, 6 bytes]");
    EXPECT_EQ(read.value, output.value);
    EXPECT_EQ(read.media, output.media);
    EXPECT_EQ(read.receipts, output.receipts);
    EXPECT_EQ(to_json(tool_output("plain")), "plain");
    EXPECT_FALSE(tool_output_from_json(boost::json::value{{"no", "text"}}));
}

TEST(tool_output, drops_values_and_media_that_are_too_large) {
    auto output = tool_output::of({{"long", std::string(500, 'x')}});
    output.media.push_back({"image/png", std::string(media_limit + 1, 'x')});

    auto const kept = within(output, 200);

    EXPECT_TRUE(kept.value.is_null());
    EXPECT_TRUE(kept.media.empty());
    EXPECT_LE(kept.text.size(), 200u);
    EXPECT_THAT(kept.text, HasSubstr("more bytes are not shown"));
}

} // namespace
} // namespace postrider::agent::tools_test
