#pragma once
// What is committed when a run of a job ends: one pure decision over how its function ended, what
// was asked of the job, its deadline, its rollback, and whether the node releases its work.
#include "queue/store/checkpoint.hpp"

#include <optional>
#include <variant>

namespace postrider::queue {

enum class run_end {
    returned,   // with an outcome; what it threw is one, too
    parked,     // its parking is committed
    asked,      // at a boundary: something was asked of the job, or its time is up
    cut_off,    // cancelled where it waited
    lease_lost, // nothing may be written any more
    not_here,   // it cannot run on this node
};

struct ended_run {
    run_end end = run_end::returned;
    queue::outcome outcome = {}; // of `returned`; of `not_here` its error tells why
    std::optional<control_request> asked = {};
    bool expired = false;                      // the job's deadline has passed
    bool stopped = false;                      // of `cut_off`: its lease was not the reason
    bool answered = false;                     // an effect of it is committed, or may be
    bool acted_last = false;                   // what it did last is an effect
    bool releases = false;                     // the node releases what it cuts off
    std::optional<queue::outcome> stored = {}; // the ending of a rollback that has begun
    bool can_undo = false;    // something is registered that would have to be undone
    bool was_undoing = false; // what ended is the rollback, not the job's function
    int times_not_here = 1;   // of `not_here`: in how many runs in a row here
    std::optional<std::chrono::milliseconds> time_left = {}; // until the job's deadline
};

struct nothing_to_commit {
    bool lease_lost = false;
};
struct undo_first { // then comes the ending
    queue::outcome planned;
};
using settlement = std::variant<nothing_to_commit, undo_first, settle, pause_job, release>;

settlement decide_settlement(ended_run run);

} // namespace postrider::queue
