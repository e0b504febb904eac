#include "agent/flow/n8n/nodes/called_flow.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view call_flow_types[]{"executeWorkflow"};

void map_call_flow(translation& in) {
    in.become("call_flow");
    in.put_value("flow", boost::json::value(called_flow(in)));
    if (auto const* inputs = in.find("workflowInputs.value");
        inputs && inputs->is_object() && !inputs->get_object().empty())
        in.put_value("input", in.converted("input", *inputs));
    in.warn(
        "n8n_parameter",
        "flow",
        "the called workflow is imported by itself",
        "name it as the import called it"
    );
}

} // namespace

std::string called_flow(translation const& in) {
    auto const* cached = in.find("workflowId.cachedResultName");
    auto const name = cached && cached->is_string() ? std::string(cached->get_string())
                                                    : in.word("workflowId", "called");
    bool const is_own = name.find("$workflow.id") != name.npos;
    return is_own ? identifier_of(in.flow().name, "imported") : identifier_of(name, "called");
}

extern constinit mapping const call_flow_mapping{.types = call_flow_types, .map = map_call_flow};

} // namespace postrider::agent::flow::n8n
