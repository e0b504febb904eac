// The node mcp.call, with servers that are real child processes.
#include "tests/unit/agent/flow/flows_chapter.hpp"
#include "tests/unit/agent/flow/mcp_tools_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::mcp_call_node_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::Contains;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class mcp_call_node : public mcp_tools_world {
protected:
    void begin_calling(json::object parameters, std::string server) {
        parameters["server"] = server;
        begin_with(
            flow_builder("calling")
                .trigger("In", "manual")
                .node("Call", "mcp.call", std::move(parameters))
                .text(),
            {server}
        );
    }
    std::string result(json::object data = {}) {
        auto const outcome = w->run(std::move(data));
        if (outcome.state != queue::job_state::completed) return to_string(outcome.error);
        return flow_world::ended(outcome);
    }
};

// covers: X.23
TEST_F(mcp_call_node, calls_a_tool_with_arguments_of_the_item_and_once) {
    begin_calling({{"tool", "echo"}, {"arguments", {{"path", "{{ $json.path }}"}}}}, "files");

    EXPECT_EQ(result({{"path", "/a"}}), R"([{"text":"{\"path\":\"/a\"}"}])");
    EXPECT_EQ(w->record.effects.at("call/call").kind, "mcp.files");
    EXPECT_EQ(w->record.effects.at("call/call").effect_class, queue::effect_class::at_most_once);
    result();
    EXPECT_THAT(w->log, Not(Contains("effect call/call")));
}

TEST_F(mcp_call_node, that_only_reads_is_no_effect) {
    begin_calling({{"tool", "echo"}, {"when_interrupted", "read"}}, "pictures");

    EXPECT_THAT(result(), HasSubstr(R"("media":[{"type":"image/png","base64":"AAEC"})"));
    EXPECT_TRUE(w->record.effects.empty());
}

struct bad_call {
    std::string server;
    std::string_view tool;
};

TEST_F(mcp_call_node, fails_where_the_server_does) {
    bad_call const cases[]{
        {"files", "delete"}, {"dies", "echo"}, {"huge", "echo"}, {"missing", "echo"}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.server);
        begin_calling({{"tool", entry.tool}}, entry.server);
        EXPECT_THAT(result(), HasSubstr(": Call: "));
    }
    begin_calling({{"tool", "echo"}}, "files");
    configure({});
    EXPECT_THAT(result(), StartsWith("not_found"));
}

struct long_run {
    std::chrono::seconds first_call;
    std::string_view result;
    std::size_t calls;
};

TEST_F(mcp_call_node, begins_no_call_after_an_hour) {
    long_run const cases[]{
        {1h, "Call: all calls together take longer than 1h", 1},
        {1h - 1s, R"([{"text":"{\"path\":\"/a\"}"},{"text":"{\"path\":\"/b\"}"}])", 2}};
    for (auto const& entry : cases) {
        SCOPED_TRACE(entry.first_call.count());
        start_takes = entry.first_call;
        begin_with(
            flow_builder("calling")
                .trigger("In", "manual")
                .node("Split", "items.split", {{"list", "{{ $json.paths }}"}})
                .node(
                    "Call",
                    "mcp.call",
                    {{"server", "files"},
                     {"tool", "echo"},
                     {"arguments", {{"path", "{{ $json.value }}"}}}}
                )
                .text(),
            {"files"}
        );

        EXPECT_THAT(result({{"paths", json::array{"/a", "/b"}}}), HasSubstr(entry.result));
        EXPECT_EQ(w->record.effects.size(), entry.calls);
    }
}

// covers: X.23
TEST_F(mcp_call_node, runs_the_example_of_the_document) {
    begin_with(chapter_example("Tools of MCP servers"), {"files"});

    EXPECT_EQ(result({{"path", "/notes.txt"}}), R"([{"length":21}])");
}

} // namespace
} // namespace postrider::tests::mcp_call_node_test
