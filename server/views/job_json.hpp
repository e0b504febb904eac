#pragma once
// What the engine's views tell, as the API and `… --json` write it. An instant or text that is not
// there is null. Pure.
#include "queue/admin/job_views.hpp"
#include "queue/admin/job_waits.hpp"
#include "queue/admin/lane_views.hpp"

#include <boost/json/object.hpp>

namespace postrider::server {

boost::json::object job_json(queue::job_summary const& job);
boost::json::object job_json(
    queue::job_details const& job, std::vector<queue::job_wait> const& waited
);
// Cuts the values of such a job that are larger: its input and output, results of steps, requests
// and results of effects. The member `cut` has their places, as JSON Pointers.
void cut_values(boost::json::object& job, std::size_t most_bytes);
boost::json::object step_json(queue::step_summary const& step);
boost::json::object lane_json(queue::lane_summary const& lane);
boost::json::object effect_json(queue::doubtful_effect const& effect);

} // namespace postrider::server
