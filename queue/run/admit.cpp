// Gates: what a job has to pass before it uses what is limited or fails.
#include "queue/run/job_run.hpp"

namespace postrider::queue {

base::awaitable<base::result<void>> job_run::admit(
    std::string resource, std::optional<std::chrono::milliseconds> patience
) {
    if (!services_.limits || resource.empty()) co_return base::result<void>{};
    boundary();
    auto way = co_await pass_gate(
        *services_.limits,
        job_,
        std::move(resource),
        patience,
        shortest_park_delay,
        admitted_,
        services_.may_act
    );
    held_writes_.insert(held_writes_.end(), way.writes.begin(), way.writes.end());
    if (way.what == gate_passage::verdict::park) {
        unbegin_effects();
        park parked{job_state::waiting, way.wait, way.why, {}};
        co_await leave(std::move(parked));
    }
    if (way.what == gate_passage::verdict::give_up) {
        base::error late(base::errc::unavailable, way.why);
        late.retry_after = way.wait;
        co_return late;
    }
    co_return base::result<void>{};
}

// What was to be done at once waits with the job: no run that finds it may think that it was begun.
void job_run::unbegin_effects() {
    for (auto const& [key, effect] : record_.effects)
        if (effect.state == effect_state::started && effect.ours)
            held_changes_.push_back({key, effect_state::planned, effect.flagged, nullptr});
}

bool job_run::open(std::string_view resource) const {
    return !services_.limits || services_.limits->open(resource);
}

} // namespace postrider::queue
