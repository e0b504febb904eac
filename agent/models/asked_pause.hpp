#pragma once
// How long a provider asks not to be asked again: a part of its failure's detail for people, and the
// moment in its `until`, which steps record. Pure.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <chrono>
#include <optional>

namespace postrider::agent {

// Where it is a minute or more, adds ", to be asked again at 2026-11-23T16:00:00Z" and the moment.
void note_pause(
    base::error& failure, std::optional<std::chrono::milliseconds> asked, base::sys_time now
);

} // namespace postrider::agent
