#pragma once
// The endpoints, by what they are about: a file of them is a line in endpoints.def. docs/api.md tells how
// to use them, the part beside each file describes them, and a test compares that with what they answer.
#include "agent/flow/library/library.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/start/execution_intake.hpp"
#include "agent/flow/validate/graph.hpp"
#include "agent/flow/watch/live.hpp"
#include "agent/mcp/server.hpp"
#include "agent/mcp/servers.hpp"
#include "base/random.hpp"
#include "server/api/endpoint.hpp"
#include "server/api/flow_requests.hpp"
#include "server/api/reply_waiters.hpp"
#include "server/start/bot_state.hpp"
#include "server/views/bot_setup.hpp"
#include "server/views/group_desk.hpp"
#include "server/views/model_list.hpp"

#include <map>
#include <memory>
#include <optional>

namespace postrider::api {

class demo_chat;       // server/api/demo_chat.hpp
class shared_readings; // server/api/shared_readings.hpp

// What executions are looked at with; outlives the routes.
struct execution_services {
    agent::flow::node_services const& nodes;
    agent::flow::live& live;
    agent::flow::catalog const& types;
};

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

// What the todo server is reached with; outlives the routes.
struct mcp_services {
    agent::mcp::server const& server;
    storage::batcher& writes; // of sessions
    storage::batcher& reads;
    base::random_source& random;
    std::vector<std::string>
        hosts; // patterns (net/host_pattern.hpp), beside addresses and localhost
};

struct execution_watchers;
struct shared_conversations;
struct event_watchers;
// The installation as its operators see it from this process; outlives the routes.
struct installation {
    server::config const& settings;
    agent::mcp::servers& servers; // of [mcp.NAME]
    // The bots that run here.
    std::function<base::awaitable<std::vector<server::bot_state>>()> bots = {};
    std::vector<base::settings::line> const* shown_settings = nullptr; // null = not known
    server::bot_setup* bot_setup = nullptr; // null = no bot can be set up from here
    server::group_desk* groups = nullptr;   // null = the bots' groups are not known
};

// What endpoints are answered with; outlives the routes. What a process does not have, it has no
// endpoints for.
struct resources {
    base::random_source& random;
    flow_services flows = {};
    server::model_directory* models = nullptr;
    std::vector<server::bot_config> const* bots = nullptr;
    std::optional<execution_services> executions = {};
    std::optional<conversation_services> conversations = {};
    std::optional<mcp_services> todo = {};
    std::optional<api::installation> installed = {};
    token_mint mint{base::secret()};
    demo_chat* demo = nullptr; // of demo mode; outlives the routes
    // What all who watch share, whichever endpoint they watch by: see add_shared_watchers(). Without
    // them a file of endpoints makes its own, or has none.
    std::shared_ptr<execution_watchers> watchers_of_executions = {};
    std::shared_ptr<shared_conversations> watchers_of_conversations = {};
    std::shared_ptr<event_watchers> watchers_of_events = {};
    std::shared_ptr<shared_readings> readings = {};
};

// Of each file its endpoints, and the part of the API's description that is embedded when the binary is
// built: a JSON object with "paths", and the "schemas" and "responses" that its paths alone refer to; what
// several refer to stands in openapi.json.
#define ENDPOINTS(name)                                                                            \
    std::vector<endpoint> name##_endpoints(resources const& resources);                            \
    std::string_view name##_part();
#include "server/api/endpoints.def"
#undef ENDPOINTS

// Adds what all who watch share. The readings are there before.
void add_shared_watchers(resources& all);

// All of them, each with its part.
std::vector<endpoint> all_endpoints(resources const& resources);

} // namespace postrider::api
