#include "agent/mcp/client.hpp"
#include "tests/unit/agent/mcp/streamable_http.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::mcp::http_transport_test {
namespace {

using namespace http_world;
using namespace std::chrono_literals;
using base::errc;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using tests::scripted_server;

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

} // namespace
} // namespace postrider::agent::mcp::http_transport_test
