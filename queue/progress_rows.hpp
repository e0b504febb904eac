#pragma once
// The JSON rows of a worker's statements (queue/progress_sql.hpp).
#include "queue/progress.hpp"

#include <boost/json/object.hpp>

namespace postrider::queue {

boost::json::object row_of(recorded_try const& one, job_id job, node_id node);
boost::json::object row_of(effect_intent const& intent, job_id job);
boost::json::object row_of(effect_change const& change, job_id job);
boost::json::object row_of(outcome const& how, job_id job);
boost::json::object row_of(park const& how, job_id job);
boost::json::object row_of(await_event const& how, job_id job, queue::lease const& lease);

// The stored form of an ending that the job comes to after its rollback.
boost::json::value to_json(outcome const& how);
outcome outcome_from(boost::json::value const& stored);

} // namespace postrider::queue
