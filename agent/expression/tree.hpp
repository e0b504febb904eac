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
    entry,    // of a list or an object, if there is one: operand, which is an optional
    negate,   // operand
    invert,   // operand
    binary,   // operation; left, right
    choice,   // condition, then, else
    member,   // operand; name
    index,    // operand, key
    call,     // callee; arguments
    macro,    // macro; the range, then bodies; slot of the first of its variables
    bind,     // value, body; slot
    has,      // operand: a member or an index
};

enum class macro_kind {
    all,
    exists,
    exists_one,
    filter,
    find,
    flat_map_optional,
    group_by,
    map,
    map_entries,
    map_members,
    map_optional,
    reduce,
    sort_by,
};

struct node {
    node_kind kind = node_kind::literal;
    std::size_t offset = 0; // in the source: where an error of this node is
    std::vector<node_id> operands = {};
    boost::json::value value = nullptr;
    std::string name = {};
    std::size_t slot = 0;
    std::size_t variables = 1; // of a macro
    symbol operation = {};
    macro_kind macro = {};
    function const* callee = nullptr;
    bool optional = false; // member and index: .? and [? give an optional
};

struct tree {
    std::string source;
    std::vector<node> nodes;
    node_id root = 0;
    std::vector<from_ai_call> from_ai;
};

} // namespace postrider::agent::expressions
