#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view if_types[]{"if"};

void map_if(translation& in) {
    in.become("if");
    in.draft.outputs = {"true", "false"};
    in.put_condition("condition", in.find("conditions"));
}

} // namespace

extern constinit mapping const if_mapping{.types = if_types, .map = map_if, .items = passing::same};

} // namespace postrider::agent::flow::n8n
