#include "agent/mcp/client.hpp"
#include "agent/mcp/http_transport.hpp"
#include "agent/mcp/peer.hpp"
#include "tests/support/loop.hpp"
#include "tests/unit/net/scripted_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::mcp::http_transport_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using tests::scripted_server;

std::string answer(std::string status, std::string headers, std::string body) {
    return "HTTP/1.1 " + status + "\r\n" + headers +
           "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + body;
}
std::string json_answer(std::string body, std::string headers = "") {
    return answer("200 OK", "Content-Type: application/json\r\n" + headers, std::move(body));
}
std::string events(std::string body) {
    return answer("200 OK", "Content-Type: text/event-stream\r\n", std::move(body));
}
std::string result(int id) {
    return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":{"id":)" +
           std::to_string(id) + "}}";
}
std::string data(std::string message) {
    return "data: " + message + "\n\n";
}
std::string const accepted = answer("202 Accepted", "", "");

net::http_client_options one_connection() {
    net::http_client_options options;
    options.connections_per_origin = 1;
    return options;
}

class streamable_http : public testing::Test {
protected:
    void serve(scripted_server::answers answers) {
        server = std::make_unique<scripted_server>(
            io.executor(), std::vector<scripted_server::answers>{std::move(answers)}
        );
        options.address = {server->origin(), "/mcp"};
        options.resume_delay = 1ms;
        carrier = make_http_transport(io.executor(), *http, options);
        peer_options its_options;
        its_options.on_notification = [this](rpc_notification const& notification) {
            notifications.push_back(notification.method);
        };
        asking = std::make_unique<peer>(io.executor(), *carrier, std::move(its_options));
        ASSERT_TRUE(io.run(asking->open()));
    }
    base::result<rpc_outcome> ask(
        std::string method = "tools/list", json::object params = {}, request_options its = {}
    ) {
        return io.run(asking->request(std::move(method), std::move(params), std::move(its)));
    }
    void TearDown() override {
        if (asking) io.run(asking->close());
        http->close();
        if (server) io.run(server->finish());
    }
    std::string request(std::size_t at) { return server->requests().at(at); }

    tests::loop io;
    std::unique_ptr<scripted_server> server;
    // One connection, so that the script's order is that of the requests.
    std::unique_ptr<net::http_client> http = net::make_http_client(io.executor(), one_connection());
    http_options options;
    std::unique_ptr<transport> carrier;
    std::unique_ptr<peer> asking;
    std::vector<std::string> notifications;
};

TEST_F(streamable_http, takes_answers_as_json) {
    options.headers = {{"Authorization", base::secret("Bearer t")}};
    serve({json_answer(result(1))});

    auto const outcome = ask();

    EXPECT_EQ(std::get<json::value>(outcome.value()).at("id"), 1);
    EXPECT_TRUE(request(0).starts_with("POST /mcp HTTP/1.1"));
    EXPECT_THAT(request(0), HasSubstr("Accept: application/json, text/event-stream\r\n"));
    EXPECT_THAT(request(0), HasSubstr("Authorization: Bearer t\r\n"));
    EXPECT_THAT(request(0), Not(HasSubstr("MCP-Protocol-Version")));
}

TEST_F(streamable_http, takes_answers_as_events_with_notifications_before) {
    serve({events(
        ": hello\n\n" + data(R"({"jsonrpc":"2.0","method":"notifications/message"})") +
        data(result(1))
    )});

    EXPECT_TRUE(ask());
    EXPECT_THAT(notifications, ElementsAre("notifications/message"));
}

TEST_F(streamable_http, names_session_and_revision_after_the_handshake_and_ends_the_session) {
    serve(
        {json_answer(result(1), "Mcp-Session-Id: s-1\r\n"),
         accepted,
         json_answer(result(2)),
         answer("405 Method Not Allowed", "", "")}
    );
    (void)ask("initialize");
    carrier->use_revision("2025-11-25");
    ASSERT_TRUE(asking->notify("notifications/initialized"));
    EXPECT_TRUE(ask());
    io.run(asking->close());

    EXPECT_THAT(request(0), Not(HasSubstr("Mcp-Session-Id")));
    EXPECT_THAT(request(1), HasSubstr("notifications/initialized"))
        << "what follows must not overtake it";
    EXPECT_THAT(request(2), HasSubstr("Mcp-Session-Id: s-1\r\n"));
    EXPECT_THAT(request(2), HasSubstr("MCP-Protocol-Version: 2025-11-25\r\n"));
    EXPECT_TRUE(request(3).starts_with("DELETE /mcp"));
    EXPECT_THAT(request(3), HasSubstr("Mcp-Session-Id: s-1\r\n"));
}

TEST_F(streamable_http, a_session_that_is_gone_is_told_apart) {
    serve(
        {json_answer(result(1), "Mcp-Session-Id: s-1\r\n"),
         answer("404 Not Found", "", ""),
         answer(
             "400 Bad Request",
             "",
             R"({"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"no session"}})"
         ),
         answer("400 Bad Request", "Content-Type: text/plain\r\n", "No valid session ID"),
         accepted}
    );
    (void)ask("initialize");

    EXPECT_EQ(ask().error().code, errc::stale);
    EXPECT_EQ(ask().error().code, errc::stale);
    EXPECT_EQ(ask().error().code, errc::stale);
}

