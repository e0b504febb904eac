#include "agent/mcp/client.hpp"
#include "agent/mcp/in_process.hpp"
#include "agent/mcp/server.hpp"
#include "tests/support/loop.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::mcp::server_test {
namespace {

using base::awaitable;
using testing::ElementsAre;
using testing::HasSubstr;

// Says who calls and what with.
awaitable<base::result<json::object>> echo(served_call call) {
    co_return json::object{
        {"caller", base::raw(call.caller)}, {"key", call.key}, {"arguments", call.arguments}};
}

awaitable<base::result<json::object>> refuse(served_call) {
    co_return base::error(base::errc::not_found, "There is no task 7.");
}

awaitable<base::result<json::object>> break_down(served_call) {
    throw std::runtime_error("secret words");
    co_return json::object();
}

tool_definition tool_of(std::string name) {
    tool_definition tool;
    tool.name = std::move(name);
    tool.description = "words";
    tool.input_schema = json::parse(R"({"type": "object", "properties": {"n": {"type": "integer"}},
        "additionalProperties": false})")
                            .as_object();
    tool.output_schema = json::object{{"type", "object"}};
    tool.annotations.read_only = true;
    return tool;
}

server_description description() {
    return {
        "fixture",
        "Fixture",
        "1.2",
        "Use with care.",
        {{tool_of("echo"), echo},
         {tool_of("refuse"), refuse},
         {tool_of("break_down"), break_down}}};
}

class mcp_server : public testing::Test {
protected:
    json::value answer(std::string_view text) {
        auto said = io.run(answer_text(serving, std::string(text), session));
        return said ? json::parse(to_text(*said)) : json::value(nullptr);
    }
    json::value ask(std::string_view method, std::string_view params = "{}") {
        return answer(
            R"({"jsonrpc": "2.0", "id": 1, "method": ")" + std::string(method) +
            R"(", "params": )" + std::string(params) + "}"
        );
    }
    // By the revision without a handshake.
    json::value ask_stateless(std::string_view method, json::object params = {}) {
        add_request_meta(params, {"test", "1"});
        return ask(method, json::serialize(params));
    }
    std::int64_t code_of(json::value const& failure) {
        return failure.at("error").at("code").as_int64();
    }
    void initialize(std::string revision = "2025-11-25") {
        ask("initialize", R"({"protocolVersion": ")" + revision + R"("})");
        EXPECT_EQ(session.revision, revision);
    }

    tests::loop io;
    server serving{description()};
    served_session session{user_id{7}};
};

TEST_F(mcp_server, agrees_on_a_revision_with_a_handshake) {
    for (auto const* revision : {"2025-06-18", "2025-11-25"}) {
        session.revision.clear();
        auto const said =
            ask("initialize", R"({"protocolVersion": ")" + std::string(revision) + R"("})");
        auto const& result = said.at("result");
        EXPECT_EQ(result.at("protocolVersion"), revision);
        EXPECT_EQ(result.at("serverInfo").at("name"), "fixture");
        EXPECT_EQ(result.at("instructions"), "Use with care.");
        EXPECT_TRUE(result.at("capabilities").at("tools").is_object());
        EXPECT_EQ(session.revision, revision);
    }
}

TEST_F(mcp_server, offers_its_newest_to_a_client_of_another_revision) {
    auto const said = ask("initialize", R"({"protocolVersion": "2024-11-05"})");
    EXPECT_EQ(said.at("result").at("protocolVersion"), "2025-11-25");
}

TEST_F(mcp_server, is_initialized_once_and_first) {
    EXPECT_EQ(code_of(ask("tools/list")), rpc_code::invalid_params);
    EXPECT_EQ(code_of(ask("initialize")), rpc_code::invalid_params);
    initialize();
    EXPECT_EQ(
        code_of(ask("initialize", R"({"protocolVersion": "2025-11-25"})")),
        rpc_code::invalid_request
    );
    EXPECT_TRUE(ask("tools/list").as_object().contains("result"));
}

TEST_F(mcp_server, tells_its_tools_with_schemas_and_hints) {
    initialize();
    auto const said = ask("tools/list");
    auto const page = read_tool_page(said.at("result")).value();
    ASSERT_EQ(page.tools.size(), 3U);
    EXPECT_EQ(page.tools[0].name, "echo");
    EXPECT_TRUE(page.tools[0].annotations.read_only);
    EXPECT_TRUE(page.tools[0].output_schema);
    EXPECT_EQ(page.next_cursor, "");
    EXPECT_FALSE(said.at("result").as_object().contains("resultType"));

    EXPECT_EQ(code_of(ask("tools/list", R"({"cursor": "x"})")), rpc_code::invalid_params);
}

