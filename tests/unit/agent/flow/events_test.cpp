// From what an observer is told to the events that watchers get.
#include "agent/flow/watch/events.hpp"
#include "tests/unit/agent/flow/small_flow.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::agent::flow::events_test {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

struct observed : testing::Test {
    definition const flow = tests::small_flow();
    std::chrono::microseconds now{0};
    tracer watching{flow, [this] { return now; }};
    queue::job_details record;
    queue::job_summary& job = record.job;

    observed() {
        job.created_at = "2026-11-21T09:00:00.000000Z";
        job.started_at = "2026-11-21T09:00:00.010000Z";
        job.state = "running";
    }

    node const& named(std::string_view id) const { return flow.nodes[*flow.find(id)]; }

    void record_step(std::string key, int begins, int ends, std::string outcome = "done") {
        queue::step_summary step;
        step.key = std::move(key);
        step.outcome = std::move(outcome);
        step.begins = begins * 1ms;
        step.took = (ends - begins) * 1ms;
        record.steps.push_back(std::move(step));
    }

    void up_to_the_tool() {
        watching.began();
        watching.node_started(named("start"), {{json::object{{"text", "2+2"}}}});
        watching.node_finished(named("start"), to_main({{"text", "2+2"}}), nullptr, {});
        watching.connection_used(flow.connections[0], 1);
        watching.node_started(named("assistant"), {{json::object{{"text", "2+2"}}}});
        now = 20ms;
        watching.node_reported(
            named("assistant"), "tool_called", {{"tool", "calculator"}, {"token", "x"}}
        );
        watching.connection_used(flow.connections[2], 1);
    }

    void to_the_end() {
        now = 30ms;
        watching.node_finished(
            named("assistant"), to_main({{"output", "4"}}), nullptr, {{"iterations", 2}}
        );
        watching.connection_used(flow.connections[1], 1);
        watching.node_started(named("reply"), {{json::object{{"output", "4"}}}});
        now = 40ms;
        base::error const refused(base::errc::refused, "the chat is gone");
        watching.node_finished(named("reply"), {}, &refused, {});
    }

    std::vector<event> events(std::int64_t behind = 0) {
        auto seen = watching;
        return events_of(flow, std::move(seen).take(), record, behind);
    }

    // "1 started", "- node_started", …
    std::vector<std::string> list() {
        std::vector<std::string> all;
        for (auto const& entry : events())
            all.push_back((entry.number ? std::to_string(entry.number) : "-") + " " + entry.type);
        return all;
    }
};

TEST_F(observed, execution_is_a_list_of_events) {
    up_to_the_tool();
    to_the_end();
    job.state = "failed";
    job.error_class = "refused";
    job.error = "The reply: the chat is gone";

    EXPECT_THAT(
        list(),
        ElementsAre(
            "1 started",
            "- node_started",
            "2 node_finished",
            "3 connection_used",
            "- node_started",
            "- tool_called",
            "4 connection_used",
            "5 node_finished",
            "6 connection_used",
            "- node_started",
            "7 node_finished",
            "8 failed"
        )
    );
}

TEST_F(observed, events_tell_where_and_what) {
    up_to_the_tool();
    to_the_end();
    auto const all = events();

    EXPECT_EQ(
        json::serialize(all[5].data),
        R"({"node":"assistant","name":"The assistant","detail":{"tool":"calculator","token":"•••"},"at_ms":2E1})"
    );
    EXPECT_EQ(
        json::serialize(all[6].data),
        R"({"connection":2,"kind":"ai_tool","from":"calculator","output":"tool","to":"assistant","input":"tools","items":1,"at_ms":2E1})"
    );
    EXPECT_EQ(all[7].data.at("state"), "done");
    EXPECT_EQ(json::serialize(all[7].data.at("metadata")), R"({"iterations":2})");
    EXPECT_EQ(json::serialize(all[7].data.at("items")), R"({"main":1})");
    EXPECT_EQ(all[10].data.at("state"), "failed");
    EXPECT_EQ(
        json::serialize(all[10].data.at("error")),
        R"({"code":"refused","message":"the chat is gone"})"
    );
}

TEST_F(observed, steps_stand_where_they_were_recorded) {
    record_step("now", 0, 1);
    record_step("assistant/model", 1, 12, "retry");
    record_step("assistant/model", 14, 20);
    record_step("assistant/tool:1", 20, 30);
    record_step("assistant/model~1", 0, 1);
    up_to_the_tool();
    auto const half = list();
    to_the_end();
    auto const all = list();

    EXPECT_THAT(
        std::vector(half.begin() + 4, half.end()),
        ElementsAre(
            "- node_started", "4 step", "5 step", "- tool_called", "6 connection_used", "7 step"
        )
    );
    EXPECT_THAT(
        std::vector(all.begin() + 9, all.end()),
        ElementsAre(
            "7 step", "8 node_finished", "9 connection_used", "- node_started", "10 node_finished"
        )
    );
    EXPECT_EQ(
        json::serialize(events()[5].data),
        R"({"node":"assistant","name":"The assistant","step":"model","attempt":1,"outcome":"retry","began_ms":1E0,"at_ms":1.2E1})"
    );
}

