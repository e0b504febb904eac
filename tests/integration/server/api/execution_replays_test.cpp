// Executions that are done again: replayed through another version, or tried with another model.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/failing_database.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::execution_replays_test {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class api_execution_replays : public testing::Test {
protected:
    api_execution_replays() { world.database.execute(executions); }

    api_world world;
};

TEST_F(api_execution_replays, are_replayed_at_no_cost) {
    auto const same = world.post("/api/v1/executions/51/replay").body;
    auto const other = world.post("/api/v1/executions/51/replay", R"({"version": 5})").body;
    auto const pinned = world
                            .post(
                                "/api/v1/executions/52/replay",
                                R"({"pinned": {"Ask": [{"event": {"name": "Eve"}}]}})"
                            )
                            .body;

    EXPECT_EQ(same.at("state").as_string(), "completed");
    EXPECT_THAT(same.at("departures").at("unasked").as_array(), IsEmpty());
    EXPECT_EQ(other.at("state").as_string(), "completed");
    EXPECT_EQ(
        boost::json::serialize(other.at("departures")), R"({"missing":[],"unasked":["ask/event"]})"
    );
    EXPECT_EQ(
        other.at("nodes").at(1).at("outputs").at("main").at(0).at("name").as_string(), "nobody"
    );
    EXPECT_EQ(pinned.at("state").as_string(), "completed");
    EXPECT_EQ(
        pinned.at("nodes").at(2).at("outputs").at("main").at(0).at("name").as_string(), "Eve"
    );
    EXPECT_EQ(world.executions_here.chat.given, 0);
    EXPECT_EQ(world.database.value("select count(*) from postrider.step where job_id > 50"), "1");
}

TEST_F(api_execution_replays, are_replayed_through_a_document) {
    auto const departing = world
                               .post("/api/v1/executions/51/replay", R"({"document": {
        "format": 1, "name": "greeting",
        "nodes": [{"id": "start", "name": "Start", "type": "manual"},
                  {"id": "again", "name": "Again", "type": "wait", "parameters": {"event": "x"}}],
        "connections": [{"from": "start", "to": "again"}]}})")
                               .body;
    auto const wrong = world.post("/api/v1/executions/51/replay", R"({"document": {"format": 1}})");

    EXPECT_EQ(departing.at("state").as_string(), "unfinished");
    EXPECT_EQ(
        boost::json::serialize(departing.at("departures")),
        R"({"missing":["again/event"],"unasked":["ask/event"]})"
    );
    EXPECT_EQ(wrong.status, 422);
    EXPECT_EQ(wrong.code(), "invalid_flow");
    EXPECT_EQ(world.post("/api/v1/executions/51/replay", R"({"version": 4})").status, 404);
    EXPECT_EQ(world.post("/api/v1/executions/51/replay", R"({"version": 3000000000})").status, 404);
    EXPECT_EQ(
        world.post("/api/v1/executions/51/replay", R"({"version": 3, "document": {}})").status, 400
    );
}

// A large one would hold up every chat.
// 51 of version 3 is over, and so is 53 of version 5, which asks nothing.
TEST_F(api_execution_replays, are_replayed_together_before_a_draft_is_published) {
    auto const draft = [&](std::string const& event, std::string const& field) {
        flow_builder greeting("greeting");
        greeting.trigger("Start", "manual")
            .node("Ask", "wait", {{"event", event}})
            .node("Note", "set", {{"fields", {{field, "{{ $json.event.name }}"}}}});
        world.database.execute(
            "update postrider.flow set draft = '" + greeting.text() + "' where name = 'greeting'"
        );
    };
    auto const replayed = [&](std::string body = "") {
        return world.post("/api/v1/flows/greeting/replays", std::move(body));
    };

    draft("reply", "name");
    auto const same = replayed().body;
    auto const newest = replayed(R"({"last": 1})").body;
    draft("reply", "other");
    auto const changed = replayed().body;
    draft("paid", "name");
    auto const redefined = replayed().body;

    ASSERT_EQ(same.at("replays").as_array().size(), 2u) << same;
    auto const& of_51 = same.at("replays").at(1);
    EXPECT_EQ(of_51.at("job_id").as_int64(), 51);
    EXPECT_EQ(of_51.at("version").as_int64(), 3);
    EXPECT_EQ(of_51.at("result").as_string(), "same") << of_51;
    EXPECT_TRUE(of_51.at("node").is_null());
    auto const& of_53 = same.at("replays").at(0);
    EXPECT_EQ(of_53.at("result").as_string(), "changed") << of_53;
    EXPECT_EQ(of_53.at("reason").as_string(), "asks") << of_53;
    EXPECT_EQ(of_53.at("node").at("name").as_string(), "Ask");
    EXPECT_EQ(same.at("same").as_int64(), 1);
    EXPECT_EQ(same.at("changed").as_int64(), 1);
    EXPECT_EQ(newest.at("replays").as_array().size(), 1u);
    EXPECT_EQ(changed.at("replays").at(1).at("reason").as_string(), "output") << changed;
    EXPECT_EQ(changed.at("replays").at(1).at("node").at("id").as_string(), "note");
    EXPECT_EQ(redefined.at("replays").at(1).at("reason").as_string(), "definition") << redefined;
    EXPECT_EQ(world.executions_here.chat.given, 0);
    EXPECT_EQ(replayed(R"({"last": 21})").status, 400);
    EXPECT_EQ(replayed(R"({"version": 4})").status, 404);
    EXPECT_EQ(world.post("/api/v1/flows/nobody/replays").status, 404);
    world.database.execute("update postrider.flow set draft = '{}' where name = 'greeting'");
    EXPECT_EQ(replayed().code(), "invalid_flow");
}

