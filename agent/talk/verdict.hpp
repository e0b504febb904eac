#pragma once
// A person's word on calls of tools that they were asked about. Pure.
#include <optional>
#include <string_view>

namespace postrider::agent {

enum class verdict {
    approved,
    rejected,
    expired,   // nobody answered in time
    withdrawn, // the person wrote something else, or the tool is no longer what was asked about
};
std::string_view to_string(verdict v) noexcept; // as storage/stores/approvals.hpp has it
std::optional<verdict> verdict_from_string(std::string_view name) noexcept;

// What is recorded of a call that was not approved, as base::error::reason; "" = approved.
std::string_view refusal_reason(verdict v) noexcept;
// Nothing: it is no such reason.
std::optional<verdict> verdict_of(std::string_view reason) noexcept;

} // namespace postrider::agent
