#pragma once
// What checks have in common that count messages of a while: their parameters, when the while began, and which messages say the
// same. Pure.
#include "agent/spam/check.hpp"

#include <chrono>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

// Parameters of such a check. Their texts are literals.
base::setting limit_parameter(std::string_view fallback, std::string_view help);
base::setting minutes_parameter(std::string_view fallback);
base::setting least_parameter(std::string_view fallback);

// By the parameter "minutes".
std::chrono::sys_seconds counted_since(check_input const& input);

// The recent messages since then with the words of this one; none where its text is shorter than the parameter "least" says.
std::vector<recent_message> equal_messages(check_input const& input);

} // namespace postrider::agent::spam
