#pragma once
// Arithmetic from text, in double precision. Pure.
//
//     expression = term (('+' | '-') term)*
//     term       = unary (('*' | '/' | '%') unary)*
//     unary      = ('-' | '+') unary | power
//     power      = primary ('^' unary)?            to the right: 2^3^2 = 512, and -2^2 = -4
//     primary    = number | constant | function '(' expression (',' expression)* ')' | '('
//     expression ')'
//
// Functions: sqrt abs round floor ceil min max; constants: pi e. × · ÷ − are read as * * / -.
#include "base/error.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

inline constexpr std::size_t longest_expression = 1000;
inline constexpr int deepest_expression = 64; // nested parentheses, signs and powers

// invalid: not an expression, a division by zero, or a result beyond double; the detail is a text
// for the model and for people. too_large: longer or deeper than the limits.
base::result<double> evaluate(std::string_view expression);

// As short as 15 significant digits allow: 0.1+0.2 is 0.3, and whole numbers have no point.
std::string format_number(double number);

} // namespace postrider::agent
