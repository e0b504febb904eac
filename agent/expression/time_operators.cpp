#include "agent/expression/time_operators.hpp"

#include "agent/expression/time_values.hpp"
#include "agent/expression/values.hpp"

#include <fmt/format.h>

#include <cmath>

namespace postrider::agent::expressions {

namespace {

using time_result = std::optional<fallible<operand>>;

double seconds_of(operand const& duration) {
    return duration->to_number<double>();
}

fallible<operand> later(timestamp moment, double seconds) {
    auto const later_time = add(moment, seconds);
    if (!later_time) return later_time.error();
    return operand_of(*later_time);
}

// A sum or a difference with a duration.
time_result moved(symbol operation, operand const& left, operand const& right) {
    bool const minus = operation == symbol::minus;
    auto const from = timestamp_in(*left);
    if (from && right->is_number()) return later(*from, (minus ? -1 : 1) * seconds_of(right));
    auto const to = timestamp_in(*right);
    if (to && left->is_number() && !minus) return later(*to, seconds_of(left));
    if (!left->is_number() || !right->is_number()) return std::nullopt;
    return duration_operand(seconds_of(left) + (minus ? -1 : 1) * seconds_of(right));
}

time_result scaled(symbol operation, operand const& left, operand const& right) {
    bool const times = operation == symbol::times;
    if (!times && operation != symbol::divide) return std::nullopt;
    if (!left->is_number() || !right->is_number()) return std::nullopt;
    bool const durations = left.is(meaning::duration) && right.is(meaning::duration);
    bool const by_duration = right.is(meaning::duration) && !times;
    if (durations || by_duration || (!times && seconds_of(right) == 0)) return std::nullopt;
    return duration_operand(
        times ? seconds_of(left) * seconds_of(right) : seconds_of(left) / seconds_of(right)
    );
}

} // namespace

std::optional<fallible<operand>> calculate_times(
    symbol operation, operand const& left, operand const& right
) {
    bool const sum = operation == symbol::plus || operation == symbol::minus;
    bool const duration = left.is(meaning::duration) || right.is(meaning::duration);
    bool const instant = left.is(meaning::timestamp) || right.is(meaning::timestamp);
    if (operation == symbol::minus && left->is_string() && right->is_string()) {
        auto const from = timestamp_in(*right);
        auto const to = timestamp_in(*left);
        if (!from || !to) return std::nullopt;
        return duration_operand(seconds_between(*from, *to));
    }
    if (sum && (duration || instant)) return moved(operation, left, right);
    return duration ? scaled(operation, left, right) : std::nullopt;
}

std::optional<fallible<std::strong_ordering>> order_of_times(
    operand const& left, operand const& right
) {
    if (!left.is(meaning::timestamp) && !right.is(meaning::timestamp)) return std::nullopt;
    auto const first = timestamp_in(*left);
    auto const second = timestamp_in(*right);
    if (!first || !second) return std::nullopt;
    return *first <=> *second;
}

} // namespace postrider::agent::expressions