// One of the official SDKs gives every such error an id of its own.
TEST_F(streamable_http, a_refusal_answers_its_post_whatever_id_it_names) {
    serve({answer(
        "400 Bad Request",
        "Content-Type: application/json\r\n",
        R"({"jsonrpc":"2.0","id":"server-error","error":{"code":-32600,"message":"no"}})"
    )});

    auto const refused = ask();

    ASSERT_TRUE(refused) << to_string(refused.error());
    EXPECT_EQ(std::get<rpc_error>(*refused).message, "no");
}

TEST_F(streamable_http, a_client_begins_a_forgotten_session_again_once) {
    std::string const greeting =
        R"({"jsonrpc":"2.0","id":1,"result":{"protocolVersion":"2025-11-25","capabilities":{}}})";
    auto const gone = answer("404 Not Found", "", "");
    server = std::make_unique<scripted_server>(
        io.executor(),
        std::vector<scripted_server::answers>{{
            json_answer(greeting, "Mcp-Session-Id: first\r\n"),
            accepted,
            gone,     // tools/call
            accepted, // the end of a session that is no more
            json_answer(greeting, "Mcp-Session-Id: second\r\n"),
            accepted,
            json_answer(R"({"jsonrpc":"2.0","id":2,"result":{"content":[]}})"),
            accepted,
        }}
    );
    options.address = {server->origin(), "/mcp"};
    client_options its;
    its.handshake.revision = "2025-11-25";
    client again{
        io.executor(), [this] { return make_http_transport(io.executor(), *http, options); }, its};

    EXPECT_TRUE(io.run(again.call_tool("x", {})));
    io.run(again.close());

    EXPECT_THAT(server->requests(), Contains(AllOf(HasSubstr("tools/call"), HasSubstr("first"))));
    EXPECT_THAT(server->requests(), Contains(AllOf(HasSubstr("tools/call"), HasSubstr("second"))));
}

TEST_F(streamable_http, a_stream_that_broke_off_is_taken_up_again) {
    serve(
        {events("id: 7\nretry: 1\ndata:\n\n"), events("id: 8\ndata:\n\n"), events(data(result(1)))}
    );

    EXPECT_TRUE(ask());

    EXPECT_TRUE(request(1).starts_with("GET /mcp"));
    EXPECT_THAT(request(1), HasSubstr("Last-Event-ID: 7\r\n"));
    EXPECT_THAT(request(2), HasSubstr("Last-Event-ID: 8\r\n"));
}

TEST_F(streamable_http, a_stream_is_not_taken_up_without_end) {
    serve({events("id: 7\n\n"), events(""), events("")});
    options.most_resumptions = 2;
    carrier = make_http_transport(io.executor(), *http, options);
    asking = std::make_unique<peer>(io.executor(), *carrier, peer_options{});
    ASSERT_TRUE(io.run(asking->open()));

    EXPECT_EQ(ask().error().code, errc::ambiguous);
    EXPECT_EQ(server->requests().size(), 3u);
}

TEST_F(streamable_http, a_stream_without_a_place_to_take_up_is_ambiguous) {
    serve({events(": nothing\n\n")});

    EXPECT_EQ(ask().error().code, errc::ambiguous);
}

TEST_F(streamable_http, the_stateless_revision_repeats_the_message_in_headers) {
    serve({json_answer(result(1))});
    carrier->use_revision("2026-07-28");

    (void
    )ask("tools/call", {{"name", "wetter_\xC3\xA4"}}, {.headers = {{"Mcp-Param-Region", "eu"}}});

    EXPECT_THAT(request(0), HasSubstr("MCP-Protocol-Version: 2026-07-28\r\n"));
    EXPECT_THAT(request(0), HasSubstr("Mcp-Method: tools/call\r\n"));
    EXPECT_THAT(request(0), HasSubstr("Mcp-Name: =?base64?d2V0dGVyX8Ok?=\r\n"));
    EXPECT_THAT(request(0), HasSubstr("Mcp-Param-Region: eu\r\n"));
}

TEST_F(streamable_http, the_stateless_revision_cancels_by_closing_the_stream) {
    serve({std::string(tests::silence)});
    carrier->use_revision("2026-07-28");

    EXPECT_EQ(ask("tools/call", {}, {.timeout = 20ms}).error().code, errc::ambiguous);
    EXPECT_EQ(server->requests().size(), 1u) << "no notification";
}

TEST_F(streamable_http, an_error_object_in_a_refusal_is_the_answer) {
    serve({answer(
        "400 Bad Request",
        "",
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32022,"message":"no","data":{}}})"
    )});

    EXPECT_EQ(std::get<rpc_error>(ask().value()).code, rpc_code::unsupported_version);
}