TEST_F(observed, numbers_stay_what_they_were) {
    std::vector<event> before;
    auto const compare = [&] {
        auto now_listed = events();
        std::erase_if(now_listed, [](auto const& entry) { return entry.number == 0; });
        ASSERT_GE(now_listed.size(), before.size());
        EXPECT_TRUE(std::equal(before.begin(), before.end(), now_listed.begin()));
        before = std::move(now_listed);
    };
    compare();
    up_to_the_tool();
    compare();
    job.state = "waiting";
    compare();
    job.state = "running";
    to_the_end();
    compare();
    job.state = "completed";
    compare();
    EXPECT_EQ(before.back().type, "done");
}

TEST_F(observed, what_is_known_is_left_out) {
    up_to_the_tool();
    to_the_end();
    job.state = "completed";
    auto const all = events();
    for (auto first = all.begin(); first != all.end(); ++first) {
        if (first->number == 0) continue;
        std::vector<event> const rest(first + 1, all.end());
        EXPECT_EQ(events(first->number), rest) << "behind " << first->number;
    }
}

TEST_F(observed, execution_that_waits_says_so) {
    up_to_the_tool();
    job.state = "waiting";
    job.waiting_for = "waits for an event";
    job.due_at = "2026-11-21T10:00:00.000000Z";

    auto const last = events().back();

    EXPECT_EQ(last.number, 0);
    EXPECT_EQ(last.type, "waiting");
    EXPECT_EQ(last.data.at("for"), "waits for an event");
    EXPECT_EQ(last.data.at("until"), "2026-11-21T10:00:00.000000Z");
}

TEST_F(observed, execution_that_did_not_begin_has_nothing_but_its_end) {
    job.started_at = "";
    job.state = "available";
    EXPECT_THAT(events(), IsEmpty());

    job.state = "cancelled";
    EXPECT_THAT(list(), ElementsAre("1 cancelled"));
}

TEST_F(observed, graph_that_begins_anew_is_traced_anew) {
    up_to_the_tool();
    watching.began();

    EXPECT_THAT(list(), ElementsAre("1 started"));
}

TEST_F(observed, nodes_have_what_came_in_and_what_went_out) {
    up_to_the_tool();
    auto seen = watching;
    auto const half = std::move(seen).take();
    to_the_end();
    auto const all = std::move(watching).take();

    EXPECT_EQ(half.nodes[0].state, node_state::done);
    EXPECT_EQ(half.nodes[1].state, node_state::running);
    EXPECT_EQ(half.nodes[2].state, node_state::not_reached);
    EXPECT_EQ(half.nodes[1].ended, std::nullopt);
    EXPECT_EQ(json::serialize(all.nodes[1].input.at(0).json), R"({"text":"2+2"})");
    EXPECT_EQ(json::serialize(all.nodes[1].output.at("main").at(0).json), R"({"output":"4"})");
    EXPECT_EQ(all.nodes[1].began, 0ms);
    EXPECT_EQ(all.nodes[1].ended, 30ms);
    EXPECT_EQ(all.nodes[2].state, node_state::failed);
    EXPECT_EQ(all.nodes[2].failure->code, base::errc::refused);
}

// A flow that is called tells of its own nodes, which this one does not have.
TEST_F(observed, nodes_of_other_flows_are_left_out) {
    auto const other = tests::small_flow();
    watching.node_started(other.nodes[0], {});
    watching.node_reported(other.nodes[0], "x", {});
    watching.connection_used(other.connections[0], 1);
    watching.node_finished(other.nodes[0], {}, nullptr, {});

    EXPECT_THAT(list(), ElementsAre("1 started"));
}

TEST(failure_event, says_what_tells_it_from_others_of_its_code) {
    EXPECT_EQ(
        json::serialize(to_json(base::error(base::errc::refused, "no stock", "stopped"))),
        R"({"code":"refused","message":"no stock","reason":"stopped"})"
    );
    EXPECT_EQ(
        json::serialize(to_json(base::error(base::errc::refused, "no"))),
        R"({"code":"refused","message":"no"})"
    );
}

} // namespace

} // namespace postrider::agent::flow::events_test
