#pragma once
// What the nodes share that ask a model: each becomes an agent, with the schema of a connected parser.
#include "agent/flow/n8n/mapping.hpp"

namespace postrider::agent::flow::n8n {

// {"type": "object", …} of a parser that is connected, or of an example of its.
std::optional<boost::json::object> schema_of_parser(translation& in);
// Of the parser that has the schema; nothing: none is connected.
std::optional<double> version_of_parser(translation const& in);
// A JSON Schema that allows what the value is an example of.
boost::json::object schema_of_example(boost::json::value const& example, int depth = 0);
// As a schema here is: constant, and with words for types.
boost::json::object constant_schema(boost::json::object const& schema);
void put_schema(translation& in, boost::json::object schema);
// The model that a node names itself becomes a part of it.
void attach_model(translation& in, std::string_view path);

} // namespace postrider::agent::flow::n8n