TEST_F(streamable_http, statuses_become_errors) {
    struct row {
        std::string status;
        errc code;
    };
    row const rows[] = {
        {"202 Accepted", errc::invalid},
        {"400 Bad Request", errc::refused},
        {"401 Unauthorized", errc::unauthorized},
        {"403 Forbidden", errc::unauthorized},
        {"404 Not Found", errc::not_found},
        {"429 Too Many Requests", errc::rate_limited},
        {"500 Internal", errc::ambiguous},
        {"503 Unavailable", errc::unavailable},
        {"302 Found", errc::refused},
    };
    scripted_server::answers answers;
    for (auto const& row : rows) answers.push_back(answer(row.status, "Retry-After: 7\r\n", "<p>"));
    serve(std::move(answers));

    for (auto const& row : rows) {
        auto const outcome = ask();

        ASSERT_FALSE(outcome) << row.status;
        EXPECT_EQ(outcome.error().code, row.code) << row.status;
        if (row.code == errc::rate_limited) {
            EXPECT_EQ(outcome.error().retry_after, 7s);
        }
        EXPECT_THAT(outcome.error().detail, Not(HasSubstr("/mcp")));
    }
}

TEST_F(streamable_http, an_answer_that_is_no_message_is_invalid) {
    serve({json_answer("<html>"), events("data: x\n\n"), json_answer("")});

    EXPECT_EQ(ask().error().code, errc::invalid);
    EXPECT_EQ(ask().error().code, errc::invalid);
    EXPECT_EQ(ask().error().code, errc::ambiguous);
}

TEST_F(streamable_http, a_stream_may_be_longer_than_a_message) {
    options.limits.bytes = 300;
    std::string stream;
    for (int i = 0; i < 100; ++i)
        stream += data(R"({"jsonrpc":"2.0","method":"notifications/message"})");
    std::string const much(1000, 'x');
    serve(
        {events(stream + data(result(1))),
         events(data(R"({"jsonrpc":"2.0","method":")" + much + "\"}") + data(result(2))),
         json_answer(result(3) + much)}
    );

    EXPECT_TRUE(ask());
    EXPECT_THAT(notifications, testing::SizeIs(100));
    EXPECT_TRUE(ask()) << "one message that is too large is no reason to lose another";
    EXPECT_EQ(ask().error().code, errc::too_large) << "and so has an answer that is no stream";
}

TEST_F(streamable_http, an_answer_comes_behind_events_that_are_no_messages) {
    serve({events(data("x") + data(R"({"method":"of no version"})") + data(result(1)))});

    EXPECT_TRUE(ask());
}

TEST_F(streamable_http, an_answer_that_cannot_be_read_is_not_waited_for_any_longer) {
    serve({events("id: 7\n" + data(R"({"jsonrpc":"2.0","id":1,"error":"no object"})"))});

    EXPECT_EQ(ask().error().code, errc::invalid);
    EXPECT_EQ(server->requests().size(), 1u);
}

TEST_F(streamable_http, an_answer_to_what_may_act_leaves_it_in_doubt_where_it_cannot_be_used) {
    options.limits.bytes = 300;
    serve(
        {json_answer("<html>"),
         events("data: x\n\n"),
         accepted,
         json_answer(std::string(1000, 'x'))}
    );

    for (int i = 0; i < 4; ++i) {
        auto const outcome = ask("tools/call", {}, {.may_act = true});
        EXPECT_EQ(outcome.error().code, errc::ambiguous) << i;
        EXPECT_THAT(outcome.error().detail, Not(testing::IsEmpty())) << i;
    }
}

// Notes what it is to send.
class noting_client final : public net::http_client {
public:
    awaitable<base::result<net::http_answer>> send(net::http_call call) override {
        calls.push_back(std::move(call));
        co_return base::error(errc::unavailable);
    }
    void close() override {}

    std::vector<net::http_call> calls;
};

TEST_F(streamable_http, a_request_has_as_long_as_its_deadline_says) {
    noting_client noting;
    carrier = make_http_transport(io.executor(), noting, options);
    asking = std::make_unique<peer>(io.executor(), *carrier, peer_options{});
    ASSERT_TRUE(io.run(asking->open()));

    (void)ask("tools/call", {}, {.timeout = 3h, .total_timeout = 3h});

    ASSERT_EQ(noting.calls.size(), 1u);
    EXPECT_GT(noting.calls[0].total_timeout, 2h);
    EXPECT_GT(noting.calls[0].idle_timeout, 2h);
    io.run(asking->close());
    asking.reset();
    carrier.reset();
}

TEST_F(streamable_http, listens_where_the_server_lets_it) {
    serve(
        {events(
             "id: 3\n" + data(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})")
         ),
         answer("405 Method Not Allowed", "", "")}
    );

    carrier->listen();
    carrier->listen();
    io.context.restart();
    while (server->requests().size() < 2 && io.context.run_one_for(5s) > 0) {
    }

    EXPECT_THAT(notifications, ElementsAre("notifications/tools/list_changed"));
    EXPECT_THAT(request(1), HasSubstr("Last-Event-ID: 3\r\n"));
}

} // namespace
} // namespace postrider::agent::mcp::http_transport_test
