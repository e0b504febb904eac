#pragma once
// An expression as a tree: a flat list of nodes, so that neither copying nor destroying it
// recurses.
#include "agent/expression/expression.hpp"
#include "agent/expression/lexer.hpp"

#include <boost/json/value.hpp>

namespace postrider::agent::expressions {

struct function;
using node_id = std::size_t;

enum class node_kind {
    literal,  // value
    variable, // name: "$json"
    other,    // name: of the node in $node["name"]
    from_ai,  // name: the key
    local,    // slot: of a macro's variable
    list,     // operands
    object,   // operands: key, value, key, value, …
    negate,   // operand
    invert,   // operand
    binary,   // operation; left, right
    choice,   // condition, then, else
    member,   // operand; name
    index,    // operand, key
    call,     // callee; arguments
    macro,    // which; the range, then bodies; slot
    has,      // operand: a member or an index
};

enum class macro_kind { all, exists, exists_one, filter, map, sort_by };

struct node {
    node_kind kind = node_kind::literal;
    std::size_t offset = 0; // in the source: where an error of this node is
    std::vector<node_id> operands = {};
    boost::json::value value = nullptr;
    std::string name = {};
    std::size_t slot = 0;
    symbol operation = {};
    macro_kind which = {};
    function const* callee = nullptr;
    bool optional = false; // member and index: .? and [? give null for what is missing
};

struct tree {
    std::string source;
    std::vector<node> nodes;
    node_id root = 0;
    std::vector<from_ai_call> from_ai;
};

} // namespace postrider::agent::expressions
