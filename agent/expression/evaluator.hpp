#pragma once
// A tree's value in a scope. evaluator.cpp has what the nodes are, operators.cpp what operators,
// members and macros.cpp what macros do.
#include "agent/expression/budget.hpp"
#include "agent/expression/functions.hpp"
#include "agent/expression/tree.hpp"

#include <optional>
#include <vector>

namespace postrider::agent::expressions {

class evaluator {
public:
    // All three outlive the evaluator.
    evaluator(tree const& tree, scope const& names, budget& budget)
        : tree_(tree),
          names_(names),
          budget_(budget) {}

    fallible<operand> run() { return evaluate(tree_.root); }

private:
    using evaluated = fallible<operand>;

    evaluated evaluate(node_id id);

    // A node that begins with its own word.
    evaluated leaf(node const& at);
    evaluated list(node const& at);
    evaluated object(node const& at);
    evaluated negated(node const& at);
    evaluated inverted(node const& at);
    evaluated choice(node const& at);
    evaluated has(node const& at);
    evaluated bind(node const& at);
    evaluated given_by_model(node const& at);
    // Of a list or an object: nothing where an optional has no value.
    fallible<std::optional<json::value>> entry(node_id id);

    // A node that goes on from the value at its left.
    evaluated apply(node const& at, evaluated left);
    evaluated logical(node const& at, evaluated const& left);
    evaluated binary(node const& at, operand left);
    evaluated sum(operand left, operand right);
    fallible<bool> are_equal(operand const& left, operand const& right);
    fallible<bool> is_in(json::value const& value, json::value const& range);
    evaluated member(node const& at, operand container);
    evaluated index(node const& at, operand container);
    evaluated member_named(operand container, std::string_view name, bool literal, bool optional);
    evaluated call(node const& at, operand first);

    // What a macro's variables stand for in one round; with one variable `first` alone.
    struct element {
        json::value const* first;
        json::value const* second;
        json::value const* item; // of the range: the one of them that is not a key or an index
    };
    using elements = std::span<element const>;

    evaluated macro(node const& at, operand range);
    evaluated macro_of(node const& at, elements items);
    evaluated quantified(node const& at, elements items);
    evaluated counted(node const& at, elements items);
    evaluated filtered(node const& at, elements items);
    evaluated found(node const& at, elements items);
    evaluated mapped(node const& at, elements items);
    evaluated mapped_entries(node const& at, elements items);
    evaluated mapped_members(node const& at, elements items);
    evaluated grouped(node const& at, elements items);
    evaluated reduced(node const& at, elements items);
    evaluated sorted(node const& at, elements items);
    evaluated mapped_optional(node const& at, operand optional);
    evaluated body(node const& at, std::size_t index, element const& round);
    fallible<bool> test(node const& at, element const& round);
    // Of a map with three arguments, the first of the bodies chooses.
    fallible<bool> chosen(node const& at, element const& round);
    // The body's value with a variable that stands for the operand.
    evaluated with_local(node_id body, std::size_t slot, operand const& value);
    // A value that does not go when what it was borrowed of goes.
    evaluated own(operand value);

    struct local {
        json::value const* value = nullptr;
        expressions::meaning meaning = meaning::plain;
    };
    void set_local(std::size_t slot, local value);

    tree const& tree_;
    scope const& names_;
    budget& budget_;
    pattern_cache patterns_;
    std::vector<local> locals_; // by slot
};

} // namespace postrider::agent::expressions
