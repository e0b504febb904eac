// Streams of events of Streamable HTTP: taken up again, closed, and listened to.
#include "tests/unit/agent/mcp/streamable_http.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::mcp::http_stream_test {
namespace {

using namespace http_world;
using namespace std::chrono_literals;
using base::errc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

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

// The next request waits for the one connection.
TEST_F(streamable_http, a_stream_that_goes_on_behind_its_answer_is_closed) {
    options.grace = 1ms;
    std::string const unreadable = R"({"jsonrpc":"2.0","id":2,"error":"no object"})";
    serve_connections(
        {{open_events(data(result(1)))},
         {open_events("id: 7\n" + data(unreadable))},
         {events("id: 8\ndata:\n\n"), open_events(data(result(3)))},
         {events(data(result(4)))}}
    );

    EXPECT_TRUE(ask("tools/list", {}, {.timeout = 5s}));
    EXPECT_EQ(ask("tools/list", {}, {.timeout = 5s}).error().code, errc::invalid);
    EXPECT_TRUE(ask("tools/list", {}, {.timeout = 5s})) << "on a stream that is taken up again";
    EXPECT_TRUE(ask("tools/list", {}, {.timeout = 5s}));

    EXPECT_EQ(server->requests().size(), 5u);
    EXPECT_EQ(server->connections(), 4u);
}

TEST_F(streamable_http, an_answer_that_is_too_large_fails_its_call_at_once) {
    options.grace = 1ms;
    options.limits.bytes = 300;
    std::string const much(10'000, 'x');
    auto const id_first = R"({"jsonrpc":"2.0","id":1,"result":{"text":")" + much + "\"}}";
    auto const id_last = R"({"result":{"text":")" + much + R"("},"jsonrpc":"2.0","id":2})";
    serve_connections(
        {{open_events("id: 7\n" + data(id_first))},
         {open_events("id: 8\n" + data(id_last))},
         {events("id: 9\n" + data(id_last))}}
    );

    EXPECT_EQ(ask("tools/list", {}, {.timeout = 5s}).error().code, errc::too_large);
    EXPECT_EQ(ask("tools/list", {}, {.timeout = 5s}).error().code, errc::too_large);
    auto const in_doubt = ask("tools/call", {}, {.timeout = 5s, .may_act = true});
    EXPECT_EQ(in_doubt.error().code, errc::ambiguous);
    EXPECT_THAT(in_doubt.error().detail, HasSubstr("too large"));
    EXPECT_EQ(server->requests().size(), 3u) << "no stream is taken up again";
}

TEST_F(streamable_http, an_answer_that_cannot_be_read_is_not_waited_for_any_longer) {
    serve({events("id: 7\n" + data(R"({"jsonrpc":"2.0","id":1,"error":"no object"})"))});

    EXPECT_EQ(ask().error().code, errc::invalid);
    EXPECT_EQ(server->requests().size(), 1u);
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

TEST_F(
    streamable_http, asks_again_for_a_stream_whose_server_is_away_but_not_for_one_that_is_a_page
) {
    net::http_answer const page{200, {{"Content-Type", "text/html"}}, "<p>"};
    noting_client noting;
    options.resume_delay = 1ms;
    noting.answers = {{502, {}, "<p>"}, page};
    carrier = make_http_transport(io.executor(), noting, options);
    asking = std::make_unique<peer>(io.executor(), *carrier, peer_options{});
    ASSERT_TRUE(io.run(asking->open()));

    carrier->listen();
    io.context.restart();
    while (noting.calls.size() < 3 && io.context.run_one_for(5s) > 0) {
    }

    ASSERT_THAT(noting.calls, SizeIs(2));
    EXPECT_EQ(noting.calls[1].method, "GET");
    io.run(asking->close());
    asking.reset();
    carrier.reset();
}

} // namespace
} // namespace postrider::agent::mcp::http_stream_test
