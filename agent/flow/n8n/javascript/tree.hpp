#pragma once
// An expression of JavaScript as a tree. What stands in an arrow function with a block is an expression
// here too: its constants are bindings, and what it returns under a condition is a choice.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow::n8n::javascript {

enum class node_kind {
    number,   // `text` is its spelling
    text,     // `text` is its value
    literal,  // a template: texts and expressions in turn, the first and the last a text
    regex,    // `text` is the pattern, `extra` has its flags
    name,     // `text`
    member,   // `text` of the operand
    index,    // of the first operand, by the second
    call,     // of the first operand, with the others
    creation, // new: as a call
    array,    // of the operands; some are `spread`
    object,   // of keys and values in turn; a `spread` stands at both places
    unary,    // `text` is the operator, typeof is one
    binary,   // `text` is the operator
    choice,   // ? :
    arrow,    // of the `names`; the operand is its value
    binding,  // `text` is the name of the first operand within the second
    spread,   // ...operand
    nothing,  // what is left out: the end of a function without return
};

struct node;
using node_pointer = std::shared_ptr<node const>;

struct node {
    node_kind kind = node_kind::nothing;
    std::string text = {};
    std::string extra = {};
    std::vector<std::string> names = {};
    std::vector<node_pointer> operands = {};
    std::size_t depth = 1; // of the nesting below it, bounded by the parser: walks may recurse

    node const& operator[](std::size_t index) const { return *operands[index]; }
    std::size_t size() const { return operands.size(); }
    bool is(node_kind other) const { return kind == other; }
    bool is_name(std::string_view other) const { return kind == node_kind::name && text == other; }
};

// Whether both say the same, where one has `first_name` and the other one has `second_name` for the same value.
bool same_tree(
    node const& first,
    node const& second,
    std::string_view first_name = {},
    std::string_view second_name = {}
);

} // namespace postrider::agent::flow::n8n::javascript
