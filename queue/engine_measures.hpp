#pragma once
// How long the engine's work takes on this node. On the engine's thread.
#include "base/measures.hpp"

namespace postrider::queue {

struct engine_measures {
    // Runs of jobs: by kind, and completed, failed, cancelled, parked, lost, or put_back.
    base::durations runs{base::job_bounds};
    // Tries of steps that do something outside the job: by the kind of their effect, "" where nothing
    // stays there, and the class of the error.
    base::durations steps{base::job_bounds};
    // From a job's enqueueing to the end of its first effect of a kind: by that kind, and the kind of
    // job. Not of jobs that were begun anew.
    base::durations first_effects{base::job_bounds};
};

} // namespace postrider::queue
