#pragma once
// How much harm a wrong call of a tool can do.
#include <optional>
#include <string_view>

namespace postrider::agent {

enum class risk {
    low,    // reads, or changes nothing that matters
    medium, // changes something that can be undone
    high,   // cannot be undone, or touches others
};
std::string_view to_string(risk r) noexcept;
std::optional<risk> risk_from_string(std::string_view name) noexcept;

} // namespace postrider::agent
