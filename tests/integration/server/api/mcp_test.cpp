// POST /mcp through a real socket: sessions, headers, and our own client.
#include "agent/mcp/client.hpp"
#include "agent/mcp/http_transport.hpp"
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::mcp_test {
namespace {

namespace json = boost::json;
namespace mcp = agent::mcp;
using testing::ElementsAre;
using testing::HasSubstr;

std::string request_text(std::string_view method, json::object params = {}) {
    return json::serialize(json::object{
        {"jsonrpc", "2.0"}, {"id", 1}, {"method", method}, {"params", params}});
}

class mcp_endpoint : public testing::Test {
protected:
    // The session's id.
    std::string initialize(
        std::string const& token = api_world::owner, std::string revision = "2025-11-25"
    ) {
        auto const text = request_text("initialize", {{"protocolVersion", revision}});
        auto const answer = world.ask("POST", "/mcp", text, token);
        EXPECT_EQ(answer.status, 200);
        EXPECT_EQ(answer.body.at("result").at("protocolVersion"), revision.c_str());
        return std::string(answer.headers.find("Mcp-Session-Id"));
    }
    api_answer post(
        net::header_list headers,
        std::string text = request_text("tools/list"),
        std::string const& token = api_world::owner
    ) {
        return world.ask_with(std::move(headers), "POST", "/mcp", std::move(text), token);
    }
    // By the revision without a handshake.
    api_answer post_stateless(
        std::string method, json::object params, std::string const& token = api_world::owner
    ) {
        mcp::add_request_meta(params, {"test", "1"});
        net::header_list headers{{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", method}};
        if (auto const* name = params.if_contains("name"))
            headers.add("Mcp-Name", std::string(name->as_string()));
        return post(std::move(headers), request_text(method, params), token);
    }
    api_answer call(
        std::string const& token, std::string const& tool, json::object arguments = {}
    ) {
        return post_stateless("tools/call", {{"name", tool}, {"arguments", arguments}}, token);
    }
    std::int64_t code_of(api_answer const& answer) {
        return answer.body.at("error").at("code").as_int64();
    }
    std::string token_of(std::int64_t user) {
        json::object const token{{"user_id", user}, {"role", "user"}};
        auto const answer = world.post("/api/v1/tokens", json::serialize(token));
        return std::string(answer.body.at("token").as_string());
    }

    api_world world;
};

// covers: S2.03
TEST_F(mcp_endpoint, holds_a_session_of_a_revision_with_a_handshake) {
    for (auto const* revision : {"2025-06-18", "2025-11-25"}) {
        auto const id = initialize(api_world::owner, revision);
        ASSERT_FALSE(id.empty());
        net::header_list const session{{"Mcp-Session-Id", id}, {"MCP-Protocol-Version", revision}};

        auto const noted =
            post(session, R"({"jsonrpc": "2.0", "method": "notifications/initialized"})");
        EXPECT_EQ(noted.status, 202);
        auto const list = post(session);
        EXPECT_EQ(list.status, 200);
        EXPECT_EQ(list.body.at("result").at("tools").as_array().size(), 6U);
        EXPECT_EQ(post(session, request_text("ping")).status, 200);

        EXPECT_EQ(world.ask_with(session, "DELETE", "/mcp").status, 204);
        EXPECT_EQ(post(session).status, 404) << "so that the client begins another";
        EXPECT_EQ(world.ask_with(session, "DELETE", "/mcp").status, 404);
    }
}

TEST_F(mcp_endpoint, refuses_what_is_no_session_of_the_caller) {
    auto const id = initialize();
    EXPECT_EQ(post({}).status, 400);
    EXPECT_EQ(post({{"Mcp-Session-Id", "x"}}).status, 404);
    EXPECT_EQ(post({{"Mcp-Session-Id", std::string(21, 'x')}}).status, 404);
    auto const other = token_of(8);
    EXPECT_EQ(post({{"Mcp-Session-Id", id}}, request_text("tools/list"), other).status, 404);
    EXPECT_EQ(post({{"Mcp-Session-Id", id}, {"MCP-Protocol-Version", "2025-06-18"}}).status, 400);
    EXPECT_EQ(world.ask("DELETE", "/mcp").status, 400);
    EXPECT_EQ(post({{"Mcp-Session-Id", id}}).status, 200);
}

TEST_F(mcp_endpoint, needs_no_session_where_the_request_names_its_revision) {
    auto const answer = post_stateless("server/discover", {});
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.at("result").at("resultType"), "complete");
    EXPECT_EQ(answer.headers.count("Mcp-Session-Id"), 0U);

    auto const unknown = post_stateless("resources/list", {});
    EXPECT_EQ(unknown.status, 404);
    EXPECT_EQ(code_of(unknown), mcp::rpc_code::method_not_found);
    EXPECT_EQ(post_stateless("ping", {}).status, 404);
    EXPECT_EQ(post_stateless("initialize", {{"protocolVersion", "2025-11-25"}}).status, 404);

    net::header_list const stateless{{"MCP-Protocol-Version", "2026-07-28"}};
    auto const nameless = post(stateless);
    EXPECT_EQ(nameless.status, 400);
    EXPECT_EQ(code_of(nameless), mcp::rpc_code::invalid_params);
    EXPECT_EQ(world.ask_with(stateless, "DELETE", "/mcp").status, 405);
}

TEST_F(mcp_endpoint, compares_headers_with_the_message) {
    json::object params{{"name", "list_todo_tasks"}};
    mcp::add_request_meta(params, {"test", "1"});
    auto const text = request_text("tools/call", params);
    auto const refused = [&](net::header_list headers) {
        auto const answer = post(std::move(headers), text);
        EXPECT_EQ(answer.status, 400);
        EXPECT_EQ(code_of(answer), mcp::rpc_code::header_mismatch);
    };
    refused({});
    refused({{"MCP-Protocol-Version", "2026-07-28"}});
    refused({{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/list"}});
    refused({{"MCP-Protocol-Version", "2026-07-28"}, {"Mcp-Method", "tools/call"}});
    refused(
        {{"MCP-Protocol-Version", "2026-07-28"},
         {"Mcp-Method", "tools/call"},
         {"Mcp-Name", "get_todo_task"}}
    );
    auto const encoded = post(
        {{"MCP-Protocol-Version", "2026-07-28"},
         {"Mcp-Method", "tools/call"},
         {"Mcp-Name", "=?base64?bGlzdF90b2RvX3Rhc2tz?="}},
        text
    );
    EXPECT_EQ(encoded.status, 200);
}

TEST_F(mcp_endpoint, tells_which_revisions_it_speaks) {
    json::object params{
        {"_meta",
         {{"io.modelcontextprotocol/protocolVersion", "2031-01-01"},
          {"io.modelcontextprotocol/clientCapabilities", json::object()}}}};
    auto const answer = post(
        {{"MCP-Protocol-Version", "2031-01-01"}, {"Mcp-Method", "tools/list"}},
        request_text("tools/list", params)
    );
    EXPECT_EQ(answer.status, 400);
    EXPECT_EQ(code_of(answer), mcp::rpc_code::unsupported_version);
    EXPECT_EQ(answer.body.at("error").at("data").at("supported").at(0), "2026-07-28");
}

TEST_F(mcp_endpoint, refuses_what_is_no_message) {
    for (auto const* text : {"{", "[]", "7", R"({"jsonrpc": "2.0"})", ""})
        EXPECT_EQ(post({}, text).status, 400) << text;
    EXPECT_EQ(post({}, R"({"jsonrpc": "2.0", "method": "notifications/x"})").status, 202);
    EXPECT_EQ(post({{"Content-Type", "text/plain"}}).status, 415);
    EXPECT_EQ(post({{"Accept", "text/html"}}).status, 406);
    EXPECT_EQ(post({}, std::string(300'000, ' ')).status, 413);
}

TEST_F(mcp_endpoint, has_no_stream_to_get) {
    auto const answer =
        world.send("GET", "/mcp", {{"Authorization", std::string("Bearer ") + api_world::owner}});
    EXPECT_EQ(answer.status, 405);
    EXPECT_THAT(std::string(answer.headers.find("Allow")), HasSubstr("POST"));
}

TEST_F(mcp_endpoint, is_not_for_pages_of_other_hosts) {
    auto const text = request_text("initialize", {{"protocolVersion", "2025-11-25"}});
    for (auto const* origin : {"http://evil.example", "null", "http://localhost.evil.example"})
        EXPECT_EQ(post({{"Origin", origin}}, text).code(), "foreign_origin") << origin;
    for (auto const* origin : {"http://localhost:6274", "http://127.0.0.1"})
        EXPECT_EQ(post({{"Origin", origin}}, text).status, 200) << origin;
}

// covers: S2.04
TEST_F(mcp_endpoint, shows_each_person_their_own_tasks) {
    auto const ann = token_of(7);
    auto const bob = token_of(8);
    auto const created = call(ann, "create_todo_task", {{"title", "milk"}});
    EXPECT_EQ(created.body.at("result").at("structuredContent").at("task_id"), 1);

    auto const list = call(bob, "list_todo_tasks");
    EXPECT_EQ(list.body.at("result").at("structuredContent").at("total"), 0);
    for (auto const* tool : {"get_todo_task", "complete_todo_task", "delete_todo_task"})
        EXPECT_EQ(
            call(bob, tool, {{"task_id", 1}}).body.at("result").at("content").at(0).at("text"),
            "There is no task 1."
        );
    auto const disguised = call(bob, "get_todo_task", {{"task_id", 1}, {"user_id", 7}});
    EXPECT_EQ(disguised.body.at("result").at("isError"), true);
    EXPECT_EQ(
        call(ann, "get_todo_task", {{"task_id", 1}})
            .body.at("result")
            .at("structuredContent")
            .at("completed"),
        false
    );
}

TEST_F(mcp_endpoint, keeps_the_tasks_of_the_owners_token_for_the_person_it_acts_as) {
    call(api_world::owner, "create_todo_task", {{"title", "milk"}});

    EXPECT_EQ(world.database.value("select user_id from postrider.task"), "500");
}

TEST_F(mcp_endpoint, keeps_no_tasks_for_nobody) {
    auto const token = token_of(7);
    world.database.execute("update postrider.token set user_id = 0");

    auto const refused = call(token, "create_todo_task", {{"title", "milk"}});

    EXPECT_EQ(refused.status, 403);
    EXPECT_EQ(refused.code(), "forbidden");
    EXPECT_THAT(std::string(refused.body.at("detail").as_string()), HasSubstr("POSTRIDER_OWNERS"));
    EXPECT_EQ(world.database.value("select count(*) from postrider.task"), "0");
}

// covers: X.08 S2.03
TEST_F(mcp_endpoint, serves_our_own_client_by_every_revision) {
    auto const http = net::make_http_client(world.io.executor());
    auto const token = token_of(7);
    for (auto const* revision : {"", "2026-07-28", "2025-11-25", "2025-06-18"}) {
        mcp::http_options options;
        options.address = net::parse_base_url("http://" + world.address() + "/mcp").value();
        options.headers.emplace_back("Authorization", base::secret("Bearer " + token));
        mcp::client_options its;
        its.handshake.identity = {"postrider", "1"};
        its.handshake.revision = revision;
        mcp::client asking(
            world.io.executor(),
            [&] { return mcp::make_http_transport(world.io.executor(), *http, options); },
            its
        );
        auto const list = world.io.run(asking.list_tools());
        ASSERT_TRUE(list) << to_string(list.error());
        EXPECT_EQ(list->tools.size(), 6U);
        EXPECT_TRUE(list->dropped.empty());

        json::object const meta{{std::string(mcp::call_key_member), "one step"}};
        auto const created =
            world.io.run(asking.call_tool("create_todo_task", {{"title", "milk"}}, {}, meta));
        ASSERT_TRUE(created) << to_string(created.error());
        EXPECT_EQ(created->structured->at("task_id"), 1) << "the key makes one task of all these";
        auto const missing = world.io.run(asking.call_tool("get_todo_task", {{"task_id", 99}}));
        EXPECT_TRUE(missing->is_error);
        world.io.run(asking.close());
    }
    EXPECT_EQ(world.database.value("select count(*) from postrider.task"), "1");
    EXPECT_EQ(world.database.value("select count(*) from postrider.mcp_session"), "0")
        << "a client that closes ends its session";
    http->close();
}

TEST_F(mcp_endpoint, tells_that_the_database_is_away) {
    auto const id = initialize();
    world.lose_database();

    auto const answer = call(api_world::owner, "list_todo_tasks");
    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.at("result").at("isError"), true);
    EXPECT_EQ(post({{"Mcp-Session-Id", id}}).status, 503);
}

} // namespace
} // namespace postrider::tests::mcp_test
