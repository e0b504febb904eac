#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view no_operation_types[]{"noOp", "executionData"};

void map_no_operation(translation& in) {
    in.become("set");
    in.put_value("fields", boost::json::object());
    if (in.node().short_type() == "executionData")
        in.draft.notes =
            "n8n marked executions with values here; an execution's page shows all of them.";
}

} // namespace

extern constinit mapping const no_operation_mapping{
    .types = no_operation_types, .map = map_no_operation, .items = passing::same};

} // namespace postrider::agent::flow::n8n
