#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

namespace {

constexpr std::string_view parser_types[]{
    "outputParserStructured", "outputParserAutofixing", "outputParserItemList"};

// Its schema is the agent's.
void map_parser(translation& in) {
    in.draft.left_out = true;
}

} // namespace

extern constinit mapping const parser_mapping{.types = parser_types, .map = map_parser};

} // namespace postrider::agent::flow::n8n
