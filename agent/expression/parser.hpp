#pragma once
// Source to tree, by the grammar in docs/expressions.md. Names of variables, functions and macros,
// numbers of arguments and literal patterns are checked here, so that what parses can fail by its
// data and its cost only. Pure.
#include "agent/expression/tree.hpp"

namespace postrider::agent::expressions {

expression_result<tree> parse(std::string_view source, from_ai calls, expression_limits limits);

// As it stands at that byte of the source.
expression_error error_at(std::string_view source, std::size_t offset, std::string reason);
// Of an expression with so many code points in front of it.
expression_error moved(expression_error error, std::size_t columns);

} // namespace postrider::agent::expressions
