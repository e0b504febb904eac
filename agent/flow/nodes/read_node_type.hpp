#pragma once
// What a node type is, as its file NAME.json says. Every other text about the type is made of it:
// GET /api/v1/node-types, the tables of docs/flows.md, the checks of the validator.
//
//     {
//         "name": "telegram.send",             of a node's "type"; "version" if it is not 1
//         "title": "Send to Telegram",         for people, as all that follows
//         "group": "action",                   trigger, logic, action or agent; a part has its kind's
//         "description": "Sends a message.",   one sentence
//         "documentation": ["…"],              more sentences, in Markdown; may be missing
//         "inputs": [PORT], "outputs": [PORT], a part has no outputs here: its kind says them
//         "parameters": {"properties": {…}},   JSON Schema with the marks of parameters.hpp; type object
//                                              and no additional properties, without saying so
//         "examples": [{"title": "…", "parameters": {…}}]
//     }
//
// PORT is {"name", "title"} with "type" (default: main), "least", "most", "from_parameter", "loop", and
// of an output "items" (node_type.hpp). Anywhere {"x-shared": "NAME"} stands for the members of that
// name in shared.json, or of a bound or choice of the program (shared_members.hpp).
#include "agent/flow/node_type.hpp"

#include <string_view>

namespace postrider::agent::flow {

// A file that breaks these rules is a defect of the program: std::logic_error, with its place.
node_type read_node_type(std::string_view text, flow::behaviour action);

// Of a type whose sentences are not in its file: the first one is its description.
void set_documentation(node_type& type, std::string_view sentences);

} // namespace postrider::agent::flow
