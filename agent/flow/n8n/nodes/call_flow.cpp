#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view call_flow_types[]{"executeWorkflow"};

void map_call_flow(translation& in) {
    in.become("call_flow");
    auto const* cached = in.find("workflowId.cachedResultName");
    auto const name = cached && cached->is_string() ? std::string(cached->get_string())
                                                    : in.word("workflowId", "called");
    in.put_value("flow", boost::json::value(identifier_of(name, "called")));
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

extern constinit mapping const call_flow_mapping{.types = call_flow_types, .map = map_call_flow};

} // namespace postrider::agent::flow::n8n
