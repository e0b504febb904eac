#include "server/hooks/flow_answer.hpp"

#include <gtest/gtest.h>

namespace postrider::hooks::flow_answer_test {
namespace {

namespace json = boost::json;

TEST(flow_answer, is_a_text_as_it_is_and_anything_else_as_json) {
    auto const text = to_response(json::object{{"status", 200}, {"body", "hi"}});
    auto const object = to_response(json::object{{"status", 404}, {"body", {{"a", 1}}}});
    auto const page =
        to_response(json::object{{"headers", {{"content-type", "text/html"}}}, {"body", "<p>hi"}});

    EXPECT_EQ(text.body, "hi");
    EXPECT_EQ(text.headers.find("Content-Type"), "text/plain; charset=utf-8");
    EXPECT_EQ(object.status, 404);
    EXPECT_EQ(object.body, R"({"a":1})");
    EXPECT_EQ(object.headers.find("Content-Type"), "application/json");
    EXPECT_EQ(page.headers.find("Content-Type"), "text/html");
    EXPECT_EQ(page.headers.count("Content-Type"), 1u);
}

TEST(flow_answer, is_a_page_of_nobody_in_a_browser) {
    auto const answer = to_response(json::object{{"status", 204}});

    EXPECT_EQ(answer.body, "");
    EXPECT_EQ(answer.headers.count("Content-Type"), 0u);
    EXPECT_EQ(answer.headers.find("Content-Security-Policy"), "sandbox");
    EXPECT_EQ(answer.headers.find("X-Content-Type-Options"), "nosniff");
}

TEST(flow_answer, leaves_out_headers_that_would_break_it) {
    json::object const headers{{"X-Good", "1"}, {"X-Split", "a\r\nX-Evil: 1"}, {"Not a name", "x"}};
    auto const answer = to_response(json::object{{"headers", headers}});

    EXPECT_EQ(answer.headers.count("X-Good"), 1u);
    EXPECT_EQ(answer.headers.count("X-Split"), 0u);
    EXPECT_EQ(answer.headers.count("Not a name"), 0u);
}

} // namespace
} // namespace postrider::hooks::flow_answer_test
