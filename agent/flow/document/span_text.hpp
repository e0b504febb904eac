#pragma once
// Spans of time as people write them in flows, and what to tell them of one that is none. Pure.
#include "base/clock.hpp"

#include <string>
#include <string_view>

namespace postrider::agent::flow {

// It is written as one, and longer than any that there is.
bool is_endless_span(std::string_view text);

inline constexpr std::string_view span_hint = "write it with its unit: 250ms, 10s, 5min, 1h 30min";
inline constexpr std::string_view endless_span = "is longer than a hundred years";

} // namespace postrider::agent::flow
