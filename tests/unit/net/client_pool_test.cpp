#include "tests/unit/net/client_fixture.hpp"

#include <gtest/gtest.h>

namespace postrider::net::client_pool_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using tests::client;
using tests::ok;
using tests::silence;
using tests::soon;

TEST_F(client, a_closed_idle_connection_is_noticed_before_it_is_used) {
    serve({{ok("1")}, {ok("2")}}); // closes after the first answer without saying so
    EXPECT_EQ(send(call())->body, "1");
    io.run(base::sleep_for(soon)); // the end of the connection arrives

    EXPECT_EQ(send(call())->body, "2");
    EXPECT_EQ(server->connections(), 2u);
}

TEST_F(client, an_idempotent_request_is_sent_again_when_the_reused_connection_ends) {
    serve({{ok("1"), ""}, {ok("2")}}); // reads the second request and closes
    EXPECT_EQ(send(call())->body, "1");
    auto again = call();
    again.idempotent = true;

    EXPECT_EQ(send(again)->body, "2");
    EXPECT_EQ(server->requests().size(), 3u);
}

TEST_F(client, any_other_request_is_then_ambiguous) {
    serve({{ok("1"), ""}, {ok("2")}});
    EXPECT_EQ(send(call())->body, "1");

    EXPECT_EQ(send(call()).error().code, errc::ambiguous);
    EXPECT_EQ(server->connections(), 1u);
}

TEST_F(client, a_fresh_connection_that_ends_is_not_tried_again) {
    serve({{""}, {ok("2")}});
    auto request = call();
    request.idempotent = true;

    EXPECT_EQ(send(request).error().code, errc::ambiguous);
    EXPECT_EQ(server->connections(), 1u);
}

TEST_F(client, idle_connections_grow_old) {
    http_client_options options;
    options.keep_alive = 20ms;
    http = make_http_client(io.executor(), options);
    serve({{ok("1"), ok("never")}, {ok("2")}});
    EXPECT_EQ(send(call())->body, "1");
    io.run(base::sleep_for(soon));

    EXPECT_EQ(send(call())->body, "2");
}

awaitable<void> keep(
    http_client& http, http_call call, base::result<http_answer>& into, int& left
) {
    into = co_await http.send(std::move(call));
    --left;
}

awaitable<void> until_zero(int& left) {
    while (left > 0) co_await base::sleep_for(1ms);
}

class client_crowd : public client {
protected:
    base::task_group tasks{io.executor()};
    std::vector<base::result<http_answer>> answers;
    int left = 0;

    void send_at_once(std::size_t count, http_call const& request) {
        answers.resize(count);
        left = static_cast<int>(count);
        for (auto& answer : answers) tasks.spawn("call", keep(*http, request, answer, left));
    }
};

TEST_F(client_crowd, callers_wait_in_order_for_a_connection) {
    http_client_options options;
    options.connections_per_origin = 1;
    http = make_http_client(io.executor(), options);
    serve({{ok("1"), ok("2"), ok("3"), ok("4")}});
    send_at_once(4, call());

    io.run(until_zero(left));

    EXPECT_EQ(server->connections(), 1u);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(answers[i]->body, std::to_string(i + 1));
}

awaitable<void> send_two(http_client& http, http_call call, int& left) {
    for (auto target : {"/first", "/third"}) {
        call.target = target;
        auto const answer = co_await http.send(call);
        EXPECT_TRUE(answer);
    }
    --left;
}

TEST_F(client_crowd, nobody_jumps_the_queue) {
    http_client_options options;
    options.connections_per_origin = 1;
    http = make_http_client(io.executor(), options);
    serve({{ok("1"), ok("2"), ok("3")}});
    tasks.spawn(
        "two", send_two(*http, call(), left)
    ); // its second call comes as the first one ends
    send_at_once(1, call("/second"));
    left = 2;

    io.run(until_zero(left));

    ASSERT_EQ(server->requests().size(), 3u);
    EXPECT_TRUE(server->requests()[1].starts_with("POST /second "));
}

TEST_F(client_crowd, waiting_for_a_connection_counts_in_the_total_deadline) {
    http_client_options options;
    options.connections_per_origin = 1;
    http = make_http_client(io.executor(), options);
    serve({{std::string(silence)}});
    auto request = call();
    request.total_timeout = 1h;
    send_at_once(1, request);
    wait_for_requests(1);
    auto hurried = call();
    hurried.total_timeout = soon;

    EXPECT_EQ(send(hurried).error().code, errc::timeout);
    EXPECT_EQ(server->requests().size(), 1u);
    http->close();
    io.run(until_zero(left));
}

TEST_F(client_crowd, a_failed_connection_lets_the_next_in_line_try) {
    http_client_options options;
    options.connections_per_origin = 1;
    http = make_http_client(io.executor(), options);
    serve({{""}, {""}, {ok("3")}});
    send_at_once(3, call());

    io.run(until_zero(left));

    EXPECT_EQ(answers[0].error().code, errc::ambiguous);
    EXPECT_EQ(answers[1].error().code, errc::ambiguous);
    EXPECT_EQ(answers[2]->body, "3");
}

TEST_F(client_crowd, close_ends_calls_in_flight_as_cancelled) {
    http_client_options options;
    options.connections_per_origin = 1;
    http = make_http_client(io.executor(), options);
    serve({{std::string(silence)}});
    send_at_once(2, call());
    wait_for_connections(1);
    io.run(base::sleep_for(1ms));

    http->close();
    io.run(until_zero(left));

    EXPECT_EQ(answers[0].error().code, errc::cancelled);
    EXPECT_EQ(answers[1].error().code, errc::cancelled);
    EXPECT_EQ(send(call()).error().code, errc::cancelled);
}

TEST_F(client_crowd, close_ends_a_call_that_is_still_connecting) {
    // Accepts in the kernel, and has nothing to say to a TLS handshake.
    base::asio::ip::tcp::acceptor deaf{io.context, {base::asio::ip::address_v4::loopback(), 0}};
    http_call request;
    request.target = "/";
    request.origin = "https://127.0.0.1:" + std::to_string(deaf.local_endpoint().port());
    request.connect_timeout = request.total_timeout = 1h;
    send_at_once(1, request);
    io.run(base::sleep_for(1ms));

    http->close();
    io.run(until_zero(left));

    EXPECT_EQ(answers[0].error().code, errc::cancelled);
}

TEST_F(client_crowd, cancelling_the_caller_closes_the_connection) {
    http_client_options options;
    options.connections_per_origin = 1;
    http = make_http_client(io.executor(), options);
    serve({{std::string(silence)}, {ok("2")}});
    send_at_once(1, call());
    wait_for_connections(1);

    tasks.cancel();
    io.run(tasks.join());

    EXPECT_EQ(left, 1); // it never came back
    EXPECT_EQ(send(call())->body, "2");
}

} // namespace
} // namespace postrider::net::client_pool_test
