#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view manual_trigger_types[]{
    "manualTrigger", "executeWorkflowTrigger", "errorTrigger"};

void map_manual_trigger(translation& in) {
    in.become("manual");
    if (in.node().short_type() == "errorTrigger")
        in.warn(
            "n8n_parameter",
            "",
            "it starts when another flow fails",
            "name this flow as that flow's settings.error_flow"
        );
    auto const* example = in.find("jsonExample");
    if (!example || !example->is_string()) return;
    if (auto value = read_json_template(example->get_string()); value && value->is_object())
        in.put_value("example", in.converted("example", *value));
}

} // namespace

extern constinit mapping const manual_trigger_mapping{
    .types = manual_trigger_types, .map = map_manual_trigger};

} // namespace postrider::agent::flow::n8n
