#include "server/hooks/flow_answer.hpp"

#include <boost/json/parse.hpp>
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

// A browser told to take it for HTML finds no tag in it.
TEST(flow_answer, of_json_has_no_tags_where_its_type_is_html) {
    json::object const body{{"<b>", "a & <script>"}};
    auto const answer = [&](std::string_view type) {
        return to_response(json::object{{"headers", {{"content-type", type}}}, {"body", body}});
    };

    auto const page = answer("image/svg+xml");

    EXPECT_EQ(page.body, R"({"\u003cb\u003e":"a \u0026 \u003cscript\u003e"})");
    EXPECT_EQ(json::parse(page.body), json::value(body));
    EXPECT_EQ(answer("application/json").body, R"({"<b>":"a & <script>"})");
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

// A flow's author is not the server's owner.
TEST(flow_answer, leaves_out_headers_that_speak_for_the_server_or_command_a_proxy) {
    for (auto const* name :
         {"Set-Cookie",
          "set-cookie",
          "Set-Cookie2",
          "Clear-Site-Data",
          "Strict-Transport-Security",
          "Content-Security-Policy",
          "Content-Security-Policy-Report-Only",
          "X-Content-Type-Options",
          "x-frame-options",
          "X-Request-Id",
          "X-Accel-Redirect",
          "X-Accel-Buffering",
          "X-Sendfile",
          "X-LIGHTTPD-send-file",
          "Access-Control-Allow-Credentials",
          "Alt-Svc",
          "Service-Worker-Allowed",
          "Refresh",
          "Report-To",
          "Connection",
          "Upgrade",
          "Transfer-Encoding",
          "Content-Length",
          "Content-Encoding",
          "Trailer",
          "Keep-Alive",
          "Date",
          "Server"}) {
        auto const answer =
            to_response(json::object{{"headers", {{name, "of the flow"}}}, {"body", "x"}});

        for (auto const& [sent, value] : answer.headers) EXPECT_NE(value, "of the flow") << name;
    }
}

TEST(flow_answer, has_the_headers_that_are_about_itself) {
    for (auto const* name :
         {"Content-Type", "Location", "Cache-Control", "ETag", "Retry-After", "X-Order-Id"}) {
        auto const answer = to_response(json::object{{"headers", {{name, "of the flow"}}}});

        EXPECT_EQ(answer.headers.find(name), "of the flow");
    }
}

TEST(flow_answer, leads_to_pages_alone) {
    auto const is_sent = [](std::string_view location) {
        return to_response(json::object{{"headers", {{"location", location}}}}
               ).headers.count("Location") == 1;
    };
    for (auto const* location :
         {"https://example.org/a:b",
          "HTTP://example.org",
          "/orders/7",
          "orders/7?at=12:30",
          "#a:b",
          ""})
        EXPECT_TRUE(is_sent(location)) << location;
    for (auto const* location :
         {"javascript:alert(1)",
          "JavaScript:alert(1)",
          " javascript:alert(1)",
          "java\tscript:alert(1)",
          "data:text/html,x",
          "vbscript:x",
          "file:///etc/passwd",
          ":x"})
        EXPECT_FALSE(is_sent(location)) << location;
}

} // namespace
} // namespace postrider::hooks::flow_answer_test
