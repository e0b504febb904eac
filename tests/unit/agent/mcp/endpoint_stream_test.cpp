// Servers of revision 2024-11-05, which are found out and used over HTTP+SSE.
#include "agent/mcp/client.hpp"
#include "agent/mcp/http_transport.hpp"
#include "tests/unit/agent/mcp/sse_server.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::mcp::endpoint_stream_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using testing::HasSubstr;
using testing::SizeIs;

class http_with_sse : public testing::Test {
protected:
    http_with_sse() {
        options.address = {server.origin(), "/sse"};
        make_client();
    }
    void make_client() {
        if (asking) io.run(asking->close());
        client_options its;
        its.call_timeout = 5s;
        asking = std::make_unique<client>(
            io.executor(),
            [this] { return make_http_transport(io.executor(), *http, options); },
            its
        );
    }
    ~http_with_sse() override {
        io.run(asking->close());
        http->close();
    }
    base::result<tool_result> call() { return io.run(asking->call_tool("echo", {})); }

    tests::loop io;
    tests::sse_server server{io};
    std::unique_ptr<net::http_client> http = net::make_http_client(io.executor());
    http_options options;
    std::unique_ptr<client> asking;
};

TEST_F(http_with_sse, is_found_where_the_handshake_cannot_be_posted) {
    options.headers = {{"Authorization", base::secret("Bearer t")}};

    auto const tools = io.run(asking->list_tools());

    ASSERT_TRUE(tools) << tools.error().detail;
    EXPECT_THAT(tools->tools, SizeIs(1));
    EXPECT_TRUE(call());
    EXPECT_EQ(asking->agreed()->revision, "2024-11-05");
    EXPECT_EQ(server.streams, 1);
    for (auto const& request : server.requests) {
        EXPECT_EQ(request.headers.find("Authorization"), "Bearer t") << request.method;
        EXPECT_EQ(request.query, request.method == "POST" ? "session_id=s-1" : "");
    }
    EXPECT_THAT(server.requests.at(2).body, HasSubstr("notifications/initialized"))
        << "what follows must not overtake it";
}

// The specification says any 4xx.
TEST_F(http_with_sse, is_found_where_the_refusal_is_an_error_of_the_protocol) {
    for (auto const* error :
         {R"({"code":-32000,"message":"Method not allowed."})",
          R"({"code":-32601,"message":"no"})"}) {
        server.refusal = R"({"jsonrpc":"2.0","id":null,"error":)" + std::string(error) + "}";
        make_client();

        EXPECT_TRUE(call()) << error;
        EXPECT_EQ(asking->agreed()->revision, "2024-11-05");
    }
}

TEST_F(http_with_sse, is_not_looked_for_where_the_refusal_is_of_a_newer_revision) {
    server.refusal =
        R"({"jsonrpc":"2.0","error":{"code":-32022,"message":"no","data":{"supported":["2025-06-18"]}}})";

    EXPECT_FALSE(call());
    EXPECT_EQ(server.streams, 0);
}

TEST_F(http_with_sse, leaves_its_refusals_words_where_no_stream_says_more) {
    options.endpoint_timeout = 30ms;
    server.endpoint = "";
    server.refusal =
        R"({"jsonrpc":"2.0","id":null,"error":{"code":-32602,"message":"no such client"}})";

    auto const outcome = call();

    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().detail, HasSubstr("no such client"));
}

TEST_F(http_with_sse, hears_of_changes_on_its_stream) {
    ASSERT_TRUE(io.run(asking->list_tools()));
    auto const before = asking->list_version();

    server.say(R"({"jsonrpc":"2.0","method":"notifications/tools/list_changed"})");
    ASSERT_TRUE(call());

    EXPECT_GT(asking->list_version(), before);
}

TEST_F(http_with_sse, posts_nothing_to_another_origin) {
    for (std::string const endpoint :
         {"http://localhost:1/messages",
          "https://127.0.0.1/messages",
          "//example.org/messages",
          "http://user@127.0.0.1/messages",
          "a b"}) {
        server.endpoint = endpoint;
        make_client();

        auto const outcome = call();

        ASSERT_FALSE(outcome) << endpoint;
        EXPECT_THAT(outcome.error().detail, HasSubstr("the server's endpoint")) << endpoint;
    }
    for (auto const& request : server.requests) EXPECT_EQ(request.method, "GET");
}

TEST_F(http_with_sse, waits_for_an_endpoint_for_a_while) {
    options.endpoint_timeout = 30ms;
    server.endpoint = "";

    auto const outcome = call();

    ASSERT_FALSE(outcome);
    EXPECT_THAT(outcome.error().detail, HasSubstr("names no endpoint"));
}

TEST_F(http_with_sse, a_stream_that_ends_leaves_a_call_in_doubt_and_is_opened_again) {
    ASSERT_TRUE(call());
    server.answer = [this](std::string const&, std::int64_t) {
        server.end_stream();
        return std::string();
    };

    EXPECT_EQ(call().error().code, errc::ambiguous);

    server.answer = tests::sse_server::answer_plainly;
    EXPECT_TRUE(call());
    EXPECT_EQ(server.streams, 2);
}

TEST_F(http_with_sse, a_session_that_is_gone_is_begun_again_once) {
    ASSERT_TRUE(call());
    server.forgets = 1;

    EXPECT_TRUE(call());
    EXPECT_EQ(server.streams, 2);
}

TEST_F(http_with_sse, ignores_answers_that_nobody_waits_for) {
    server.answer = [](std::string const& method, std::int64_t id) {
        auto const other = R"({"jsonrpc":"2.0","id":4711,"result":{}})";
        return other +
               ("\n\ndata: no message\n\ndata: " + tests::sse_server::answer_plainly(method, id));
    };

    EXPECT_TRUE(call());
    EXPECT_EQ(server.streams, 1);
}

TEST_F(http_with_sse, holds_each_event_to_the_limit_of_a_message) {
    options.limits.bytes = 64u << 10;
    auto const answer_with = [this](std::size_t size) {
        server.answer = [size](std::string const& method, std::int64_t id) {
            if (method != "tools/call") return tests::sse_server::answer_plainly(method, id);
            return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) +
                   R"(,"result":{"content":[{"type":"text","text":")" + std::string(size, 'x') +
                   R"("}]}})";
        };
    };

    answer_with(60u << 10);
    for (int i = 0; i < 3; ++i) EXPECT_TRUE(call()) << "a stream has no limit";
    answer_with(64u << 10);
    EXPECT_EQ(call().error().code, errc::ambiguous);
    answer_with(10);
    EXPECT_TRUE(call()) << "on another stream";
}

TEST_F(http_with_sse, a_server_with_neither_transport_is_told_by_its_answer_to_the_handshake) {
    options.address.path = "/nowhere";

    auto const outcome = call();

    EXPECT_EQ(outcome.error().code, errc::not_found);
    EXPECT_EQ(server.streams, 0);
}

} // namespace
} // namespace postrider::agent::mcp::endpoint_stream_test
