#pragma once
// The macros of the language: they look like functions, and name variables for an expression that
// they evaluate.
#include "agent/expression/tree.hpp"

#include <span>

namespace postrider::agent::expressions {

struct macro {
    std::string_view name;
    macro_kind kind;
    std::size_t least_variables;
    std::size_t most_variables;
    std::size_t least_bodies;
    std::size_t most_bodies;
    std::string_view documentation; // as that of a function
};

std::span<macro const> macros() noexcept;
macro const* find_macro(std::string_view name) noexcept;

} // namespace postrider::agent::expressions
