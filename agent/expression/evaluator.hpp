#pragma once
// A tree's value in a scope. evaluator.cpp has what the nodes are, operators.cpp what operators,
// members and macros.cpp what macros do.
#include "agent/expression/budget.hpp"
#include "agent/expression/functions.hpp"
#include "agent/expression/tree.hpp"

#include <vector>

namespace postrider::agent::expressions {

class evaluator {
public:
    // All three outlive the evaluator.
    evaluator(tree const& of, scope const& names, budget& budget)
        : tree_(of),
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
    evaluated given_by_model(node const& at);

    // A node that goes on from the value at its left.
    evaluated apply(node const& at, evaluated left);
    evaluated logical(node const& at, evaluated left);
    evaluated binary(node const& at, operand left);
    evaluated sum(operand left, operand right);
    fallible<bool> is_in(json::value const& wanted, json::value const& range);
    evaluated member(node const& at, operand of);
    evaluated index(node const& at, operand of);
    evaluated member_named(operand of, std::string_view name, bool literal, bool optional);
    evaluated call(node const& at, operand first);

    evaluated macro(node const& at, operand range);
    evaluated quantified(node const& at, std::span<json::value const* const> items);
    evaluated counted(node const& at, std::span<json::value const* const> items);
    evaluated filtered(node const& at, std::span<json::value const* const> items);
    evaluated mapped(node const& at, std::span<json::value const* const> items);
    evaluated sorted(node const& at, std::span<json::value const* const> items);
    evaluated body(node const& at, std::size_t index, json::value const& item);
    fallible<bool> test(node const& at, json::value const& item);

    tree const& tree_;
    scope const& names_;
    budget& budget_;
    pattern_cache patterns_;
    std::vector<json::value const*> locals_; // by slot
};

} // namespace postrider::agent::expressions
