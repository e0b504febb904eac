#pragma once
// Flows as the API and `flows … --json` write them. Pure.
#include "agent/flow/document/problem.hpp"
#include "storage/stores/flows.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <vector>

namespace postrider::server {

boost::json::object flow_json(storage::flow_row const& flow);
boost::json::object version_json(storage::flow_version_row const& version);
boost::json::array problems_json(std::vector<agent::flow::problem> const& problems);

} // namespace postrider::server
