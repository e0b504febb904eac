// Bodies that are sent while they come to be.
#include "net/sse.hpp"
#include "tests/unit/net/raw_connection.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::server_stream_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;
using testing::Not;
using tests::converse;
using tests::loop;
using tests::raw_connection;
using tests::test_server;

constexpr auto get = "GET /stream HTTP/1.1\r\nHost: a\r\n\r\n";

awaitable<http_response> give(http_response response) {
    co_return response;
}

route streaming(awaitable<void> (*produce)(body_writer&), std::string heartbeat = "") {
    route to;
    to.method = "GET";
    to.pattern = "/stream";
    to.handle = [=](http_request) {
        auto answer = http_response::empty(200);
        answer.stream = {produce, heartbeat};
        return give(std::move(answer));
    };
    return to;
}

awaitable<void> say_two_words(body_writer& to) {
    co_await to.write("hello");
    co_await to.write("");
    co_await base::sleep_for(1ms);
    co_await to.write("again and again");
}

TEST(server_stream, is_chunked_and_ends_with_the_connection) {
    loop io;
    test_server server{io, {streaming(say_two_words)}};

    auto answer = io.run(converse(server.address(), get));

    EXPECT_THAT(answer, HasSubstr("Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n"));
    EXPECT_THAT(answer, EndsWith("\r\n\r\n5\r\nhello\r\nf\r\nagain and again\r\n0\r\n\r\n"));
    EXPECT_THAT(answer, Not(HasSubstr("Content-Length")));
}

TEST(server_stream, is_not_chunked_for_an_old_client) {
    loop io;
    test_server server{io, {streaming(say_two_words)}};

    auto answer = io.run(converse(server.address(), "GET /stream HTTP/1.0\r\n\r\n"));

    EXPECT_THAT(answer, EndsWith("\r\n\r\nhelloagain and again"));
    EXPECT_THAT(answer, Not(HasSubstr("Transfer-Encoding")));
}

awaitable<void> must_not_begin(body_writer&) {
    ADD_FAILURE();
    co_return;
}

TEST(server_stream, does_not_begin_for_head) {
    loop io;
    test_server server{io, {streaming(must_not_begin)}};

    auto answer = io.run(converse(server.address(), "HEAD /stream HTTP/1.1\r\nHost: a\r\n\r\n"));

    EXPECT_THAT(answer, EndsWith("Connection: close\r\n\r\n"));
}

awaitable<void> say_a_word_and_fail(body_writer& to) {
    co_await to.write("word");
    throw std::runtime_error("a secret of the inside");
}

TEST(server_stream, whose_producer_fails_has_no_last_chunk) {
    loop io;
    test_server server{io, {streaming(say_a_word_and_fail)}};

    EXPECT_THAT(io.run(converse(server.address(), get)), EndsWith("\r\n\r\n4\r\nword\r\n"));
}

int waiting = 0;

awaitable<void> say_a_word_and_wait(body_writer& to) {
    struct counted {
        counted() { ++waiting; }
        ~counted() { --waiting; }
    } here;
    co_await to.write("word");
    co_await base::sleep_for(1h);
}

awaitable<void> until_nobody_waits() {
    while (waiting > 0) co_await base::sleep_for(1ms);
}

TEST(server_stream, ends_when_its_client_goes_although_nothing_is_said) {
    loop io;
    test_server server{io, {streaming(say_a_word_and_wait)}};
    auto come_and_go = [](std::string address) -> awaitable<void> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send(get);
        co_await line.read_until("word");
        EXPECT_EQ(waiting, 1);
        co_await line.send("POST /whatever HTTP/1.1\r\n\r\n");
        line.close();
        co_await until_nobody_waits();
    };

    io.run(come_and_go(server.address()));
}

TEST(server_stream, ends_with_the_server) {
    loop io;
    test_server server{io, {streaming(say_a_word_and_wait)}};
    auto see_the_end = [](std::string address, http_server& serving) -> awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send(get);
        co_await line.read_until("word\r\n");
        co_await serving.drain(1h);
        EXPECT_EQ(waiting, 0);
        co_return co_await line.read_to_end();
    };

    EXPECT_EQ(io.run(see_the_end(server.address(), *server)), "");
}

bool told_to_stop = false;

awaitable<void> say_much(body_writer& to) {
    told_to_stop = false;
    std::string const much(1u << 20, 'x');
    for (bool more = true; more;) more = co_await to.write(much);
    told_to_stop = true;
}

TEST(server_stream, is_cut_off_when_its_client_reads_too_slowly) {
    loop io;
    auto options = test_server::any_port();
    options.write_timeout = 50ms;
    test_server server{io, {streaming(say_much)}, options};
    auto never_read = [](std::string address, http_server& serving) -> awaitable<void> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send(get);
        while (serving.counts().requests == 0 || serving.counts().connections > 0)
            co_await base::sleep_for(1ms);
    };

    io.run(never_read(server.address(), *server));

    EXPECT_EQ(server->counts().timed_out, 1u);
}

TEST(server_stream, beats_while_nothing_is_said) {
    loop io;
    auto options = test_server::any_port();
    options.longest_silence = 5ms;
    test_server server{io, {streaming(say_a_word_and_wait, ":\n\n")}, options};
    auto listen = [](std::string address) -> awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(address);
        co_await line.send(get);
        co_await line.read_until("4\r\nword\r\n");
        auto first = co_await line.read_until(":\n\n\r\n");
        co_return first + co_await line.read_until(":\n\n\r\n");
    };

    EXPECT_EQ(io.run(listen(server.address())), "3\r\n:\n\n\r\n3\r\n:\n\n\r\n");
}

awaitable<void> say_events(body_writer& to) {
    auto const event = to_text({"done", "{}", "1"});
    co_await to.write(event);
}

TEST(server_stream, of_events_is_not_to_be_stored) {
    loop io;
    route to = streaming(say_events);
    to.handle = [](http_request) { return give(sse_response(say_events)); };
    test_server server{io, {to}};

    auto answer = io.run(converse(server.address(), get));

    EXPECT_THAT(
        answer,
        AllOf(
            HasSubstr("Content-Type: text/event-stream\r\n"),
            HasSubstr("Cache-Control: no-store\r\n"),
            HasSubstr("id: 1\nevent: done\ndata: {}\n\n")
        )
    );
}

} // namespace
} // namespace postrider::net::server_stream_test
