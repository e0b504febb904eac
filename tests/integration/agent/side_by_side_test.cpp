// Calls of one answer that have a low risk, on the real engine and a real Postgres.
#include "agent/flow/catalog.hpp"
#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/parts/tools.hpp"
#include "tests/integration/queue/steps.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <optional>

namespace postrider::tests::side_by_side_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;
using testing::SizeIs;

auto const looking_agent = flow_builder("looking")
                               .trigger("In", "telegram.message")
                               .agent("Ask")
                               .part("Memory", "memory.window")
                               .part("Look", "tool.look")
                               .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
                               .text();

// The doors that looks go through, by place; a place without one is open.
struct places {
    std::map<std::string, latch*, std::less<>> doors;
    std::vector<std::string> begun;
};
places* around = nullptr;

base::awaitable<base::result<agent::tool_output>> look(
    agent::tool_context&, json::object arguments
) {
    std::string const place(arguments.at("place").as_string());
    around->begun.push_back(place);
    auto const door = around->doors.find(place);
    if (door != around->doors.end()) (void)co_await pass_through(*door->second);
    co_return agent::tool_output("seen " + place);
}

agent::risk risk_of(json::object const&, json::object const& arguments) {
    return arguments.at("place") == "outside" ? agent::risk::medium : agent::risk::low;
}

base::awaitable<base::result<flow::tool_part>> make_look(flow::part_run const&) {
    flow::offered_tool offered;
    offered.spec = {"look", "Looks.", {{"type", "object"}, {"required", json::array{"place"}}}};
    offered.kind = "tool.look";
    offered.risk = risk_of;
    offered.work = flow::tool_function(look);
    flow::tool_part part;
    part.tools.push_back(std::move(offered));
    co_return part;
}

// What they are is referred to by graphs.
flow::catalog const& types_and_look() {
    static auto const all = [] {
        auto types = flow::builtin_types();
        types.add(flow::read_node_type(
            R"({"name": "tool.look", "title": "Look", "description": "Looks."})",
            flow::part_of(flow::ai_tool, make_look)
        ));
        return types;
    }();
    return all;
}

std::shared_ptr<flow::graph const> looking_graph() {
    auto read = flow::read_definition(looking_agent);
    auto graph = flow::graph::compile(std::get<flow::definition>(read), types_and_look());
    return std::get<std::shared_ptr<flow::graph const>>(std::move(graph));
}

class side_by_side : public engine_fixture {
protected:
    side_by_side() { around = &places_; }
    ~side_by_side() override { around = nullptr; }

    // What a node's process has; the model and the chat are outside of it.
    struct server_process {
        node* engine_node = nullptr;
        std::optional<flow::node_services> services;
    };
    server_process& start(bool zombie = false) {
        auto& process = *processes_.emplace_back(std::make_unique<server_process>());
        auto run = [this, &process](queue::workflow& steps) {
            return flow::execute(*graph_, steps, *process.services, nobody_);
        };
        std::vector<queue::job_kind> kinds{{std::string(flow::turn_kind), run}};
        process.engine_node = zombie ? &w.start_zombie(kinds) : &w.start_node(kinds);
        process.services.emplace(assistant_services(
            *process.engine_node->quick,
            chat_,
            clock_,
            base::system_random(),
            {.model = &model, .max_tool_calls = 20}
        ));
        return process;
    }

    void ask(server_process& by, std::vector<std::string> const& looks) {
        std::vector<std::pair<std::string, json::object>> called;
        for (auto const& place : looks) called.push_back({"look", {{"place", place}}});
        model.script = {calls(std::move(called)), says("Seen.")};
        w.enqueue(
            *by.engine_node,
            w.make_lane("1:7:0"),
            std::string(flow::turn_kind),
            heard_in({bot_id{1}, chat_id{7}, {}})
        );
    }
    void until_over() { w.until("select state from postrider.job", "completed"); }

    std::vector<std::string> results() const {
        std::vector<std::string> texts;
        for (auto const& message : model.requests.at(1).messages)
            if (message.role == agent::role::tool) texts.push_back(message.content);
        return texts;
    }

    places places_;
    scripted_model model;

private:
    base::manual_clock clock_;
    recording_chat chat_;
    flow::observer nobody_;
    std::shared_ptr<flow::graph const> graph_ = looking_graph();
    std::vector<std::unique_ptr<server_process>> processes_;
};

