#include "agent/loop/report.hpp"

#include <boost/json/parse.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::report_test {
namespace {

reported_call fetch(std::string url) {
    return {"http_request", {{"method", 1}, {"url", std::move(url)}}};
}

std::string with_report(std::string const& answer, std::vector<reported_call> const& calls) {
    return answer + report_of(answer, calls, language::notices_in("en"));
}

// covers: S1.02
TEST(report, is_added_where_the_answer_says_nothing_of_a_tool) {
    EXPECT_EQ(
        with_report("It rains.", {fetch("https://weather.example.org/paris")}),
        "It rains.\n\nUsed for this: http_request (https://weather.example.org/paris)"
    );
    EXPECT_EQ(with_report("It rains.", {{"weather"}}), "It rains.\n\nUsed for this: weather");
}

TEST(report, is_left_out_where_the_answer_names_the_tool_or_its_subject) {
    auto const page = fetch("https://weather.example.org/paris");
    for (std::string const answer :
         {"I made an HTTP request: it rains.",
          "According to weather.example.org it rains.",
          "See https://weather.example.org/paris"})
        EXPECT_EQ(with_report(answer, {page}), answer);
    EXPECT_EQ(
        with_report("In PARIS it rains.", {{"weather", {{"city", "Paris"}}}}), "In PARIS it rains."
    );
    EXPECT_NE(
        with_report("In Parisian style", {{"weather", {{"city", "Paris"}}}}), "In Parisian style"
    );
}

// covers: S1.02
TEST(report, takes_no_value_of_a_list_for_what_the_call_was_about) {
    boost::json::object const schema{
        {"properties",
         {{"verb_of_it", {{"enum", {"GET", "POST"}}}},
          {"form", {{"anyOf", {{{"const", "list"}}, {{"const", "table"}}}}}},
          {"url", {{"type", "string"}}}}}};
    boost::json::object const arguments{
        {"verb_of_it", "GET"},
        {"form", "list"},
        {"method", "GET"},
        {"url", "https://weather.example.org/paris"}};
    reported_call const call{"fetch_page", subjects_of(arguments, schema)};

    EXPECT_EQ(
        with_report("You get rain; here is the list.", {call}),
        "You get rain; here is the list.\n\nUsed for this: fetch_page "
        "(https://weather.example.org/paris)"
    );
    EXPECT_EQ(report_of("weather.example.org says rain.", {call}, language::notices_in("en")), "");
}

boost::json::object object_of(std::string_view text) {
    return boost::json::parse(text).as_object();
}

// covers: S1.02
TEST(report, follows_a_schema_to_its_lists) {
    auto const schema = object_of(R"({"$ref": "#/$defs/Call", "$defs": {
        "Level": {"enum": ["rain", "snow"]},
        "Call": {"properties": {
            "a": {"$ref": "#/$defs/Level"},
            "b": {"allOf": [{"$ref": "#/$defs/Level"}]},
            "c": {"anyOf": [{"$ref": "#/$defs/Level"}, {"type": "null"}]},
            "d": {"$ref": "#/$defs/Endless"},
            "e": {"$ref": "elsewhere.json"}}},
        "Endless": {"$ref": "#/$defs/Endless"}}})");
    auto const arguments =
        object_of(R"({"a": "rain", "b": "rain", "c": "rain", "d": "sun", "e": "hail"})");

    EXPECT_EQ(subjects_of(arguments, schema), object_of(R"({"d": "sun", "e": "hail"})"));
}

// covers: S1.02
TEST(report, takes_no_manner_for_what_the_call_was_about) {
    auto const arguments = object_of(R"({
        "http_method": "GET", "requestMethod": "fetch", "HTTPVerb": "PUT", "x-http": "get",
        "sortOrder": "rain", "order_by": "rain", "language_code": "rain", "outputFormat": "rain",
        "order_id": "A-17", "status_message": "Away", "url": "https://weather.example.org"})");
    auto const subjects = subjects_of(arguments, {});

    EXPECT_EQ(
        subjects,
        object_of(
            R"({"order_id": "A-17", "status_message": "Away", "url": "https://weather.example.org"})"
        )
    );
    EXPECT_EQ(
        report_of(
            "I could not get more than rain.",
            {{"fetch_page", subjects}},
            language::notices_in("en")
        ),
        "\n\nUsed for this: fetch_page (A-17)"
    );
}

TEST(report, names_each_call_once_and_not_too_many) {
    std::vector<reported_call> calls;
    for (int i = 0; i < 7; ++i) calls.push_back({"look", {{"at", "place " + std::to_string(i)}}});
    calls.push_back(calls.front());
    EXPECT_EQ(
        with_report("Done.", calls),
        "Done.\n\nUsed for this: look (place 0), look (place 1), look (place 2), look (place 3), "
        "look (place 4) and 2 more"
    );
    EXPECT_EQ(with_report("Done.", {}), "Done.");
}

TEST(report, shortens_a_long_subject) {
    auto const reported = with_report("Done.", {{"note", {{"text", std::string(5000, 'x')}}}});
    EXPECT_LT(reported.size(), 200U);
}

} // namespace
} // namespace postrider::agent::report_test
