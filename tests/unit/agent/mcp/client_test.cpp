#include "agent/mcp/client.hpp"
#include "agent/mcp/stdio_transport.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>

namespace postrider::agent::mcp::client_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using base::errc;
using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> names_of(tool_list const& list) {
    std::vector<std::string> names;
    for (auto const& tool : list.tools) names.push_back(tool.name);
    return names;
}

// Asks the misbehaving server of tests/support.
class mcp_client : public testing::Test {
protected:
    mcp_client() {
        std::signal(SIGPIPE, SIG_IGN);
        options.handshake.identity = {"postrider", "1"};
        options.reconnection.delay = 1h;
    }
    void start(std::string mode) {
        auto factory = [this, mode]() {
            ++starts;
            stdio_options its;
            its.command.program = tests::built("mcp_server");
            its.command.arguments = {mode};
            its.grace = 20ms;
            return make_stdio_transport(io.executor(), std::move(its));
        };
        server = std::make_unique<client>(io.executor(), std::move(factory), options);
    }
    base::result<tool_result> call(std::string tool = "echo", json::object arguments = {}) {
        return io.run(server->call_tool(std::move(tool), std::move(arguments)));
    }
    base::result<tool_list> list() { return io.run(server->list_tools()); }
    std::string text_of(base::result<tool_result> const& result) {
        return std::get<text_content>(result.value().content.at(0)).text;
    }
    void TearDown() override {
        if (server) io.run(server->close());
    }

    tests::loop io;
    client_options options;
    int starts = 0;
    std::unique_ptr<client> server;
};

TEST_F(mcp_client, connects_when_it_is_asked_and_lists_all_pages) {
    start("");
    EXPECT_EQ(starts, 0);
    EXPECT_FALSE(server->agreed());

    EXPECT_THAT(names_of(list().value()), ElementsAre("echo", "environment", "limits"));
    EXPECT_EQ(text_of(call("echo", {{"a", 1}})), R"({"a":1})");

    EXPECT_EQ(starts, 1);
    EXPECT_EQ(server->agreed()->revision, "2025-11-25");
    EXPECT_EQ(server->agreed()->server_name, "fixture");
    EXPECT_EQ(server->agreed()->instructions, "Use with care.");
}

TEST_F(mcp_client, speaks_the_revision_without_a_handshake) {
    start("modern");

    EXPECT_THAT(names_of(list().value()), ElementsAre("echo", "environment", "limits"));
    EXPECT_EQ(server->agreed()->revision, "2026-07-28");
}

TEST_F(mcp_client, asks_for_the_revision_that_is_configured) {
    options.handshake.revision = "2025-06-18";
    start("");
    EXPECT_TRUE(call());
    EXPECT_EQ(server->agreed()->revision, "2025-06-18");

    io.run(server->close());
    options.handshake.revision = "2026-07-28";
    start("");
    EXPECT_THAT(call().error().detail, HasSubstr("2026-07-28"));
}

TEST_F(mcp_client, speaks_older_revisions_with_servers_that_know_no_other) {
    for (std::string const revision : {"2024-11-05", "2025-03-26"}) {
        start(revision);
        EXPECT_THAT(names_of(list().value()), ElementsAre("echo", "environment", "limits"));
        EXPECT_TRUE(call());
        EXPECT_EQ(server->agreed()->revision, revision);
        io.run(server->close());
    }
}

TEST_F(mcp_client, refuses_a_server_that_speaks_unknown_revisions_only) {
    start("2023-01-01");
    testing::internal::CaptureStderr();

    auto const refused = call();

    auto const log = testing::internal::GetCapturedStderr();
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, errc::refused);
    EXPECT_THAT(log, HasSubstr("mcp.unavailable"));
    EXPECT_THAT(log, testing::Not(HasSubstr(refused.error().detail)))
        << "it may be the server's own words";
}

TEST_F(mcp_client, greets_a_server_that_dies_of_being_asked_for_its_revisions) {
    start("dies_of_questions");

    EXPECT_TRUE(call());
    EXPECT_EQ(starts, 2);
}

TEST_F(mcp_client, gives_up_on_a_server_that_never_answers) {
    options.handshake.probe_timeout = 50ms;
    options.handshake.timeout = 50ms;
    start("silent");

    EXPECT_EQ(call().error().code, errc::unavailable) << "nothing was called";
    auto const again = call();
    EXPECT_EQ(again.error().code, errc::unavailable);
    EXPECT_GT(again.error().retry_after.value_or(0ms), 1min) << "not at every call";
    EXPECT_EQ(starts, 1);
}

