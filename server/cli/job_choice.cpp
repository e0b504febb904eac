#include "server/cli/job_choice.hpp"

#include "base/clock.hpp"

#include <chrono>

namespace postrider::cli {

namespace {

base::result<std::optional<base::sys_time>> instant_of(std::string const& text) {
    std::optional<base::sys_time> when;
    if (text.empty()) return when;
    if (auto ago = base::duration_from_text(text))
        when = base::system_clock().now() -
               std::chrono::duration_cast<std::chrono::microseconds>(*ago);
    else
        when = base::from_iso8601(text);
    if (when) return when;
    return base::error(
        base::errc::invalid, text + " is no instant; try 2h, 30min or 2026-11-21T08:53:00Z"
    );
}

} // namespace

base::result<queue::job_filter> filter_of(job_choice const& chosen) {
    queue::job_filter filter;
    for (auto const& state : chosen.states)
        if (auto known = queue::job_state_from_string(state)) filter.states.push_back(*known);
    filter.kind = chosen.kind;
    filter.lane = chosen.lane;
    filter.lane_text = chosen.lane_text;
    filter.error_class = chosen.error_class;
    auto after = instant_of(chosen.after);
    if (!after) return after.error();
    filter.created_after = *after;
    auto before = instant_of(chosen.before);
    if (!before) return before.error();
    filter.created_before = *before;
    return filter;
}

} // namespace postrider::cli
