#include "agent/models/model.hpp"

#include "base/json/json.hpp"
#include "base/json/nul.hpp"
#include "base/names.hpp"

#include <cmath>

namespace postrider::agent {

namespace {

constexpr base::names<role, 4> roles{{
    {role::system, "system"},
    {role::user, "user"},
    {role::assistant, "assistant"},
    {role::tool, "tool"},
}};

constexpr base::names<stop_reason, 5> stop_reasons{{
    {stop_reason::end, "end"},
    {stop_reason::tool_calls, "tool_calls"},
    {stop_reason::length, "length"},
    {stop_reason::refusal, "refusal"},
    {stop_reason::broken_off, "broken_off"},
}};

} // namespace

std::string_view to_string(role r) noexcept {
    return base::name_of(roles, r);
}

std::optional<role> role_from_string(std::string_view name) noexcept {
    return base::named(roles, name);
}

std::string_view to_string(stop_reason reason) noexcept {
    return base::name_of(stop_reasons, reason);
}

std::optional<stop_reason> stop_reason_from_string(std::string_view name) noexcept {
    return base::named(stop_reasons, name);
}

std::string_view unusable_arguments(tool_call const& call) {
    if (call.arguments.is_object()) return {};
    auto const parsed = base::parse_json(call.raw);
    static auto const refusal = base::nul_refusal("the arguments").detail;
    if (parsed && parsed->is_object()) return refusal;
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
