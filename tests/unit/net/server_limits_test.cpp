// Deadlines, sizes and numbers: what a client cannot make the server do.
#include "tests/unit/net/descriptor_shortage.hpp"
#include "tests/unit/net/raw_connection.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::server_limits_test {
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

constexpr base::duration soon = 50ms;

http_server_options patient_but_for(base::duration http_server_options::*limit) {
    auto options = test_server::any_port();
    options.header_timeout = options.body_timeout = options.idle_timeout = options.write_timeout =
        1h;
    options.*limit = soon;
    return options;
}

route limited_route(std::size_t limit, oversize when) {
    auto to = echo_route();
    to.body_limit = limit;
    to.when_oversize = when;
    return to;
}

constexpr auto get_echo = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n";

TEST(server_deadline, closes_a_connection_that_says_nothing) {
    loop io;
    test_server server{io, {}, patient_but_for(&http_server_options::header_timeout)};

    EXPECT_EQ(io.run(converse(server.address(), "")), "");
    EXPECT_EQ(server->counts().timed_out, 1u);
}

TEST(server_deadline, closes_a_connection_whose_head_does_not_end) {
    loop io;
    test_server server{io, {}, patient_but_for(&http_server_options::header_timeout)};

    EXPECT_EQ(io.run(converse(server.address(), "GET / HTTP/1.1\r\nHost: a\r\n")), "");
    EXPECT_EQ(server->counts().timed_out, 1u);
}

TEST(server_deadline, closes_an_idle_connection) {
    loop io;
    test_server server{
        io, {echo_route("GET")}, patient_but_for(&http_server_options::idle_timeout)};

    EXPECT_EQ(tests::count_answers(io.run(converse(server.address(), get_echo))), 1u);
    EXPECT_EQ(server->counts().timed_out, 1u);
}

TEST(server_deadline, answers_408_to_a_body_that_does_not_end) {
    loop io;
    test_server server{io, {echo_route()}, patient_but_for(&http_server_options::body_timeout)};

    auto answer = io.run(
        converse(server.address(), "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nabc")
    );

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 408 "));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
}

awaitable<http_response> answer_enormous(http_request) {
    co_return http_response::text(200, std::string(64u << 20, 'x'));
}

TEST(server_deadline, gives_up_on_a_client_that_does_not_read) {
    loop io;
    auto to = echo_route("GET");
    to.handle = answer_enormous;
    test_server server{io, {to}, patient_but_for(&http_server_options::write_timeout)};
    auto ask_and_wait = [](std::string address, http_server& serving) -> awaitable<void> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send(get_echo);
        while (serving.counts().requests == 0 || serving.counts().connections > 0)
            co_await base::sleep_for(5ms);
    };

    io.run(ask_and_wait(server.address(), *server));

    EXPECT_EQ(server->counts().timed_out, 1u);
}

TEST(server_limit, a_head_beyond_the_limit_is_431) {
    loop io;
    auto options = test_server::any_port();
    options.header_limit = 1024;
    test_server server{io, {echo_route("GET")}, options};

    for (std::size_t size : {1025u, 100'000u}) {
        auto head = "GET /echo HTTP/1.1\r\nHost: a\r\nX: " + std::string(size, 'x') + "\r\n\r\n";
        EXPECT_THAT(io.run(converse(server.address(), head)), StartsWith("HTTP/1.1 431 "));
    }
}

TEST(server_limit, a_head_of_exactly_the_limit_is_served) {
    loop io;
    auto options = test_server::any_port();
    std::string head = "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
    options.header_limit = head.size();
    test_server server{io, {echo_route("GET")}, options};

    EXPECT_THAT(io.run(converse(server.address(), head)), StartsWith("HTTP/1.1 200 "));
}

TEST(server_limit, an_announced_body_beyond_the_limit_is_413_before_it_is_read) {
    loop io;
    test_server server{io, {limited_route(3, oversize::refuse)}};

    auto answers = io.run(converse(
        server.address(),
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\n"
    ));

    EXPECT_THAT(answers, StartsWith("HTTP/1.1 413 "));
    EXPECT_EQ(tests::count_answers(answers), 1u);
}

TEST(server_limit, a_chunked_body_beyond_the_limit_is_413) {
    loop io;
    test_server server{io, {limited_route(3, oversize::refuse)}};

    auto answer = io.run(converse(
        server.address(),
        "POST /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
        "chunked\r\n\r\n2\r\nab\r\n2\r\ncd\r\n0\r\n\r\n"
    ));

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 413 "));
    EXPECT_EQ(tests::count_answers(answer), 1u);
}

TEST(server_limit, a_413_is_not_overtaken_by_a_reset) {
    loop io;
    test_server server{io, {limited_route(3, oversize::refuse)}};
    auto insist = [](std::string address) -> awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send("POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 500000\r\n\r\n");
        co_await line.send(std::string(500'000, 'x'));
        auto answer = co_await line.read_to_end();
        EXPECT_FALSE(line.was_reset());
        co_return answer;
    };

    EXPECT_THAT(io.run(insist(server.address())), StartsWith("HTTP/1.1 413 "));
}

TEST(server_limit, a_route_may_take_the_beginning_of_a_body) {
    loop io;
    test_server server{io, {limited_route(3, oversize::truncate)}};

    auto answers = io.run(converse(
        server.address(),
        "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 300000\r\n\r\nabc" +
            std::string(299'997, 'x') +
            "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc"
    ));

    EXPECT_THAT(answers, HasSubstr("[abc] truncated"));
    EXPECT_TRUE(answers.ends_with("[abc]"));
}

TEST(server_limit, a_truncated_body_that_does_not_end_is_answered_all_the_same) {
    loop io;
    test_server server{
        io,
        {limited_route(3, oversize::truncate)},
        patient_but_for(&http_server_options::body_timeout),
    };

    auto answer = io.run(converse(
        server.address(), "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabcdef"
    ));

    EXPECT_THAT(answer, HasSubstr("[abc] truncated"));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
}

TEST(server_limit, survives_a_shortage_of_descriptors) {
    loop io;
    test_server server{io, {echo_route("GET")}};
    raw_connection line{io.executor()};
    line.connect(server.address()); // the kernel takes it; the server has not run yet
    {
        tests::descriptor_shortage shortage;
        io.run(line.send(get_echo));
        io.context.restart();
        std::size_t handled = 0;
        for (int looks = 0; looks < 10'000; ++looks) handled += io.context.poll_one();
        EXPECT_LT(handled, 100u) << "it spins instead of waiting";
        EXPECT_EQ(server->counts().accepted, 0u);
    }

    EXPECT_THAT(io.run(line.read_until("[]")), StartsWith("HTTP/1.1 200 "));
}

} // namespace
} // namespace postrider::net::server_limits_test
