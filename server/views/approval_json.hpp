#pragma once
// Approvals as the API and `approvals list --json` write them. Pure.
#include "storage/stores/approvals.hpp"

#include <boost/json/object.hpp>

#include <vector>

namespace postrider::server {

boost::json::object approval_json(storage::approval const& approval);
// {"approvals": […], "next"?}: next where the page is full.
boost::json::object approvals_json(std::vector<storage::approval> const& approvals, int limit);

} // namespace postrider::server
