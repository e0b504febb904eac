#include "net/answer_parser.hpp"
#include "tests/unit/net/client_fixture.hpp"
#include "tests/unit/net/test_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <unistd.h>

namespace postrider::net::client_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;
using tests::client;
using tests::echo_route;
using tests::ok;
using tests::silence;
using tests::soon;
using tests::stall;
using tests::test_server;

TEST_F(client, sends_a_request_and_reads_the_answer) {
    serve({{"HTTP/1.1 429 Too Many Requests\r\nRetry-After: 3\r\nContent-Length: 4\r\n\r\nslow"}});
    auto request = call();
    request.headers.add("Content-Type", "text/plain");

    auto answer = send(request);

    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->status, 429);
    EXPECT_EQ(answer->headers.find("retry-after"), "3");
    EXPECT_EQ(answer->body, "slow");
    EXPECT_EQ(
        server->requests().at(0),
        "POST /bot12345:secret/sendMessage HTTP/1.1\r\nHost: 127.0.0.1:" + server->port() +
            "\r\nContent-Type: text/plain\r\nUser-Agent: postrider\r\nContent-Length: "
            "5\r\n\r\nhello"
    );
}

TEST_F(client, uses_a_connection_again) {
    serve({{ok("1"), ok("2"), ok("3")}});

    for (auto expected : {"1", "2", "3"}) EXPECT_EQ(send(call())->body, expected);

    EXPECT_EQ(server->connections(), 1u);
}

TEST_F(client, reads_chunked_answers) {
    serve({{
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nT: "
        "v\r\n\r\n",
        ok("next"),
    }});

    auto answer = send(call());

    EXPECT_EQ(answer->body, "abcde");
    EXPECT_EQ(answer->headers.find("T"), "");
    EXPECT_EQ(send(call())->body, "next");
    EXPECT_EQ(server->connections(), 1u);
}

TEST(answer_parser, holds_a_stream_to_no_limit_that_is_taken_as_it_comes) {
    auto const state_of = [](std::string const& type, std::string const& status, bool taken) {
        http_call call;
        call.answer_limit = 4;
        call.endless_type = "text/event-stream";
        if (taken) call.take_body = [](std::string_view) {};
        answer_parser parser{call};
        std::size_t used = 0;
        return parser.parse(
            "HTTP/1.1 " + status + "\r\nContent-Type: " + type +
                "\r\nContent-Length: 5\r\n\r\nhello",
            used
        );
    };
    using parse_state = answer_parser::parse_state;

    EXPECT_EQ(state_of("Text/Event-Stream; charset=utf-8", "200 OK", true), parse_state::done);
    EXPECT_EQ(state_of("text/event-stream", "200 OK", false), parse_state::too_large);
    EXPECT_EQ(state_of("text/event-stream", "500 No", true), parse_state::too_large);
    EXPECT_EQ(state_of("text/event-streams", "200 OK", true), parse_state::too_large);
}

TEST(answer_parser, takes_an_answer_in_pieces) {
    http_call call;
    call.answer_limit = 100;
    for (std::string_view chunks : {"0\r\n\r\n", "3\r\nabc\r\n0\r\n\r\n"}) {
        auto const whole =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + std::string(chunks);
        answer_parser parser{call};
        auto state = answer_parser::parse_state::more;
        std::string pending;
        for (char c : whole) {
            ASSERT_EQ(state, answer_parser::parse_state::more);
            pending += c;
            std::size_t used = 0;
            state = parser.parse(pending, used);
            pending.erase(0, used);
        }
        EXPECT_EQ(state, answer_parser::parse_state::done);
    }
}

TEST_F(client, reads_answers_that_end_with_the_connection) {
    serve({{"HTTP/1.1 200 OK\r\n\r\nuntil the end"}, {ok("next")}});

    EXPECT_EQ(send(call())->body, "until the end");
    EXPECT_EQ(send(call())->body, "next");
    EXPECT_EQ(server->connections(), 2u);
}

TEST_F(client, does_not_reuse_what_the_server_wants_to_close) {
    serve({{"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"}, {ok("next")}});

    EXPECT_TRUE(send(call()));
    EXPECT_EQ(send(call())->body, "next");
    EXPECT_EQ(server->connections(), 2u);
}

TEST_F(client, does_not_reuse_a_connection_with_unasked_bytes) {
    serve({{ok("1") + "HTTP/1.1 200 OK\r\n", ok("wrong")}, {ok("2")}});

    EXPECT_EQ(send(call())->body, "1");
    EXPECT_EQ(send(call())->body, "2");
    EXPECT_EQ(server->connections(), 2u);
}

TEST_F(client, skips_interim_answers) {
    serve(
        {{"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n" + ok("real")}}
    );

    auto answer = send(call());

    EXPECT_EQ(answer->status, 200);
    EXPECT_EQ(answer->body, "real");
    EXPECT_EQ(answer->headers.find("Link"), "");
}

TEST_F(client, a_head_answer_has_no_body) {
    serve({{"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", ok("next")}});
    auto head = call();
    head.method = "HEAD";
    head.body.clear();

    EXPECT_EQ(send(head)->body, "");
    EXPECT_EQ(send(call())->body, "next");
    EXPECT_EQ(server->connections(), 1u);
}

