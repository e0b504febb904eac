#pragma once
// When a schedule runs, and what becomes of the times it missed. Pure.
#include "base/clock.hpp"
#include "base/error.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::queue {

// What becomes of times that passed `missed_after` or longer ago before any node saw them.
enum class missed_policy {
    skip, // nothing: it goes on with the times that come
    once, // one run for all of them
    all,  // a run for each, the first `most_runs` of them
};
std::string_view to_string(missed_policy p) noexcept;
std::optional<missed_policy> missed_policy_from_string(std::string_view name) noexcept;

constexpr base::duration missed_after = std::chrono::minutes{1};
constexpr std::size_t most_runs = 100;

// What it runs by: a cron expression in a zone, or one time.
struct recurrence {
    std::optional<std::string> cron;
    std::optional<base::sys_time> at;
    std::string timezone = "UTC";
};

struct plan_question {
    queue::recurrence recurrence;
    missed_policy missed = missed_policy::once;
    std::optional<base::sys_time> next_at; // absent: not known yet
    std::optional<base::sys_time> last_at; // of its last run
    base::sys_time now;
};

struct schedule_plan {
    std::vector<base::sys_time> runs;   // due now, ascending
    std::optional<base::sys_time> next; // absent: never again
    bool missed = false;                // times were missed: the policy has decided
};

// invalid: the expression; not_found: the zone; unavailable: the machine has no zones.
base::result<schedule_plan> plan_schedule(plan_question const& question);

// The next times after `after`, at most `count`. The same failures.
base::result<std::vector<base::sys_time>> next_times(
    recurrence const& recurrence, base::sys_time after, std::size_t count
);

} // namespace postrider::queue
