#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view filter_types[]{"filter"};

void map_filter(translation& in) {
    in.become("items.filter");
    in.put_condition("condition", in.find("conditions"));
}

} // namespace

extern constinit mapping const filter_mapping{
    .types = filter_types, .map = map_filter, .items = passing::same};

} // namespace postrider::agent::flow::n8n
