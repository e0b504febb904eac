#pragma once
// What the parts of one run share: the job, what earlier runs recorded, what this one has yet to
// record, and what ends it at its next boundary. Each part has a reference to it; it stays where it
// is. On one executor.
#include "queue/run/run_journal.hpp"
#include "queue/run/run_services.hpp"
#include "queue/run/step_history.hpp"

#include <exception>
#include <memory>
#include <optional>

namespace postrider::queue {

struct run_state {
    run_state(run_services services, queue::job job, queue::lease lease, step_history recorded);
    run_state(run_state const&) = delete;
    run_state& operator=(run_state const&) = delete;

    // What the branches of the outermost parallel() came to so far.
    struct side_by_side {
        std::exception_ptr failure;   // of the outermost: ends them all
        std::optional<park> earliest; // of the parked ones, due first
        base::steady_time due;
        bool for_events = false;
    };

    // The job comes to its stored ending: the function runs as far as its record goes.
    bool rolling_back() const noexcept { return !job.rolling_back.is_null(); }
    // Before anything new is begun: throws what ends the run, if something does. An undo is not
    // stopped by what ends the job: that is why it runs.
    void boundary() const;
    // Parks the job, or this branch of it, unless something was asked meanwhile; always throws.
    base::awaitable<void> leave(park parking);
    [[noreturn]] void suspend_branch(park parking);

    run_services services;
    queue::job job;
    step_history history;
    base::steady_time history_read;
    run_journal journal;
    bool expired = false; // the job's deadline has passed
    bool undoing = false;
    std::chrono::milliseconds parked_for{0}; // after suspended was thrown
    std::unique_ptr<side_by_side> branches;  // while parallel() runs
};

} // namespace postrider::queue