TEST_F(mcp_client, does_not_know_what_became_of_a_call_without_an_answer) {
    options.call_timeout = 50ms;
    start("never_calls");

    EXPECT_EQ(call().error().code, errc::ambiguous);
    EXPECT_TRUE(list()) << "the connection lives on";
    EXPECT_EQ(starts, 1);
}

TEST_F(mcp_client, does_not_know_what_became_of_a_call_whose_answer_cannot_be_used) {
    for (auto const* mode : {"deep", "no_utf8", "no_result", "huge"}) {
        start(mode);
        auto const result = call();
        EXPECT_EQ(result.error().code, errc::ambiguous) << mode;
        EXPECT_NE(result.error().detail, "") << mode;
        io.run(server->close());
    }
}

TEST_F(mcp_client, starts_a_server_that_died_again_at_once_then_after_a_delay) {
    start("dies");
    testing::internal::CaptureStderr();

    EXPECT_EQ(call().error().code, errc::ambiguous);
    EXPECT_EQ(call().error().code, errc::ambiguous);
    EXPECT_EQ(starts, 2);
    EXPECT_EQ(call().error().code, errc::unavailable);
    EXPECT_EQ(starts, 2);

    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("mcp.lost"));
}

TEST_F(mcp_client, copes_with_answers_that_come_twice_or_among_garbage_or_in_a_flood) {
    for (auto const* mode : {"twice", "garbage", "flood", "asks_back"}) {
        start(mode);
        EXPECT_EQ(text_of(call()), "{}") << mode;
        EXPECT_EQ(text_of(call()), "{}") << mode;
        EXPECT_EQ(list().value().tools.size(), 3u) << mode;
        io.run(server->close());
    }
}

TEST_F(mcp_client, takes_no_answer_that_is_meant_for_another_request) {
    start("wrong_ids");

    EXPECT_THAT(names_of(list().value()), ElementsAre("echo", "environment", "limits"));
    EXPECT_EQ(text_of(call("echo", {{"a", 1}})), R"({"a":1})");
}

TEST_F(mcp_client, bounds_lists_that_have_no_end) {
    start("page_loop");
    EXPECT_THAT(names_of(list().value()), ElementsAre("a1", "a2")) << "the same cursor again";
    io.run(server->close());

    options.most_pages = 7;
    start("page_flood");
    EXPECT_EQ(list().error().code, errc::too_large);
    io.run(server->close());

    options.most_pages = 100;
    options.most_tools = 7;
    start("page_flood");
    EXPECT_EQ(list().error().code, errc::too_large);
}

TEST_F(mcp_client, notices_that_a_list_has_changed) {
    start("changing");
    auto const before = list().value();
    EXPECT_EQ(before.version, server->list_version());

    (void)call();

    EXPECT_GT(server->list_version(), before.version);
    EXPECT_NE(list().value().tools[0].description, before.tools[0].description);
}

TEST_F(mcp_client, tells_what_a_server_says_of_a_bad_call) {
    start("");

    auto const result = call("no_such_tool");

    EXPECT_EQ(result.error().code, errc::invalid);
    EXPECT_THAT(result.error().detail, HasSubstr("unknown tool"));
}

TEST_F(mcp_client, reports_a_program_that_is_not_there) {
    auto factory = [this]() {
        stdio_options its;
        its.command.program = "/no/such/server";
        return make_stdio_transport(io.executor(), std::move(its));
    };
    server = std::make_unique<client>(io.executor(), factory, options);

    EXPECT_EQ(call().error().code, errc::refused);
}

awaitable<void> call_echo(client& server, std::optional<errc>& code) {
    json::object arguments;
    auto const result = co_await server.call_tool("echo", std::move(arguments));
    if (!result) code = result.error().code;
}

TEST_F(mcp_client, can_be_closed_while_it_connects) {
    start("silent");
    base::task_group tasks{io.executor()};
    std::optional<errc> code;
    tasks.spawn("ask", call_echo(*server, code));
    io.context.restart();
    io.context.poll();

    io.run(server->close());
    io.run(tasks.join());

    EXPECT_EQ(code, errc::cancelled);
}

TEST_F(mcp_client, does_not_know_what_became_of_a_call_that_it_was_closed_in) {
    start("never_calls");
    ASSERT_TRUE(list());
    base::task_group tasks{io.executor()};
    std::optional<errc> code;
    tasks.spawn("ask", call_echo(*server, code));
    io.context.restart();
    io.context.poll();

    io.run(server->close());
    io.run(tasks.join());

    EXPECT_EQ(code, errc::ambiguous);
}

} // namespace
} // namespace postrider::agent::mcp::client_test
