#pragma once
// The endpoints, by what they are about. docs/api.md tells how to use them, the part beside each file
// describes them, and a test compares that with what they answer.
#include "agent/flow/graph.hpp"
#include "agent/flow/library/library.hpp"
#include "agent/flow/services.hpp"
#include "agent/flow/start/execution_intake.hpp"
#include "agent/flow/watch/live.hpp"
#include "agent/mcp/server.hpp"
#include "base/random.hpp"
#include "server/api/endpoint.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/reply_waiters.hpp"
#include "server/views/model_list.hpp"

#include <map>

namespace postrider::api {

// Jobs: looking, and the operations on one.
std::vector<endpoint> job_endpoints();
// One operation on all jobs that a filter matches.
std::vector<endpoint> bulk_endpoints();
// Lanes, bots and everything: looking, pausing, events.
std::vector<endpoint> lane_endpoints();
// Effects in doubt.
std::vector<endpoint> effect_endpoints();
// Calls of tools that wait for a person's word.
std::vector<endpoint> approval_endpoints();
// The audit, for owners.
std::vector<endpoint> audit_endpoints();
// One person's words are cleared, for owners.
std::vector<endpoint> erasure_endpoints();
// Who was refused by the allowlists. The bots must outlive them.
std::vector<endpoint> stranger_endpoints(std::vector<server::bot_config> const& bots);
// Named sessions that agents remember.
std::vector<endpoint> session_endpoints();
// What models there are. The directory must outlive them.
std::vector<endpoint> model_endpoints(server::model_directory& models);
// What was asked of models, and what it cost.
std::vector<endpoint> usage_endpoints();
// Bearer tokens. The mint and the source of chance must outlive them.
std::vector<endpoint> token_endpoints(token_mint const& mint, base::random_source& random);

// Flows: their drafts, their versions, and what helps to make them. The services must outlive them.
std::vector<endpoint> flow_endpoints(flow_services const& services);
std::vector<endpoint> flow_version_endpoints(flow_services const& services);
std::vector<endpoint> flow_tool_endpoints(flow_services const& services);

// What executions are looked at with; outlives the routes.
struct execution_services {
    agent::flow::node_services const& nodes;
    agent::flow::live& live;
    agent::flow::catalog const& types;
};
// Executions: looking, watching, replaying.
std::vector<endpoint> execution_endpoints(execution_services with);

// What conversations are held with; outlives the routes.
struct conversation_services {
    agent::flow::library const& flows;
    std::map<std::string, boost::json::object, std::less<>> const& agents; // [agents], by name
    api::reply_waiters& waiting;
    base::random_source& random;
    agent::flow::execution_intake& executions;
    storage::batcher& reads;
    agent::flow::node_services const& nodes;
    agent::flow::live& live;
};
// The chat API: conversations of people, each with their own.
std::vector<endpoint> conversation_endpoints(conversation_services with);

// What the todo server is reached with; outlives the routes.
struct mcp_services {
    agent::mcp::server const& server;
    storage::batcher& writes; // of sessions
    storage::batcher& reads;
    base::random_source& random;
    std::vector<std::string> hosts; // patterns (net/host_pattern.hpp), beside the own network's
};
// The todo server: POST /mcp, and the end of a session.
std::vector<endpoint> mcp_endpoints(mcp_services with);

} // namespace postrider::api
