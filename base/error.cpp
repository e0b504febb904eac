#include "base/error.hpp"

#include "base/names.hpp"

#include <stdexcept>

namespace postrider::base {

namespace {

constexpr names<errc, 20> codes{{
    {errc::rate_limited, "rate_limited"},
    {errc::overloaded, "overloaded"},
    {errc::timeout, "timeout"},
    {errc::unavailable, "unavailable"},
    {errc::refused, "refused"},
    {errc::invalid, "invalid"},
    {errc::unauthorized, "unauthorized"},
    {errc::budget, "budget"},
    {errc::ambiguous, "ambiguous"},
    {errc::context_too_long, "context_too_long"},
    {errc::not_found, "not_found"},
    {errc::conflict, "conflict"},
    {errc::too_large, "too_large"},
    {errc::poison, "poison"},
    {errc::lost, "lost"},
    {errc::lease_lost, "lease_lost"},
    {errc::stale, "stale"},
    {errc::cancelled, "cancelled"},
    {errc::mismatch, "mismatch"},
    {errc::internal, "internal"},
}};

} // namespace

std::string_view to_string(errc code) noexcept {
    return name_of(codes, code);
}

std::optional<errc> errc_from_string(std::string_view name) noexcept {
    return named(codes, name);
}

bool retryable(errc code) noexcept {
    switch (code) {
    case errc::rate_limited:
    case errc::overloaded:
    case errc::timeout:
    case errc::unavailable:
        return true;
    default:
        return false;
    }
}

std::string to_string(error const& e) {
    std::string text{to_string(e.code)};
    if (!e.detail.empty()) text.append(": ").append(e.detail);
    return text;
}

void throw_exception_from_error(error const& e, boost::source_location const&) {
    throw std::runtime_error(to_string(e));
}

} // namespace postrider::base
