#pragma once
// The JSON rows of a worker's statements (queue/store/statements.hpp).
#include "base/json/row.hpp"
#include "queue/store/checkpoint.hpp"

namespace postrider::queue {

base::json_row row_of(
    step_attempt const& attempt, job_id job, node_id node, attempt_times const& times
);
base::json_row row_of(effect_intent const& intent, job_id job);
base::json_row row_of(effect_change const& change, job_id job);
base::json_row row_of(settle const& settled, job_id job);
base::json_row row_of(park const& parked, job_id job, queue::lease const& lease);
// `heard_to`: the last message that did not concern it; 0 = none.
base::json_row row_of(
    await_event const& waiting, job_id job, queue::lease const& lease, job_id heard_to
);

// Ends all waits of the job.
storage::write end_waits_of(job_id job);
// Of those steps whose keys begin so.
storage::write end_waits_below(job_id job, std::string_view prefix);

// The stored form of an ending that the job comes to after its rollback.
boost::json::value to_json(outcome const& planned);
outcome outcome_from(boost::json::value const& stored);

} // namespace postrider::queue
