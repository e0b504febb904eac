#include "agent/models/model.hpp"

namespace postrider::agent {

std::string_view to_string(role r) noexcept {
    switch (r) {
    case role::system:
        return "system";
    case role::user:
        return "user";
    case role::assistant:
        return "assistant";
    case role::tool:
        return "tool";
    }
    return "unknown";
}

std::optional<role> role_from_string(std::string_view name) noexcept {
    for (auto r : {role::system, role::user, role::assistant, role::tool})
        if (to_string(r) == name) return r;
    return std::nullopt;
}

std::string_view to_string(stop_reason reason) noexcept {
    switch (reason) {
    case stop_reason::end:
        return "end";
    case stop_reason::tool_calls:
        return "tool_calls";
    case stop_reason::length:
        return "length";
    case stop_reason::refusal:
        return "refusal";
    }
    return "unknown";
}

std::optional<stop_reason> stop_reason_from_string(std::string_view name) noexcept {
    for (auto reason :
         {stop_reason::end, stop_reason::tool_calls, stop_reason::length, stop_reason::refusal})
        if (to_string(reason) == name) return reason;
    return std::nullopt;
}

} // namespace postrider::agent
