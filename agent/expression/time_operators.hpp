#pragma once
// Operators on instants and durations. Pure.
#include "agent/expression/lexer.hpp"
#include "agent/expression/operand.hpp"

#include <compare>
#include <optional>

namespace postrider::agent::expressions {

// + and - of instants and durations, * and / of a duration and a number. A text that is an instant
// is one beside a duration, and two are beside a `-`; a number beside an instant is a number of
// seconds. Nothing: this is another operation.
std::optional<fallible<operand>> calculate_times(
    symbol operation, operand const& left, operand const& right
);

// Of two instants, one of which timestamp() gave. Nothing: there is none, or the other is no
// instant.
std::optional<fallible<std::strong_ordering>> order_of_times(
    operand const& left, operand const& right
);

} // namespace postrider::agent::expressions
