// Slow and idle clients: what they cannot take from the others.
#include "tests/unit/net/descriptor_shortage.hpp"
#include "tests/unit/net/raw_connection.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::net::server_crowd_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using testing::HasSubstr;
using testing::StartsWith;
using tests::converse;
using tests::echo_route;
using tests::loop;
using tests::raw_connection;
using tests::test_server;

constexpr base::duration soon = 50ms;
constexpr auto get_echo = "GET /echo HTTP/1.1\r\nHost: a\r\n\r\n";
constexpr auto post_head = "POST /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n";

// Waits for its clients for ever, but for what a test sets.
http_server_options patient(std::size_t max_connections = 1024) {
    auto options = test_server::any_port();
    options.max_connections = max_connections;
    options.header_timeout = options.body_timeout = options.idle_timeout = options.write_timeout =
        1h;
    options.pace.grace = 1h;
    return options;
}

constexpr auto get_echo_and_close = "GET /echo HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

// As large as the longest that needs no token.
awaitable<http_response> answer_large() {
    co_return http_response::text(200, std::string(120'000, 'x'));
}

gate_result ask_for_secret(http_request const& head) {
    if (head.headers.find("Secret") == "right") return admitted{.proven = true};
    return http_response::problem(401, "unauthorized", "");
}

std::vector<route> open_and_gated() {
    auto gated = echo_route();
    gated.gate = ask_for_secret;
    return {echo_route("GET"), gated};
}

awaitable<void> until_accepted(http_server& server, std::uint64_t count) {
    while (server.counts().accepted < count) co_await base::sleep_for(1ms);
}

// A connection that the server has accepted, and has been sent this.
awaitable<void> enter(raw_connection& client, http_server& server, std::string bytes = {}) {
    auto const before = server.counts().accepted;
    client.connect(server.address());
    if (!bytes.empty()) co_await client.send(std::move(bytes));
    co_await until_accepted(server, before + 1);
}

awaitable<std::string> ask(raw_connection& client, std::string bytes, std::string last) {
    co_await client.send(std::move(bytes));
    co_return co_await client.read_until(std::move(last));
}

awaitable<void> crowd_of_idle(http_server& server) {
    auto executor = co_await base::asio::this_coro::executor;
    raw_connection first{executor};
    raw_connection second{executor};
    raw_connection third{executor};
    co_await enter(first, server);
    co_await enter(second, server);
    EXPECT_THAT(co_await ask(first, get_echo, "[]"), StartsWith("HTTP/1.1 200 "));

    co_await enter(third, server);

    EXPECT_EQ(co_await second.read_to_end(), "") << "it has been idle for longest";
    EXPECT_THAT(co_await ask(third, get_echo, "[]"), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(co_await ask(first, get_echo, "[]"), StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(server.counts().evicted, 1u);
    EXPECT_EQ(server.counts().connections, 2u);
}

TEST(server_crowd, at_the_limit_the_longest_idle_makes_room) {
    loop io;
    test_server server{io, {echo_route("GET")}, patient(2)};

    io.run(crowd_of_idle(*server));
}

awaitable<void> crowd_of_slow(http_server& server, std::string beginning) {
    auto executor = co_await base::asio::this_coro::executor;
    std::list<raw_connection> slow;
    for (int i = 0; i < 20; ++i) {
        co_await enter(slow.emplace_back(executor), server, beginning);
        raw_connection delivery{executor};
        delivery.connect(server.address());
        auto const head = std::string(post_head) + "Secret: right\r\n\r\nhello";
        EXPECT_THAT(co_await ask(delivery, head, "]"), HasSubstr("[hello]"));
    }
}

TEST(server_crowd, slow_heads_do_not_keep_a_delivery_waiting) {
    loop io;
    test_server server{io, open_and_gated(), patient(4)};

    io.run(crowd_of_slow(*server, "GET / HTTP/1.1\r\nX-A: "));
}

TEST(server_crowd, slow_bodies_do_not_keep_a_delivery_waiting) {
    loop io;
    test_server server{io, {echo_route("PUT"), open_and_gated()[1]}, patient(4)};

    io.run(crowd_of_slow(*server, "PUT /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\na"));
}

TEST(server_crowd, refused_bodies_do_not_keep_a_delivery_waiting) {
    loop io;
    test_server server{io, open_and_gated(), patient(4)};

    io.run(crowd_of_slow(*server, std::string(post_head) + "\r\na"));
}

awaitable<void> crowd_of_proven(http_server& server) {
    auto executor = co_await base::asio::this_coro::executor;
    raw_connection slow{executor};
    raw_connection idle{executor};
    raw_connection stranger{executor};
    raw_connection last{executor};
    auto const head = std::string(post_head) + "Secret: right\r\n\r\n";
    co_await enter(slow, server, head + "he");
    co_await enter(idle, server);
    EXPECT_THAT(co_await ask(idle, head + "hello", "]"), HasSubstr("[hello]"));
    co_await enter(stranger, server);

    co_await enter(last, server);

    EXPECT_EQ(co_await stranger.read_to_end(), "") << "the youngest, and the only one unproven";
    EXPECT_THAT(co_await ask(slow, "llo", "]"), HasSubstr("[hello]"));
    EXPECT_THAT(co_await ask(idle, head + "hello", "]"), HasSubstr("[hello]"));
    EXPECT_EQ(server.counts().evicted, 1u);
}

TEST(server_crowd, never_closes_a_connection_whose_secret_was_right) {
    loop io;
    test_server server{io, open_and_gated(), patient(3)};

    io.run(crowd_of_proven(*server));
}

awaitable<void> wait_behind_proven(http_server& server) {
    auto executor = co_await base::asio::this_coro::executor;
    raw_connection proven{executor};
    raw_connection next{executor};
    auto const head = std::string(post_head) + "Secret: right\r\n\r\nhello";
    co_await enter(proven, server);
    EXPECT_THAT(co_await ask(proven, head, "]"), HasSubstr("[hello]"));
    next.connect(server.address());
    co_await next.send(get_echo);
    EXPECT_THAT(co_await ask(proven, head, "]"), HasSubstr("[hello]"));
    EXPECT_EQ(server.counts().accepted, 1u);

    proven.close();

    EXPECT_THAT(co_await next.read_until("[]"), StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(server.counts().evicted, 0u);
}

TEST(server_crowd, waits_in_the_backlog_when_every_connection_is_proven) {
    loop io;
    test_server server{io, open_and_gated(), patient(1)};

    io.run(wait_behind_proven(*server));
}

base::signal* release = nullptr;

awaitable<http_response> answer_when_released(http_request) {
    co_await release->wait();
    co_return http_response::text(200, "[]");
}

awaitable<void> wait_behind_busy(http_server& server) {
    auto executor = co_await base::asio::this_coro::executor;
    raw_connection busy{executor};
    raw_connection next{executor};
    co_await enter(busy, server, "GET /slow HTTP/1.1\r\nHost: a\r\n\r\n");
    while (server.counts().requests == 0) co_await base::sleep_for(1ms);
    next.connect(server.address());
    co_await next.send(get_echo);

    release->notify();

    EXPECT_THAT(co_await busy.read_until("[]"), StartsWith("HTTP/1.1 200 "));
    EXPECT_THAT(co_await next.read_until("[]"), StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(server.counts().evicted, 1u) << "the answered one, which is idle now";
}

TEST(server_crowd, a_request_at_work_is_ended_for_nobody) {
    loop io;
    base::signal released{io.executor()};
    release = &released;
    auto slow = echo_route("GET");
    slow.pattern = "/slow";
    slow.handle = answer_when_released;
    test_server server{io, {echo_route("GET"), slow}, patient(1)};

    io.run(wait_behind_busy(*server));
}

awaitable<std::string> be_turned_away(http_server& server) {
    raw_connection client{co_await base::asio::this_coro::executor};
    co_await enter(client, server, std::string(post_head) + "\r\nhel");
    auto answer = co_await client.read_to_end();
    while (server.counts().connections > 0) co_await base::sleep_for(1ms);
    co_return answer;
}

TEST(server_crowd, who_is_refused_is_closed_without_a_wait_for_the_body) {
    loop io;
    test_server server{io, open_and_gated(), patient()};

    auto answer = io.run(be_turned_away(*server));

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 401 "));
    EXPECT_THAT(answer, HasSubstr("Connection: close\r\n"));
}

awaitable<void> knock_in_a_shortage(http_server& server) {
    auto executor = co_await base::asio::this_coro::executor;
    raw_connection idle{executor};
    raw_connection next{executor};
    co_await enter(idle, server);
    next.connect(server.address());
    tests::descriptor_shortage shortage;
    EXPECT_THAT(co_await ask(next, get_echo, "[]"), StartsWith("HTTP/1.1 200 "));
    EXPECT_EQ(co_await idle.read_to_end(), "");
}

TEST(server_crowd, an_idle_connection_makes_room_when_descriptors_run_out) {
    loop io;
    test_server server{io, {echo_route("GET")}, patient()};

    io.run(knock_in_a_shortage(*server));
}

http_server_options demanding() {
    auto options = patient();
    options.pace = {.grace = soon, .bytes_per_second = 1000};
    return options;
}

awaitable<void> ask_for_ten_and_read_nothing(http_server& server, int& answered) {
    raw_connection greedy{co_await base::asio::this_coro::executor};
    std::string ten;
    for (int n = 0; n < 10; ++n) ten += "GET /large HTTP/1.1\r\nHost: a\r\n\r\n";
    co_await enter(greedy, server, ten);

    EXPECT_THAT(co_await converse(server.address(), get_echo_and_close), HasSubstr("[]"));
    EXPECT_LE(answered, 3) << "the kernel takes no more than that of an answer";
}

TEST(server_crowd, who_reads_nothing_gets_no_further_answers) {
    loop io;
    int answered = 0;
    auto large = echo_route("GET");
    large.pattern = "/large";
    large.handle = [&answered](http_request) -> awaitable<http_response> {
        ++answered;
        return answer_large();
    };
    test_server server{io, {echo_route("GET"), large}, patient()};

    io.run(ask_for_ten_and_read_nothing(*server, answered));
}

TEST(server_pace, closes_a_head_that_comes_too_slowly) {
    loop io;
    test_server server{io, {}, demanding()};

    EXPECT_EQ(io.run(tests::converse(server.address(), "GET / HTTP/1.1\r\nHost: a\r\n")), "");
    EXPECT_EQ(server->counts().timed_out, 1u);
}

TEST(server_pace, answers_408_to_a_body_that_comes_too_slowly) {
    loop io;
    test_server server{io, {echo_route()}, demanding()};

    auto answer = io.run(tests::converse(server.address(), std::string(post_head) + "\r\nhel"));

    EXPECT_THAT(answer, StartsWith("HTTP/1.1 408 "));
}

awaitable<http_response> answer_enormous(http_request) {
    co_return http_response::text(200, std::string(64u << 20, 'x'));
}

awaitable<void> ask_and_read_nothing(http_server& server) {
    raw_connection client{co_await base::asio::this_coro::executor};
    co_await enter(client, server, get_echo);
    while (server.counts().requests == 0 || server.counts().connections > 0)
        co_await base::sleep_for(1ms);
    co_await client.read_to_end();
    EXPECT_TRUE(client.was_reset()) << "the kernel keeps nothing for it";
}

TEST(server_pace, gives_up_on_a_client_that_takes_its_answer_too_slowly) {
    loop io;
    auto to = echo_route("GET");
    to.handle = answer_enormous;
    test_server server{io, {to}, demanding()};

    io.run(ask_and_read_nothing(*server));

    EXPECT_EQ(server->counts().timed_out, 1u);
}

TEST(transfer_pace, earns_time_by_bytes_up_to_the_limit) {
    transfer_pace const pace{.grace = 5s, .bytes_per_second = 500};

    EXPECT_EQ(pace.allowance(0, 30s), 5s);
    EXPECT_EQ(pace.allowance(250, 30s), 5500ms);
    EXPECT_EQ(pace.allowance(12'500, 30s), 30s);
    EXPECT_EQ(pace.allowance(std::numeric_limits<std::size_t>::max(), 30s), 30s);
    EXPECT_EQ(pace.allowance(1'000'000, 2s), 2s);
}

} // namespace
} // namespace postrider::net::server_crowd_test
