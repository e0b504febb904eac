#include "agent/models/model.hpp"

#include "base/json.hpp"

#include <cmath>

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

std::string_view unusable_arguments(tool_call const& call) {
    if (call.arguments.is_object()) return {};
    auto const parsed = base::parse_json(call.raw);
    if (parsed && parsed->is_object()) return "the arguments hold the character U+0000";
    return "the arguments are not a JSON object";
}

token_usage& token_usage::operator+=(token_usage const& more) noexcept {
    input += more.input;
    cached += more.cached;
    cache_written += more.cache_written;
    output += more.output;
    return *this;
}

std::int64_t cost_micro(token_usage const& used, token_prices const& prices) noexcept {
    auto const tokens = [](std::int64_t count) { return static_cast<double>(count); };
    auto const plain = std::max<std::int64_t>(used.input - used.cached - used.cache_written, 0);
    return std::llround(
        tokens(plain) * prices.input + tokens(used.cached) * prices.cached +
        tokens(used.cache_written) * prices.cache_written + tokens(used.output) * prices.output
    );
}

} // namespace postrider::agent
