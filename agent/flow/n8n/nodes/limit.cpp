#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view limit_types[]{"limit"};

void map_limit(translation& in) {
    in.become("items.limit");
    in.put("count", "maxItems");
    if (in.word("keep") == "lastItems") in.put_value("keep", "last");
}

} // namespace

extern constinit mapping const limit_mapping{
    .types = limit_types, .map = map_limit, .items = passing::same};

} // namespace postrider::agent::flow::n8n