// covers: S2.04
TEST_F(mcp_server, calls_a_tool_for_the_authenticated_caller) {
    initialize();
    auto const said = ask("tools/call", R"({"name": "echo", "arguments": {"n": 1}})");
    auto const& result = said.at("result");
    EXPECT_EQ(result.at("structuredContent").at("caller"), 7);
    EXPECT_EQ(result.at("structuredContent").at("arguments").at("n"), 1);
    EXPECT_EQ(result.at("isError"), false);
    EXPECT_EQ(
        json::parse(result.at("content").at(0).at("text").as_string()),
        result.at("structuredContent")
    ) << "the text repeats the structure";
}

TEST_F(mcp_server, passes_the_key_of_a_call) {
    initialize();
    auto const call = [&](std::string const& key) {
        return ask("tools/call", R"({"name": "echo", "_meta": {"postrider/key": )" + key + "}}");
    };
    EXPECT_EQ(call(R"("job 4")").at("result").at("structuredContent").at("key"), "job 4");
    EXPECT_EQ(code_of(call("7")), rpc_code::invalid_params);
    EXPECT_EQ(code_of(call(R"("")")), rpc_code::invalid_params);
    EXPECT_EQ(code_of(call('"' + std::string(201, 'k') + '"')), rpc_code::invalid_params);
}

TEST_F(mcp_server, tells_the_model_what_failed) {
    initialize();
    auto const failed = read_tool_result(ask("tools/call", R"({"name": "refuse"})").at("result"));
    EXPECT_TRUE(failed.value().is_error);
    EXPECT_EQ(std::get<text_content>(failed.value().content.at(0)).text, "There is no task 7.");
    EXPECT_EQ(failed.value().error_class, base::errc::not_found)
        << "which no client reads in words";

    auto const unfit = ask("tools/call", R"({"name": "echo", "arguments": {"user_id": 8}})");
    EXPECT_EQ(unfit.at("result").at("isError"), true);
    EXPECT_THAT(
        std::string(unfit.at("result").at("content").at(0).at("text").as_string()),
        HasSubstr("user_id")
    );
}

TEST_F(mcp_server, tells_the_client_what_is_wrong_with_its_message) {
    initialize();
    EXPECT_EQ(code_of(answer("{")), rpc_code::parse_error);
    EXPECT_EQ(code_of(answer("[]")), rpc_code::invalid_request) << "no revision here has batches";
    EXPECT_EQ(code_of(answer("7")), rpc_code::invalid_request);
    EXPECT_EQ(code_of(ask("tools/list", "[]")), rpc_code::invalid_params);
    EXPECT_EQ(code_of(ask("resources/list")), rpc_code::method_not_found);
    EXPECT_EQ(code_of(ask("server/discover")), rpc_code::invalid_params);
    EXPECT_EQ(code_of(ask("tools/call", R"({"name": "none"})")), rpc_code::invalid_params);
    EXPECT_EQ(code_of(ask("tools/call", R"({"name": 7})")), rpc_code::invalid_params);
    EXPECT_EQ(
        code_of(ask("tools/call", R"({"name": "echo", "arguments": []})")), rpc_code::invalid_params
    );
}

TEST_F(mcp_server, keeps_the_words_of_its_own_defects_to_itself) {
    initialize();
    auto const said = ask("tools/call", R"({"name": "break_down"})");
    EXPECT_EQ(code_of(said), rpc_code::internal_error);
    EXPECT_EQ(said.at("error").at("message"), "internal error");
}

TEST_F(mcp_server, answers_neither_notifications_nor_answers) {
    EXPECT_TRUE(answer(R"({"jsonrpc": "2.0", "method": "notifications/initialized"})").is_null());
    EXPECT_TRUE(answer(R"({"jsonrpc": "2.0", "id": 4, "result": {}})").is_null());
}

TEST_F(mcp_server, answers_a_ping_at_any_time_but_to_a_client_without_handshake) {
    EXPECT_TRUE(ask("ping").at("result").as_object().empty());
    EXPECT_EQ(code_of(ask_stateless("ping")), rpc_code::method_not_found);
    EXPECT_EQ(
        code_of(ask_stateless("initialize", {{"protocolVersion", "2025-11-25"}})),
        rpc_code::method_not_found
    );
}

