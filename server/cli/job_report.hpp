#pragma once
// Jobs, lanes, effects and what was done to them, as people and programs read them: text for a
// terminal, JSON for --json. Pure.
#include "queue/admin/job_feed.hpp"
#include "queue/admin/job_views.hpp"
#include "queue/admin/job_waits.hpp"
#include "queue/admin/lane_views.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <vector>

namespace postrider::cli {

std::string to_text(std::vector<queue::job_summary> const& jobs);
// With what it waited for, and the commands that decide the approvals it waits for.
std::string to_text(
    queue::job_details const& job,
    std::vector<queue::job_wait> const& waited = {},
    std::vector<std::string> const& approvals = {}
);
boost::json::value to_json(queue::job_page const& page);

std::string to_text(std::vector<queue::lane_summary> const& lanes);
boost::json::value to_json(std::vector<queue::lane_summary> const& lanes);

std::string to_text(std::vector<queue::doubtful_effect> const& effects);
boost::json::value to_json(queue::doubtful_effects_page const& page);

// One line each, without its end.
std::string to_text(queue::job_event const& event);
boost::json::value to_json(queue::job_event const& event);

// "job 42: cancelled", "lane 1:5:0: refused (not_found): there is no lane 1:5:0"
std::string to_text(queue::operation_result const& result);
boost::json::value to_json(queue::operation_result const& result);

} // namespace postrider::cli
