#include "tests/integration/agent/approvals_world.hpp"

#include "agent/flow/catalog.hpp"
#include "agent/flow/nodes/read_node_type.hpp"
#include "agent/flow/parts/tools.hpp"
#include "tests/integration/agent/message_unit.hpp"
#include "tests/support/flow_builder.hpp"

namespace postrider::tests {

using namespace std::chrono_literals;

removal state;

namespace {

flow_builder silent_agent(json::object parameters = {}) {
    return flow_builder("careful")
        .trigger("In", "telegram.message")
        .agent("Ask", std::move(parameters))
        .part("Remove", "tool.remove");
}

base::awaitable<base::result<agent::tool_output>> remove(
    agent::tool_context&, json::object arguments
) {
    state.removed.emplace_back(arguments.at("path").as_string());
    co_return agent::tool_output("removed");
}

agent::risk risk_of(json::object const&, json::object const& arguments) {
    return arguments.at("path") == json::value(state.harmless) ? agent::risk::medium
                                                               : agent::risk::high;
}

base::awaitable<base::result<flow::tool_part>> make_remove(flow::part_run const&) {
    flow::offered_tool offered;
    offered.spec = {
        "remove",
        state.description,
        {{"type", "object"},
         {"required", json::array{"path"}},
         {"properties", json::object{{"path", state.path}}}}};
    offered.kind = "tool.remove";
    offered.risk = risk_of;
    offered.effect_class = queue::effect_class::at_most_once;
    offered.work = flow::tool_function(remove);
    flow::tool_part part;
    part.tools.push_back(std::move(offered));
    co_return part;
}

flow::catalog const& types() {
    static auto const all = [] {
        auto types = flow::builtin_types();
        types.add(flow::read_node_type(
            R"({"name": "tool.remove", "title": "Remove", "description": "Removes files."})",
            flow::part_of(flow::ai_tool, make_remove)
        ));
        return types;
    }();
    return all;
}

} // namespace

std::shared_ptr<flow::graph const> compiled_with_remove(std::string_view document) {
    auto read = flow::read_definition(document);
    auto graph = flow::graph::compile(std::get<flow::definition>(read), types());
    return std::get<std::shared_ptr<flow::graph const>>(std::move(graph));
}

std::shared_ptr<flow::graph const> careful_graph(json::object agent) {
    return compiled_with_remove(silent_agent(std::move(agent))
                                    .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
                                    .text());
}

std::shared_ptr<flow::graph const> silent_graph(json::object agent) {
    return compiled_with_remove(silent_agent(std::move(agent)).text());
}

void approvals::say(std::string text, std::optional<user_id> from, json::object changed) {
    queue::new_job turn;
    turn.lane = lane_;
    turn.kind = std::string(flow::turn_kind);
    turn.input = heard_in({bot_id{1}, chat_id{7}, {}});
    if (from) turn.input.at("user") = base::raw(*from);
    for (auto const& [name, value] : changed) turn.input.as_object()[name] = value;
    storage::message_row message;
    message.content = std::move(text);
    auto unit = std::make_shared<message_unit>(std::move(turn), std::move(message));
    w.io.run(engine_node_->intake->commit(unit, 5s)).value();
    engine_node_->engine->wake();
}

} // namespace postrider::tests
