#include "queue/run/settlement.hpp"

namespace postrider::queue {

namespace {

// A job that cannot run here waits so long for a node where it can.
constexpr auto other_nodes_turn = std::chrono::seconds{5};

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
    if (run.asked == control_request::interrupt)
        return end_with(run, outcome::cancelled({{"reason", "a newer message took its place"}}));
    if (run.asked) return end_with(run, outcome::cancelled());
    return release{}; // what was asked is withdrawn: it goes on
}

settlement settle_returned(ended_run& run) {
    bool const failed = run.outcome.state == job_state::failed;
    if (run.was_undoing || failed) return end_with(run, std::move(run.outcome));
    // A replay on the way to a rollback has no outcome of its own, and nothing completes that is to
    // be undone.
    bool const must_undo = run.asked == control_request::rollback && run.can_undo;
    if (run.stored || must_undo) return settle_as_asked(run);
    return end_with(run, std::move(run.outcome));
}

settlement settle_cut_off(ended_run& run) {
    if (run.releases) return release{};
    if (!run.asked && !run.expired) return nothing_to_commit{.lease_lost = true};
    return settle_as_asked(run);
}

// What cannot run here can be stopped here, but not undone.
settlement settle_elsewhere(ended_run& run) {
    bool const stops = run.expired || (run.asked && run.asked != control_request::rollback);
    if (stops && !run.stored) return settle_as_asked(run);
    return release{.delay = other_nodes_turn, .reason = run.outcome.error.detail};
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
