// A kind of part that only this test has, and a part that hangs on a part.
#include "agent/flow/catalog.hpp"
#include "agent/flow/validate/validate.hpp"
#include "agent/flow/watch/parts_trace.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::part_kind_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using namespace std::chrono_literals;
using testing::AllOf;
using testing::Contains;
using testing::Field;
using testing::IsEmpty;

flow_builder shelved() {
    return flow_builder("shelved")
        .trigger("In", "scratch.ring")
        .agent("Ask")
        .part("Notes", "memory.shelved")
        .after("Notes");
}

flow_builder with_shelf() {
    return shelved().part("Shelf", "shelf.scratch", {{"text", "About {{ $json.text }}"}});
}

std::vector<flow::problem> problems_of(flow_builder const& of) {
    return flow::examine(of.text(), flow::builtin_types()).problems;
}

TEST(part_kind, of_a_part_is_made_with_the_item_of_its_host) {
    flow_world w(with_shelf().text());
    w.model.script = {says("Under the mat")};

    w.run(json::object{{"text", "keys"}});

    EXPECT_EQ(w.model.requests.at(0).messages.at(0).content, "About keys");
}

TEST(part_kind, is_known_to_the_validator_by_the_ports_of_types) {
    EXPECT_THAT(problems_of(with_shelf()), IsEmpty());
    EXPECT_THAT(
        problems_of(shelved()),
        Contains(AllOf(
            Field(&flow::problem::code, "missing_connection"), Field(&flow::problem::node, "Notes")
        ))
    );
}

TEST(part_kind, refuses_parts_of_another_kind) {
    auto const wrong = shelved().part("Clock", "tool.current_time");
    EXPECT_THAT(problems_of(wrong), Contains(Field(&flow::problem::code, "unknown_input")));
}

TEST(part_kind, of_a_part_is_seen_to_be_used) {
    auto const graph = compiled(with_shelf().text());
    auto const& of = graph->flow();
    flow::retraced seen;
    seen.seen.nodes.resize(of.nodes.size());
    seen.seen.nodes[*of.find("Ask")].began = 1ms;
    queue::job_details record;
    auto& reply = record.steps.emplace_back();
    reply.key = "ask/model";
    reply.outcome = "done";

    flow::add_parts(seen, *graph, record);

    EXPECT_EQ(seen.seen.nodes[*of.find("Shelf")].state, flow::node_state::used);
}

} // namespace
} // namespace postrider::tests::part_kind_test