TEST_F(mcp_server, needs_no_handshake_where_a_request_names_its_revision) {
    auto const said = ask_stateless("server/discover");
    auto const& discovery = said.at("result");
    EXPECT_EQ(
        discovery.at("supportedVersions"), (json::array{"2026-07-28", "2025-11-25", "2025-06-18"})
    );
    EXPECT_EQ(discovery.at("resultType"), "complete");
    EXPECT_EQ(discovery.at("cacheScope"), "public");
    EXPECT_GT(discovery.at("ttlMs").as_int64(), 0);
    auto const& meta = discovery.at("_meta");
    EXPECT_EQ(meta.at("io.modelcontextprotocol/serverInfo").at("version"), "1.2");

    auto const list = ask_stateless("tools/list").at("result");
    EXPECT_TRUE(read_tool_page(list).value().fresh_for);
    EXPECT_EQ(list.at("resultType"), "complete");

    auto const call = ask_stateless("tools/call", {{"name", "echo"}}).at("result");
    EXPECT_EQ(call.at("resultType"), "complete");
    EXPECT_EQ(session.revision, "") << "nothing is kept";
}

TEST_F(mcp_server, refuses_a_revision_that_it_does_not_speak) {
    auto const said =
        ask("tools/list",
            R"({"_meta": {"io.modelcontextprotocol/protocolVersion": "2031-01-01",
                      "io.modelcontextprotocol/clientCapabilities": {}}})");
    EXPECT_EQ(code_of(said), rpc_code::unsupported_version);
    EXPECT_EQ(said.at("error").at("data").at("requested"), "2031-01-01");
    EXPECT_EQ(said.at("error").at("data").at("supported").at(0), "2026-07-28");

    auto const lacking =
        ask("tools/list",
            R"({"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}})");
    EXPECT_EQ(code_of(lacking), rpc_code::invalid_params);
}

// Our own client, by every revision.
// covers: X.08
TEST_F(mcp_server, serves_a_client_of_its_own_process) {
    for (auto const* revision : {"", "2026-07-28", "2025-11-25", "2025-06-18"}) {
        client_options its;
        its.handshake.identity = {"postrider", "1"};
        its.handshake.revision = revision;
        client asking(
            io.executor(),
            [&] { return make_in_process_transport(io.executor(), serving, {user_id{7}}); },
            its
        );
        auto const list = io.run(asking.list_tools());
        ASSERT_TRUE(list) << to_string(list.error());
        EXPECT_EQ(list->tools.size(), 3U);
        auto const expected = *revision ? std::string(revision) : "2026-07-28";
        EXPECT_EQ(asking.agreed()->revision, expected);

        auto const result =
            io.run(asking.call_tool("echo", {{"n", 3}}, {}, {{std::string(call_key_member), "k"}}));
        ASSERT_TRUE(result) << to_string(result.error());
        EXPECT_EQ(result->structured->at("arguments").at("n"), 3);
        EXPECT_EQ(result->structured->at("key"), "k");
        EXPECT_EQ(result->structured->at("caller"), 7);
        EXPECT_TRUE(io.run(asking.call_tool("refuse", {}))->is_error);
        io.run(asking.close());
    }
}

TEST_F(mcp_server, tells_which_calls_may_change_something) {
    auto changing = description();
    changing.tools[1].definition.annotations.read_only = false;
    server const other{changing};
    auto const tool_in = [&](std::string method, json::object params) {
        return other.changing_tool({request_id{1}, std::move(method), std::move(params)});
    };
    EXPECT_EQ(tool_in("tools/call", {{"name", "refuse"}}), "refuse");
    EXPECT_EQ(tool_in("tools/call", {{"name", "echo"}}), "");
    EXPECT_EQ(tool_in("tools/call", {{"name", "none"}}), "");
    EXPECT_EQ(tool_in("tools/call", {}), "");
    EXPECT_EQ(tool_in("tools/list", {{"name", "refuse"}}), "");
}

TEST_F(mcp_server, refuses_schemas_that_are_none) {
    auto broken = description();
    broken.tools[0].definition.input_schema = {{"type", 7}};
    EXPECT_THROW(server{broken}, std::invalid_argument);
}

} // namespace
} // namespace postrider::agent::mcp::server_test