TEST_F(client, a_204_answer_has_no_body) {
    serve({{"HTTP/1.1 204 No Content\r\n\r\n", ok("next")}});

    EXPECT_EQ(send(call())->status, 204);
    EXPECT_EQ(send(call())->body, "next");
    EXPECT_EQ(server->connections(), 1u);
}

TEST_F(client, a_refused_connection_is_unavailable) {
    http_call request;
    request.origin = "http://127.0.0.1:1"; // a port of root's that nobody serves
    request.target = "/";

    EXPECT_EQ(send(request).error().code, errc::unavailable);
}

TEST_F(client, speaks_to_a_unix_socket) {
    auto const path = testing::TempDir() + "postrider-client-" + std::to_string(getpid()) + ".sock";
    auto options = test_server::any_port();
    options.listen = "unix:" + path;
    net::http_call request;
    request.origin = options.listen;
    request.target = "/echo";
    request.body = "hello";
    {
        test_server there{io, {echo_route()}, options};
        EXPECT_EQ(send(request).value().body, "POST /echo [hello]");
        EXPECT_EQ(send(request).value().body, "POST /echo [hello]");
    }

    auto gone = send(request);

    ASSERT_FALSE(gone);
    EXPECT_EQ(gone.error(), base::errc::unavailable);
    ::unlink(path.c_str());
}

TEST_F(client, an_unknown_name_is_unavailable) {
    http_call request;
    request.origin = "http://no-such-host.invalid";
    request.target = "/";

    auto answer = io.run(http->send(request), 60s);

    EXPECT_EQ(answer.error().code, errc::unavailable);
}

TEST_F(client, no_answer_in_time_is_ambiguous) {
    serve({{std::string(silence)}});
    auto request = call();
    request.first_byte_timeout = soon;

    auto answer = send(request);

    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, errc::ambiguous);
    EXPECT_EQ(server->requests().size(), 1u);
}

TEST_F(client, an_answer_that_stalls_is_ambiguous) {
    serve({{"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc" + std::string(stall)}});
    auto request = call();
    request.idle_timeout = soon;

    EXPECT_EQ(send(request).error().code, errc::ambiguous);
}

TEST_F(client, the_total_deadline_holds_whatever_the_others_say) {
    serve({{std::string(silence)}});
    auto request = call();
    request.total_timeout = soon;

    EXPECT_EQ(send(request).error().code, errc::ambiguous);
}

TEST_F(client, a_cut_answer_is_ambiguous) {
    for (auto cut : {
             "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n",
             "HTTP/1.1 200 OK\r\nContent-Le",
             "HTTP/1.1 200",
             "",
         }) {
        serve({{cut}});
        auto answer = send(call());
        ASSERT_FALSE(answer) << cut;
        EXPECT_EQ(answer.error().code, errc::ambiguous) << cut;
        io.run(server->finish());
    }
}

TEST_F(client, a_malformed_answer_is_invalid) {
    for (auto malformed : {
             "SSH-2.0-OpenSSH_9.2\r\n\r\n",
             "HTTP/1.1 200 OK\r\nContent-Length: x\r\n\r\n",
             "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
             "HTTP/1.1 200 OK\r\nContent-Length: 3\r\nTransfer-Encoding: "
             "chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc",
             "HTTP/1.1 101 Switching Protocols\r\n\r\n",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n",
         }) {
        serve({{malformed}});
        auto answer = send(call());
        ASSERT_FALSE(answer) << malformed;
        EXPECT_EQ(answer.error().code, errc::invalid) << malformed;
        io.run(server->finish());
    }
}

TEST_F(client, an_answer_beyond_the_limit_is_too_large) {
    for (auto large : {
             "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n12345",
             "HTTP/1.1 200 OK\r\nTransfer-Encoding: "
             "chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n",
             "HTTP/1.1 200 OK\r\n\r\n12345",
         }) {
        serve({{large}});
        auto request = call();
        request.answer_limit = 4;
        EXPECT_EQ(send(request).error().code, errc::too_large) << large;
        request.answer_limit = 5;
        io.run(server->finish());
        serve({{large}});
        request.origin = server->origin();
        EXPECT_EQ(send(request)->body.size(), 5u) << large;
        io.run(server->finish());
    }
}

TEST_F(client, an_answer_before_the_end_of_the_request_counts) {
    // Half of the request is left unread: the server says why, and closes.
    serve({{"HTTP/1.1 413 Content Too Large\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"}});
    auto request = call();
    request.headers.add("X-Long", std::string(1000, 'x'));

    EXPECT_EQ(send(request)->status, 413);
}

TEST_F(client, refuses_what_is_no_request) {
    serve({});
    auto broken_target = call("no slash");
    auto broken_header = call();
    broken_header.headers.add("A", "b\r\nC: d");
    auto broken_origin = call();
    broken_origin.origin = "127.0.0.1:80";

    EXPECT_EQ(send(broken_target).error().code, errc::invalid);
    EXPECT_EQ(send(broken_header).error().code, errc::invalid);
    EXPECT_EQ(send(broken_origin).error().code, errc::invalid);
    EXPECT_EQ(server->connections(), 0u);
}

TEST_F(client, no_error_tells_the_target) {
    serve({{""}, {"nonsense\r\n\r\n"}});

    for (int i = 0; i < 2; ++i)
        EXPECT_THAT(base::to_string(send(call()).error()), Not(HasSubstr("secret")));
}

} // namespace
} // namespace postrider::net::client_test
