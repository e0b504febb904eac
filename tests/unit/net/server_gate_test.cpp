#include "tests/unit/net/raw_connection.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::server_gate_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using tests::converse;
using tests::echo_route;
using tests::loop;
using tests::raw_connection;
using tests::test_server;

gate_result forbid(http_request const& head) {
    if (head.headers.find("Secret") == "right") return admitted{.proven = true};
    return http_response::problem(
        401, "unauthorized", "body bytes seen: " + std::to_string(head.body.size())
    );
}

route gated_route() {
    auto to = echo_route();
    to.gate = forbid;
    return to;
}

// covers: E.01
TEST(server_gate, answers_before_the_body_is_read) {
    loop io;
    test_server server{io, {gated_route()}};
    auto knock = [](std::string address) -> awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 60000000\r\n\r\n");
        co_return co_await line.read_until("}");
    };

    auto answer = io.run(knock(server.address()));

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 401 "));
    EXPECT_THAT(answer, HasSubstr("body bytes seen: 0"));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
}

TEST(server_gate, passes_over_a_small_body_and_keeps_the_connection) {
    loop io;
    test_server server{io, {gated_route()}};

    auto answers = io.run(converse(
        server.address(),
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nGET /"
        "POST /echo HTTP/1.1\r\nHost: a\r\nSecret: right\r\nContent-Length: 3\r\nConnection: "
        "close\r\n\r\nabc"
    ));

    EXPECT_EQ(tests::count_answers(answers), 2u);
    EXPECT_TRUE(answers.ends_with("[abc]"));
}

gate_result stumble(http_request const&) {
    throw std::runtime_error("a secret of the gate");
}

TEST(server_gate, an_exception_is_a_500_and_not_a_pass) {
    loop io;
    auto to = echo_route();
    to.gate = stumble;
    test_server server{io, {to}};

    auto answer = io.run(converse(
        server.address(),
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
    ));

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 500 "));
    EXPECT_THAT(answer, Not(HasSubstr("secret")));
}

TEST(server_gate, only_who_passes_is_told_to_continue) {
    loop io;
    test_server server{io, {gated_route()}};
    auto ask = [](std::string address, std::string secret) -> awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send(
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-Continue\r\n"
            "Connection: close\r\nSecret: " +
            secret + "\r\n\r\n"
        );
        auto interim = co_await line.read_until("\r\n\r\n");
        co_await line.send("abc");
        co_return interim + "|" + co_await line.read_to_end();
    };

    auto passed = io.run(ask(server.address(), "right"));
    auto refused = io.run(ask(server.address(), "wrong"));

    EXPECT_THAT(passed, StartsWith("HTTP/1.1 100 Continue\r\n\r\n|HTTP/1.1 200 OK\r\n"));
    EXPECT_THAT(passed, HasSubstr("[abc]"));
    EXPECT_THAT(refused, StartsWith("HTTP/1.1 401 "));
    EXPECT_EQ(tests::count_answers(refused), 1u);
}

} // namespace
} // namespace postrider::net::server_gate_test
