#include "net/message_head.hpp"

#include <gtest/gtest.h>

namespace postrider::net::message_head_test {
namespace {

std::string written(http_response const& answer, response_framing framing = {}) {
    std::string out;
    append_response_head(out, answer, "id-1", framing).value();
    return out;
}

TEST(response_head, says_the_length_also_when_it_is_zero) {
    EXPECT_EQ(
        written(http_response::empty(200)),
        "HTTP/1.1 200 OK\r\nX-Request-Id: id-1\r\nContent-Length: 0\r\n\r\n"
    );
}

TEST(response_head, says_no_length_where_there_can_be_no_body) {
    EXPECT_EQ(
        written(http_response::empty(204)), "HTTP/1.1 204 No Content\r\nX-Request-Id: id-1\r\n\r\n"
    );
}

TEST(response_head, says_what_becomes_of_the_connection) {
    auto const answer = http_response::empty(204);

    EXPECT_TRUE(written(answer, {false, false}).ends_with("Connection: close\r\n\r\n"));
    EXPECT_TRUE(written(answer, {true, true}).ends_with("Connection: keep-alive\r\n\r\n"));
    EXPECT_EQ(written(answer, {true, false}).find("Connection"), std::string::npos);
}

TEST(response_head, framing_is_not_the_handlers) {
    http_response answer{
        200, {{"content-length", "99"}, {"Connection", "x"}, {"A", "b"}}, "abc", false};

    EXPECT_EQ(
        written(answer),
        "HTTP/1.1 200 OK\r\nA: b\r\nX-Request-Id: id-1\r\nContent-Length: 3\r\n\r\n"
    );
}

TEST(response_head, refuses_a_value_that_would_write_the_message) {
    std::string out = "before";
    http_response answer{200, {{"Location", "/\r\nSet-Cookie: a"}}, "", false};

    auto result = append_response_head(out, answer, "id-1", {});

    EXPECT_FALSE(result);
    EXPECT_EQ(out, "before");
}

TEST(request_head, adds_host_agent_and_length) {
    std::string out;

    append_request_head(out, {"POST", "/v1?a=b", "api.example:8080"}, {{"A", "b"}}, 3).value();

    EXPECT_EQ(
        out,
        "POST /v1?a=b HTTP/1.1\r\nHost: api.example:8080\r\nA: b\r\nUser-Agent: postrider\r\n"
        "Content-Length: 3\r\n\r\n"
    );
}

TEST(request_head, a_get_without_body_has_no_length) {
    std::string out;

    append_request_head(out, {"GET", "/", "a"}, {{"Host", "b"}, {"User-Agent", "c"}}, 0).value();

    EXPECT_EQ(out, "GET / HTTP/1.1\r\nHost: b\r\nUser-Agent: c\r\n\r\n");
}

TEST(request_head, refuses_what_would_write_the_message) {
    auto refused = [](request_line line, header_list fields = {}) {
        std::string out;
        return !append_request_head(out, line, fields, 0) && out.empty();
    };

    EXPECT_TRUE(refused({"GET", "/a b", "h"}));
    EXPECT_TRUE(refused({"GET", "/a\r\nX: y", "h"}));
    EXPECT_TRUE(refused({"GET", "a", "h"}));
    EXPECT_TRUE(refused({"GE T", "/", "h"}));
    EXPECT_TRUE(refused({"GET", "/", "h"}, {{"A", "b\nc"}}));
    EXPECT_TRUE(refused({"GET", "/", "h"}, {{"A b", "c"}}));
    EXPECT_FALSE(refused({"GET", "/", "h"}, {{"A", "b c\td"}}));
}

} // namespace
} // namespace postrider::net::message_head_test