TEST_F(api_execution_replays, are_replayed_through_a_document_that_the_loop_does_not_read) {
    failing_database database{base::errc::unavailable};
    api::call asked{.request = {}, .by = {}, .db = database, .name = {}};
    asked.request.method = "POST";
    asked.request.body = "no JSON";
    auto const endpoints = world.executions_here.endpoints();
    auto const replay = std::ranges::find(
        endpoints, "/api/v1/executions/{id}/replay", [](auto& endpoint) { return endpoint.pattern; }
    );

    auto const answer = world.io.run(replay->handle(std::move(asked)));

    EXPECT_EQ(answer.status, 503) << "400 is for whoever has read it";
}

// 55: an agent of a draft that called a tool and answered.
constexpr auto answered = R"sql(
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at, state, kind, input)
values (55, 1, 9, 0, '2026-11-21T10:04:00Z', '2026-11-21T10:04:01Z', '2026-11-21T10:04:05Z', 'completed', 'flow',
        '{"flow": "greeting", "version": 0, "data": {"text": "hi"}, "document": {"format": 1, "name": "greeting",
          "nodes": [{"id": "start", "name": "Start", "type": "manual"},
                    {"id": "ask", "name": "Ask", "type": "agent"},
                    {"id": "model", "name": "Model", "type": "model"},
                    {"id": "sum", "name": "Sum", "type": "tool.calculator"}],
          "connections": [{"from": "start", "to": "ask"}, {"type": "ai_model", "from": "model", "to": "ask"},
                          {"type": "ai_tool", "from": "sum", "to": "ask"}]}}');
insert into postrider.step (job_id, attempt, seq, started_at, ended_at, node_id, key, outcome, result)
values (55, 1, 1, '2026-11-21T10:04:01Z', '2026-11-21T10:04:02Z', 3, 'ask/model', 'done',
        '{"text": "", "stop": "tool_calls", "model": "big", "usage": {"input": 10, "output": 2},
          "calls": [{"id": "c1", "name": "calculator", "arguments": {"expression": "1+1"}}]}'),
       (55, 1, 2, '2026-11-21T10:04:02Z', '2026-11-21T10:04:03Z', 3, 'ask/tool:1', 'done', '{"text": "2"}'),
       (55, 1, 3, '2026-11-21T10:04:03Z', '2026-11-21T10:04:04Z', 3, 'ask/model#2', 'done',
        '{"text": "It is 2.", "stop": "end", "model": "big", "usage": {"input": 20, "output": 4}}');
)sql";

// covers: X.14
TEST_F(api_execution_replays, are_tried_with_another_model_and_compared) {
    world.database.execute(answered);

    auto const started = world.post(
        "/api/v1/executions/55/trials", R"({"model": "cheap", "system_prompt": "Be kind."})"
    );

    ASSERT_EQ(started.status, 201) << boost::json::serialize(started.body);
    auto const trial = std::to_string(started.body.at("job_id").as_int64());
    EXPECT_EQ(started.body.at("original").as_int64(), 55);
    auto const input = world.get("/api/v1/jobs/" + trial).body.at("input");
    EXPECT_TRUE(input.at("silent").as_bool());
    EXPECT_EQ(input.at("trial").at("calls").at(0).at("tool").as_string(), "calculator");
    EXPECT_EQ(
        world.database.value("select count(*) from postrider.step where job_id = " + trial), "0"
    ) << "the agent runs anew";
    EXPECT_TRUE(world.get("/api/v1/executions/" + trial).body.at("trial").as_bool());

    auto const both = world.get("/api/v1/executions/" + trial + "/comparison").body;
    EXPECT_EQ(both.at("original").at("text").as_string(), "It is 2.");
    EXPECT_EQ(both.at("original").at("model").as_string(), "big");
    EXPECT_EQ(both.at("original").at("calls").at(0).at("result").as_string(), "2");
    EXPECT_TRUE(both.at("trial").at("text").is_null());
    EXPECT_EQ(both.at("trial").at("state").as_string(), "available");
}

TEST_F(api_execution_replays, are_tried_only_where_an_agent_ran) {
    world.database.execute(answered);

    EXPECT_EQ(
        world.post("/api/v1/executions/51/trials", R"({"model": "cheap"})").code(), "no_agent"
    );
    EXPECT_EQ(world.post("/api/v1/executions/55/trials", "{}").status, 400);
    EXPECT_EQ(world.post("/api/v1/executions/99/trials", R"({"model": "cheap"})").status, 404);
    EXPECT_EQ(world.get("/api/v1/executions/55/comparison").code(), "no_trial");
    EXPECT_EQ(world.get("/api/v1/executions/99/comparison").status, 404);
}

} // namespace
} // namespace postrider::tests::execution_replays_test
