#include "agent/flow/node_type.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/parts/tools.hpp"

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// The model is to give these as well.
void add_from_ai(json::object& schema, std::vector<from_ai_call> const& calls) {
    if (calls.empty()) return;
    if (!schema["properties"].is_object()) schema["properties"].emplace_object();
    if (!schema["required"].is_array()) schema["required"].emplace_array();
    // Both are there by now: a member that is added may move the others.
    auto& properties = schema["properties"].get_object();
    auto& required = schema["required"].get_array();
    for (auto const& call : calls) {
        properties[call.key] = json::object{{"type", call.type}, {"description", call.description}};
        required.push_back(json::value(call.key));
    }
}

// What the model gave, and over it what the node says.
base::result<json::object> input_of(
    base::result<json::object> const& parameters, json::object const& arguments
) {
    if (!parameters) return parameters.error();
    auto input = arguments;
    if (auto const* fixed_input = parameters->if_contains("input");
        fixed_input && fixed_input->is_object())
        for (auto const& [name, value] : fixed_input->get_object()) input[name] = value;
    return input;
}

base::awaitable<base::result<tool_part>> make_flow_tool(part_run& run) {
    auto const& settings = run.parameters;
    offered_tool offered;
    offered.spec = {
        std::string(settings.at("name").as_string()),
        std::string(settings.at("description").as_string()),
        settings.at("parameters").as_object()};
    add_from_ai(offered.spec.parameters, run.from_ai);
    offered.kind = "tool.flow";
    // An approval is for the version that was in force when the person was asked.
    auto const& flow = settings.at("flow");
    offered.settings = {
        {"flow", flow}, {"version", run.services.current_version(flow.as_string())}};
    offered.returns_untrusted = true; // it may pass on what it read
    offered.risk = risk_from_string(settings.at("risk").as_string()).value_or(risk::high);
    offered.work = flow_call{
        .flow = std::string(flow.as_string()),
        .input = [evaluate = run.evaluate](json::object const& arguments, int call) {
            return input_of(evaluate(arguments, call), arguments);
        }};
    tool_part part;
    part.tools.push_back(std::move(offered));
    co_return part;
}

} // namespace

behaviour tool_flow_behaviour() {
    auto behaviour = part_of(ai_tool, make_flow_tool);
    behaviour.needs_approval = [](json::object const& parameters) {
        auto const* risk = parameters.if_contains("risk");
        return risk && *risk == "high";
    };
    return behaviour;
}

} // namespace postrider::agent::flow
