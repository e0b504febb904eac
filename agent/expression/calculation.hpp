#pragma once
// Arithmetic from text, in double precision. Pure.
//
//     sum     = product (('+' | '-') product)*
//     product = unary (('*' | '/' | '%') unary)*
//     unary   = ('-' | '+') unary | power
//     power   = primary ('^' unary)?            to the right: 2^3^2 = 512, and -2^2 = -4
//     primary = number | constant | function '(' sum (',' sum)* ')' | '(' sum ')'
//
// Words, operations and functions (sqrt abs round floor ceil min max pow sum) are those of the
// expressions of flows; constants: pi e.
#include "agent/expression/limits.hpp"
#include "base/error.hpp"

#include <string_view>

namespace postrider::agent {

// Of its length and of its nested parentheses, signs and powers.
inline constexpr expression_limits calculation_limits{.length = 1000, .depth = 64};

// invalid: not an expression, a division by zero, or a result beyond double; the detail is a text
// for the model and for people. too_large: longer or deeper than the limits.
base::result<double> calculate(std::string_view expression);

} // namespace postrider::agent
