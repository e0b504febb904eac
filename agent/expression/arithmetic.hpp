#pragma once
// Arithmetic in double precision, for expressions and for the calculator. Pure. What has no finite
// real result is an error (invalid) whose detail is a text for people.
#include "agent/expression/lexer.hpp"
#include "base/error.hpp"

#include <span>

namespace postrider::agent::expressions {

// The reason of that error.
inline constexpr std::string_view by_zero = "division_by_zero";

// plus, minus, times, divide, remainder (with the sign of the left one), power.
base::result<double> calculate(symbol operation, double left, double right);

// abs ceil floor max min pow round sqrt sum.
struct number_function {
    std::string_view name;
    std::size_t least; // arguments
    std::size_t most;
    base::result<double> (*run)(std::span<double const>);
};
number_function const* find_number_function(std::string_view name) noexcept;
std::span<number_function const> number_functions() noexcept;

// As short as 15 significant digits allow: 0.1+0.2 is 0.3, and whole numbers have no point.
std::string format_number(double number);

// A whole number that a double holds exactly, as all below 2^53 are.
bool is_exact_whole(double number) noexcept;

} // namespace postrider::agent::expressions
