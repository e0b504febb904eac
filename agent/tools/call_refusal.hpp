#pragma once
// Why a call of a tool failed by our own doing: reasons (base::error::reason) that steps and messages
// record beside the words for the model. No server can give one. A person's word has its own
// (approvals/request.hpp).
#include <string_view>

namespace postrider::agent::call_refusal {

inline constexpr std::string_view limit = "call_limit"; // of calls in a turn
inline constexpr std::string_view unfit = "unfit_call"; // no such tool, or its arguments do not fit
inline constexpr std::string_view in_doubt = "in_doubt"; // it was begun, and nobody knows its end
inline constexpr std::string_view trial = "trial"; // it might act, and a trial acts on nothing

} // namespace postrider::agent::call_refusal
