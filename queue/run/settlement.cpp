#include "queue/run/settlement.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;

// A job that cannot run here waits so long for a node where it can: longer each time, since there may
// be none, but no longer than until its deadline.
std::chrono::milliseconds delay_for_other_nodes(ended_run const& run) {
    auto const doublings = std::clamp(run.times_not_here - 1, 0, 4);
    auto const delay = std::min<std::chrono::milliseconds>(5s * (1 << doublings), 60s);
    return run.time_left ? std::clamp(*run.time_left, 0ms, delay) : delay;
}

settlement end_with(ended_run& run, outcome planned) {
    bool const undoes =
        planned.state == job_state::failed || run.stored || run.asked == control_request::rollback;
    if (undoes && run.can_undo && !run.was_undoing) return undo_first{std::move(planned)};
    return settle{.outcome = std::move(planned)};
}

settlement settle_as_asked(ended_run& run) {
    if (run.asked == control_request::pause) return pause_job{};
    if (run.asked == control_request::hold) return release{};
    if (run.was_undoing) return release{}; // the next run undoes the rest
    if (run.stored) return end_with(run, *run.stored);
    if (run.expired)
        return end_with(run, outcome::failed({base::errc::timeout, "its deadline has passed"}));
    // What was asked is withdrawn, or is an interruption that comes too late: it goes on.
    if (!run.asked || (run.asked == control_request::interrupt && run.answered)) return release{};
    if (run.asked == control_request::interrupt)
        return end_with(run, outcome::cancelled({{"reason", "a newer message took its place"}}));
    return end_with(run, outcome::cancelled());
}

settlement settle_returned(ended_run& run) {
    bool const failed = run.outcome.state == job_state::failed;
    // What is done already is told as it is; what is not, is neither said nor done.
    bool const has_nothing_to_undo = run.asked == control_request::rollback && !run.can_undo;
    bool const is_cancelled = run.asked == control_request::cancel || has_nothing_to_undo;
    if (is_cancelled && !run.acted_last && !run.was_undoing && !run.stored)
        return end_with(run, outcome::cancelled());
    if (run.was_undoing || failed) return end_with(run, std::move(run.outcome));
    // A run on the way to a rollback has no outcome of its own, and nothing completes that is to
    // be undone.
    bool const must_undo = run.asked == control_request::rollback && run.can_undo;
    if (run.stored || must_undo) return settle_as_asked(run);
    return end_with(run, std::move(run.outcome));
}

settlement settle_cut_off(ended_run& run) {
    if (run.releases) return release{};
    bool const lost = !run.asked && !run.expired && !run.stopped;
    if (lost) return nothing_to_commit{.lease_lost = true};
    return settle_as_asked(run);
}

// A job that cannot run here can be stopped here, but not undone.
settlement settle_elsewhere(ended_run& run) {
    bool const stops = run.expired || (run.asked && run.asked != control_request::rollback);
    if (stops && !run.stored) return settle_as_asked(run);
    return release{.delay = delay_for_other_nodes(run), .reason = run.outcome.error.detail};
}

} // namespace

settlement decide_settlement(ended_run run) {
    switch (run.end) {
    case run_end::returned:
        return settle_returned(run);
    case run_end::asked:
        return settle_as_asked(run);
    case run_end::cut_off:
        return settle_cut_off(run);
    case run_end::not_here:
        return settle_elsewhere(run);
    case run_end::lease_lost:
        return nothing_to_commit{.lease_lost = true};
    case run_end::parked:
        break;
    }
    return nothing_to_commit{};
}

} // namespace postrider::queue
