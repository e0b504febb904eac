#pragma once
// Until when a model is not to be asked again, as a part of a failure's detail. A step records of a
// failure its class and detail alone, and a later run must tell a person what the first one told.
// Pure.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <chrono>
#include <optional>
#include <string>

namespace postrider::agent {

// ", to be asked again at 2026-11-23T16:00:00Z" where a provider asks for a minute or more; else "".
std::string note_pause(std::optional<std::chrono::milliseconds> asked, base::sys_time now);

// The moment that is noted so, or until which a breaker is open; of several the last. What a
// provider says in its own words does not count.
std::optional<base::sys_time> told_end_of_pause(base::error const& failure);

} // namespace postrider::agent