// covers: S1.01
TEST_F(side_by_side, a_slow_call_holds_up_no_other_and_results_are_in_the_order_of_the_calls) {
    latch slow(w.io);
    places_.doors["cellar"] = &slow;
    auto& process = start();

    ask(process, {"cellar", "attic"});
    w.until(
        "select string_agg(key, ',') from postrider.step where key like '%tool:%'", "ask/tool:2"
    );
    slow.let_go();
    until_over();

    EXPECT_THAT(results(), ElementsAre("seen cellar", "seen attic"));
    EXPECT_EQ(
        w.value("select string_agg(content, ',' order by position) from postrider.message "
                "where role = 'tool'"),
        "seen cellar,seen attic"
    );
}

TEST_F(side_by_side, no_more_than_the_bound_run_at_once) {
    latch door(w.io);
    std::vector<std::string> looks;
    for (std::size_t i = 0; i < agent::bounds::calls_side_by_side + 2; ++i) {
        looks.push_back("room " + std::to_string(i));
        places_.doors[looks.back()] = &door;
    }
    auto& process = start();

    ask(process, looks);
    w.until([&] { return door.inside == static_cast<int>(agent::bounds::calls_side_by_side); });
    door.let_go();
    until_over();

    EXPECT_EQ(door.most_inside, static_cast<int>(agent::bounds::calls_side_by_side));
    EXPECT_THAT(results(), SizeIs(looks.size()));
}

// covers: S1.02
TEST_F(side_by_side, a_call_of_more_risk_waits_for_those_before_it_and_holds_up_those_behind_it) {
    latch slow(w.io);
    latch outside(w.io);
    places_.doors["cellar"] = &slow;
    places_.doors["outside"] = &outside;
    auto& process = start();

    ask(process, {"cellar", "attic", "outside", "garden", "hall"});
    w.until(
        "select string_agg(key, ',') from postrider.step where key like '%tool:%'", "ask/tool:2"
    );
    EXPECT_THAT(places_.begun, ElementsAre("cellar", "attic"));
    slow.let_go();
    w.until([&] { return outside.arrived == 1; });
    EXPECT_THAT(places_.begun, ElementsAre("cellar", "attic", "outside"));
    outside.let_go();
    until_over();

    EXPECT_THAT(places_.begun, ElementsAre("cellar", "attic", "outside", "garden", "hall"));
}

// It needs no approval then, and may change something all the same.
TEST_F(side_by_side, a_call_of_more_risk_that_the_operator_lets_pass_runs_alone) {
    latch outside(w.io);
    places_.doors["outside"] = &outside;
    auto& process = start();
    process.services->tools["look"].risk = agent::risk::low;

    ask(process, {"outside", "garden"});
    w.until([&] { return outside.arrived == 1; });
    EXPECT_THAT(places_.begun, ElementsAre("outside"));
    outside.let_go();
    until_over();

    EXPECT_THAT(places_.begun, ElementsAre("outside", "garden"));
}

// covers: E.08 E.09
TEST_F(side_by_side, a_process_that_dies_with_the_second_recorded_alone_is_followed_by_the_record) {
    latch stuck(w.io);
    places_.doors["cellar"] = &stuck;
    auto& first = start(true);
    ask(first, {"cellar", "attic"});
    w.until(
        "select string_agg(key, ',') from postrider.step where key like '%tool:%'", "ask/tool:2"
    );

    places_.doors.clear();
    start();
    w.silence_oldest();
    until_over();

    EXPECT_THAT(places_.begun, ElementsAre("cellar", "attic", "cellar"));
    EXPECT_THAT(results(), ElementsAre("seen cellar", "seen attic"));
    EXPECT_EQ(w.value("select error_class from postrider.job"), "");
    EXPECT_EQ(
        w.value("select string_agg(content, ',' order by position) from postrider.message "
                "where role = 'tool'"),
        "seen cellar,seen attic"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.audit where kind = 'tool_call'"), "2");
    stuck.let_go();
    w.until([&] { return first.engine_node->engine->counts().busy == 0; });
}

} // namespace
} // namespace postrider::tests::side_by_side_test
