#pragma once
// What the engine's views tell, as the API and `… --json` write it. An instant or text that is not
// there is null. Pure.
#include "queue/admin/job_views.hpp"
#include "queue/admin/job_waits.hpp"
#include "queue/admin/lane_views.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

namespace postrider::server {

boost::json::object job_json(queue::job_summary const& job);
boost::json::object job_json(
    queue::job_details const& job, std::vector<queue::job_wait> const& waited
);
// The places in such JSON of the values that were cut, as JSON Pointers.
boost::json::array cut_places(queue::job_details const& job);
boost::json::object step_json(queue::step_summary const& step);
boost::json::object lane_json(queue::lane_summary const& lane);
boost::json::object effect_json(queue::doubtful_effect const& effect);

} // namespace postrider::server
