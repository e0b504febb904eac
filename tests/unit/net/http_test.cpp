#include "net/http.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::http_test {
namespace {

TEST(header_list, finds_the_first_value_without_regard_to_case) {
    header_list headers{{"Content-Type", "text/plain"}, {"content-type", "other"}};

    EXPECT_EQ(headers.find("CONTENT-TYPE"), "text/plain");
    EXPECT_EQ(headers.count("content-TYPE"), 2u);
    EXPECT_EQ(headers.find("Accept"), "");
}

TEST(percent_encoded, is_one_segment_of_a_path_and_decodes_to_the_text) {
    EXPECT_EQ(percent_encoded("1:5:0/a b~c"), "1%3A5%3A0%2Fa%20b~c");
    EXPECT_EQ(percent_decode(percent_encoded("a%/\xc3\xa9?")), "a%/\xc3\xa9?");
}

TEST(percent_decode, decodes_bytes_and_refuses_half_an_escape) {
    EXPECT_EQ(percent_decode("a%20b%2Fc%C3%a9"), "a b/c\xc3\xa9");
    EXPECT_EQ(percent_decode("%"), std::nullopt);
    EXPECT_EQ(percent_decode("%2"), std::nullopt);
    EXPECT_EQ(percent_decode("%2x"), std::nullopt);
    EXPECT_EQ(percent_decode("100%25"), "100%");
}

TEST(percent_decode, takes_a_plus_for_a_space_only_in_a_query) {
    EXPECT_EQ(percent_decode("a+b"), "a+b");
    EXPECT_EQ(percent_decode("a+b", true), "a b");
}

TEST(parse_query, takes_odd_queries_as_they_are) {
    using parameters =
        std::vector<std::pair<std::optional<std::string>, std::optional<std::string>>>;
    struct sample {
        std::string_view query;
        parameters expected;
    };
    for (auto const& [query, expected] : {
             sample{"", {}},
             sample{"&&", {}},
             sample{"a", {{"a", ""}}},
             sample{"a=", {{"a", ""}}},
             sample{"=b", {{"", "b"}}},
             sample{"=", {{"", ""}}},
             sample{"a=b=c&&d", {{"a", "b=c"}, {"d", ""}}},
             sample{"a=1&a=2", {{"a", "1"}, {"a", "2"}}},
             sample{"a+b=c+d%2B", {{"a b", "c d+"}}},
             sample{"a=%zz&%=b&c=%e2%82", {{"a", {}}, {{}, "b"}, {"c", {}}}},
             sample{"a=b c\"<\xc3\xb6>&d=\xff", {{"a", "b c\"<\xc3\xb6>"}, {"d", {}}}},
             sample{"a=b;c?d#e", {{"a", "b;c?d#e"}}},
         }) {
        parameters found;
        for (auto const& [name, value] : parse_query(query)) found.emplace_back(name, value);
        EXPECT_EQ(found, expected) << query;
    }
}

TEST(http_request, gives_the_decoded_value_of_a_query_parameter) {
    http_request request;
    request.query = "a=1&na%6De=J%C3%B6rg+M&empty=&flag&a=2&bad=%zz";

    EXPECT_EQ(request.query_value("a"), "1");
    EXPECT_EQ(request.query_value("name"), "J\xc3\xb6rg M");
    EXPECT_EQ(request.query_value("empty"), "");
    EXPECT_EQ(request.query_value("flag"), "");
    EXPECT_EQ(request.query_value("bad"), "");
    EXPECT_EQ(request.query_value("absent"), "");
}

TEST(http_response, problem_is_the_document_of_rfc_9457) {
    auto problem = http_response::problem(409, "conflict", "a \"quoted\" detail");

    EXPECT_EQ(problem.status, 409);
    EXPECT_EQ(problem.headers.find("Content-Type"), "application/problem+json");
    EXPECT_EQ(
        problem.body,
        R"({"type":"about:blank","title":"Conflict","status":409,"code":"conflict",)"
        R"("detail":"a \"quoted\" detail"})"
    );
}

TEST(http_response, problem_is_utf8_whatever_it_quotes) {
    auto problem = http_response::problem(404, "not_found", "there is no flow \xff");

    EXPECT_THAT(problem.body, testing::HasSubstr("there is no flow \xef\xbf\xbd\""));
}

TEST(reason_phrase, knows_the_standard_ones) {
    EXPECT_EQ(reason_phrase(200), "OK");
    EXPECT_EQ(reason_phrase(431), "Request Header Fields Too Large");
    EXPECT_EQ(reason_phrase(511), "Network Authentication Required");
    EXPECT_EQ(reason_phrase(299), "<unknown-status>");
}

} // namespace
} // namespace postrider::net::http_test
