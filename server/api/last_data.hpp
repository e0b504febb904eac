#pragma once
// What the names of expressions meant when a flow last ran, for trying expressions out.
#include "server/api/endpoints.hpp"

namespace postrider::api {

// At the first item that came to the node (its name or id), in the newest of the flow's last few
// executions that reached it; secrets masked, long texts cut. not_found: none did. Else as the
// database fails.
base::awaitable<base::result<boost::json::object>> last_data(
    agent::flow::node_services const& nodes,
    storage::database& db,
    std::string flow,
    std::string node
);

} // namespace postrider::api
