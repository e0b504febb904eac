#include "queue/job.hpp"

#include <array>
#include <utility>

namespace postrider::queue {

namespace {

constexpr std::array<std::pair<job_state, std::string_view>, 9> names{{
    {job_state::available, "available"},
    {job_state::scheduled, "scheduled"},
    {job_state::running, "running"},
    {job_state::waiting, "waiting"},
    {job_state::retryable, "retryable"},
    {job_state::completed, "completed"},
    {job_state::failed, "failed"},
    {job_state::cancelled, "cancelled"},
    {job_state::paused, "paused"},
}};

} // namespace

std::string_view to_string(job_state state) noexcept {
    for (auto const& [value, name] : names)
        if (value == state) return name;
    return "unknown";
}

std::optional<job_state> job_state_from_string(std::string_view name) noexcept {
    for (auto const& [value, known] : names)
        if (known == name) return value;
    return std::nullopt;
}

bool over(job_state state) noexcept {
    return state == job_state::completed || state == job_state::failed ||
           state == job_state::cancelled;
}

} // namespace postrider::queue
