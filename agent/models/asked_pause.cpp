#include "agent/models/asked_pause.hpp"

namespace postrider::agent {

namespace {

constexpr std::chrono::minutes shortest_told{1};

} // namespace

void note_pause(
    base::error& failure, std::optional<std::chrono::milliseconds> asked, base::sys_time now
) {
    if (!asked || *asked < shortest_told) return;
    auto const end = std::chrono::ceil<std::chrono::seconds>(now + *asked);
    failure.detail += ", to be asked again at " + base::to_iso8601(end);
    failure.until = end;
}

} // namespace postrider::agent
