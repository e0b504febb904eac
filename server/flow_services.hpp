#pragma once
// What flows get from the configuration: its models, and its agents as variables.
#include "agent/flow/services.hpp"
#include "net/http_client.hpp"
#include "server/start/config.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace postrider::server {

// The models of [models], and those that nodes make of them with a name of their own. On the
// executor's thread.
class flow_models {
public:
    // All outlive it. Throws start_failure when a configured model cannot be made.
    flow_models(config const& settings, net::http_client& http, base::clock& clock);

    // not_found: no such entry; invalid: another provider's.
    base::result<agent::flow::model_part> find(agent::flow::model_wish const& wish);
    agent::model const& configured(std::string const& name) const { return *models_.at(name); }

private:
    config const& settings_;
    net::http_client& http_;
    base::clock& clock_;
    std::map<std::string, std::unique_ptr<agent::model>, std::less<>> models_;
    // By entry and name: as many as flows have ever asked for.
    std::map<std::pair<std::string, std::string>, std::unique_ptr<agent::model>> renamed_;
};

// $vars.agent of each [agents.NAME].
std::map<std::string, boost::json::object, std::less<>> agent_variables(config const& settings);

} // namespace postrider::server
