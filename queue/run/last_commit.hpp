#pragma once
// The commit by which a run ends. Whatever the database refuses of it, the job does not run again
// for ever: it fails with the reason, at last with nothing but that.
#include "queue/run/job_run.hpp"

namespace postrider::queue {

// `failed` adds its rows when the job fails; null, or one that throws, adds none. `ended` is the
// outcome that was recorded in the end. Throws abandoned without a lease.
struct last_commit {
    job_run::finished finished;
    job_state ended_as = job_state::completed; // after settle
};
base::awaitable<last_commit> commit_end(
    job_run& run, queue::ending last, failure_function const* failed
);

} // namespace postrider::queue
