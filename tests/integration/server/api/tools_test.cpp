// Tools, their servers, and the consent to changed definitions.
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::tools_test {
namespace {

using namespace std::chrono_literals;
using testing::SizeIs;

constexpr auto served_tools = R"sql(
insert into postrider.mcp_tool (server, tool, digest, definition, offered_digest, offered, offered_at) values
    ('files', 'list', 'd1', '{"name": "list", "description": "Lists", "inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": true}}', null, null, null),
    ('files', 'remove', 'd2', '{"name": "remove", "inputSchema": {"type": "object"}}', 'abc1', '{"name": "remove", "title": "Gone", "inputSchema": {"type": "object"}}', postrider.now()),
    ('mail', 'send', 'd3', '{"name": "send", "inputSchema": {"type": "object"}}', 'abc2', '{"name": "send", "title": "x", "inputSchema": {"type": "object"}}', postrider.now());
insert into postrider.refused_tool (model, tool, reason) values ('default', 'files_list', 'too deep');
)sql";

std::map<std::string, boost::json::object> tools_by_name(api_world& world, std::string query = "") {
    auto const answer = world.get("/api/v1/tools?limit=200" + query);
    EXPECT_EQ(answer.status, 200);
    std::map<std::string, boost::json::object> all;
    for (auto const& tool : answer.body.at("tools").as_array())
        all[std::string(tool.at("name").as_string())] = tool.as_object();
    return all;
}

// covers: X.13
TEST(api_tools, have_the_risk_that_a_call_has_in_the_end) {
    api_world world;
    world.database.execute(served_tools);

    auto const tools = tools_by_name(world);

    auto const& calculator = tools.at("calculator");
    EXPECT_EQ(calculator.at("risk").as_string(), "high") << "the configuration says so";
    EXPECT_EQ(calculator.at("own_risk").as_string(), "low");
    EXPECT_EQ(calculator.at("configured_risk").as_string(), "high");
    EXPECT_TRUE(tools.at("http_request").at("risk").is_null()) << "it depends on the method";
    auto const& list = tools.at("files_list");
    EXPECT_EQ(list.at("risk").as_string(), "low");
    EXPECT_EQ(list.at("state").as_string(), "offered");
    EXPECT_EQ(list.at("refused_by").at(0).at("model").as_string(), "default");
    auto const& removal = tools.at("files_remove");
    EXPECT_EQ(removal.at("risk").as_string(), "high");
    EXPECT_EQ(removal.at("state").as_string(), "changed");
    EXPECT_EQ(removal.at("change").at("offered").at("title").as_string(), "Gone");
}

TEST(api_tools, are_read_page_by_page_across_both_sources) {
    api_world world;
    world.database.execute(served_tools);
    auto const all = tools_by_name(world);
    std::vector<std::string> names;
    std::string cursor;
    do {
        auto const page = world.get("/api/v1/tools?limit=4" + cursor).body;
        for (auto const& tool : page.at("tools").as_array())
            names.emplace_back(tool.at("name").as_string());
        auto const* next = page.as_object().if_contains("next");
        cursor = next ? "&cursor=" + std::string(next->as_string()) : "";
    } while (!cursor.empty() && names.size() < 100);

    EXPECT_EQ(names.size(), all.size());
    EXPECT_EQ(std::set<std::string>(names.begin(), names.end()).size(), all.size());
    EXPECT_THAT(tools_by_name(world, "&server=files"), SizeIs(2));
    EXPECT_THAT(tools_by_name(world, "&source=mcp"), SizeIs(3));
    EXPECT_EQ(tools_by_name(world, "&source=own").count("files_list"), 0u);
}

TEST(api_tools, of_servers_come_with_the_state_of_the_server) {
    api_world world;
    world.database.execute("insert into postrider.mcp_tool (server, tool, digest, definition) "
                           "values ('absent', 'x', 'd', '{\"name\": \"x\"}')");

    auto const idle = world.get("/api/v1/mcp-servers").body.at("servers").at(0).as_object();
    world.ask_tool_server("absent");
    auto const failing = world.get("/api/v1/mcp-servers").body.at("servers").at(0).as_object();

    EXPECT_EQ(idle.at("name").as_string(), "absent");
    EXPECT_EQ(idle.at("state").as_string(), "not_connected");
    EXPECT_EQ(idle.at("transport").as_string(), "program");
    EXPECT_EQ(idle.at("known_tools").as_int64(), 1);
    EXPECT_EQ(failing.at("state").as_string(), "failing");
    EXPECT_FALSE(failing.at("failure").is_null());
    EXPECT_FALSE(failing.at("failing_since").is_null());
    EXPECT_THAT(
        world.get("/api/v1/mcp-servers?cursor=absent").body.at("servers").as_array(), SizeIs(0)
    );
}

// covers: X.13
TEST(api_tools, are_accepted_as_they_were_looked_at) {
    api_world world;
    world.database.execute(served_tools);
    auto const accept = [&](std::string const& server, std::string body) {
        return world.post("/api/v1/mcp-servers/" + server + "/accept", std::move(body));
    };

    EXPECT_EQ(
        accept("files", R"({"tool": "remove", "digest": "zzz"})").code(), "definition_changed"
    );
    EXPECT_EQ(accept("files", R"({"tool": "list"})").code(), "not_found");
    EXPECT_EQ(accept("none", "").code(), "not_found");
    auto const done = accept("files", R"({"tool": "remove", "digest": "abc1"})");

    EXPECT_EQ(done.status, 200);
    EXPECT_EQ(done.body.at("accepted").at(0).at("tool").as_string(), "remove");
    EXPECT_EQ(tools_by_name(world).at("files_remove").at("title").as_string(), "Gone");
    EXPECT_EQ(tools_by_name(world).at("mail_send").at("state").as_string(), "changed");
    EXPECT_EQ(accept("mail", "").status, 200) << "all of its tools";
}

TEST(api_tools, name_the_mistakes_of_a_request) {
    api_world world;

    for (auto const* target :
         {"tools?source=other",
          "tools?limit=0",
          "tools?cursor=x",
          "tools?risk=low",
          "mcp-servers?limit=x"})
        EXPECT_EQ(world.get(std::string("/api/v1/") + target).status, 400) << target;
    EXPECT_EQ(world.post("/api/v1/mcp-servers/files/accept", R"({"tool": 7})").status, 400);
    EXPECT_EQ(world.post("/api/v1/mcp-servers/files/accept", R"({"all": true})").status, 400);
}

TEST(api_tools, are_looked_at_by_operators_and_accepted_by_owners) {
    api_world world;
    world.database.execute(served_tools);
    auto const user = world.make_token("user");
    auto const reader = world.make_token("reader");
    auto const accept = "/api/v1/mcp-servers/files/accept";

    EXPECT_EQ(world.ask("GET", "/api/v1/tools", "", user).status, 403);
    EXPECT_EQ(world.ask("GET", "/api/v1/tools", "", reader).status, 200);
    EXPECT_EQ(world.ask("GET", "/api/v1/mcp-servers", "", reader).status, 200);
    EXPECT_EQ(world.ask("POST", accept, "", reader).status, 403);
    EXPECT_EQ(world.ask("POST", accept, "", user).status, 403);
    EXPECT_EQ(
        world.database.value("select count(*) from postrider.mcp_tool where offered is not null"),
        "2"
    );
}

} // namespace
} // namespace postrider::tests::tools_test
