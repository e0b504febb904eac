#pragma once
// What flows get from the configuration: its models, its agents as variables, and what tools ask for.
#include "agent/flow/nodes/process_sessions.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/mcp/servers.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "agent/models/transcription.hpp"
#include "net/guarded_client.hpp"
#include "net/mail_client.hpp"
#include "net/redis_client.hpp"
#include "server/bots/bots.hpp"
#include "server/demo/hanging_call.hpp"
#include "server/start/config.hpp"
#include "server/start/start_up.hpp"
#include "server/telemetry/measured_model.hpp"
#include "server/views/model_list.hpp"

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
    flow_models(
        config const& settings,
        net::http_client& http,
        base::clock& clock,
        telemetry::model_measures* measures = nullptr, // null = nobody counts the calls
        hanging_call* next_call = nullptr // that may be asked to hang; null = none ever does
    );

    // not_found: no such entry; invalid: another provider's. A built-in provider needs no entry.
    base::result<agent::flow::model_part> find(agent::flow::model_selection const& selection);
    agent::model const& configured(std::string const& name) const {
        return *models_.at(name).model;
    }
    bool is_built_in(std::string const& name) const; // of a configured one
    model_directory& directory() noexcept { return directory_; }

private:
    struct priced_model {
        std::unique_ptr<agent::model> model;
        agent::token_prices prices;
    };

    base::result<std::unique_ptr<agent::model>> make(
        agent::model_options options, agent::token_prices prices
    ) const;
    base::result<agent::flow::model_part> find_built_in(
        agent::flow::model_selection const& selection
    );
    base::result<agent::flow::model_part> find_usual(agent::flow::model_selection const& selection);
    base::result<priced_model const*> renamed(std::string const& entry, std::string const& model);

    config const& settings_;
    net::http_client& http_;
    base::clock& clock_;
    telemetry::model_measures* measures_;
    hanging_call* next_call_;
    std::map<std::string, priced_model, std::less<>> models_;
    // By entry and name: as many as flows have ever asked for.
    std::map<std::pair<std::string, std::string>, priced_model> renamed_;
    std::map<std::string, std::unique_ptr<agent::model>, std::less<>> built_in_; // by provider
    model_directory directory_{settings_, http_, clock_};
};

// What tools reach: public addresses, what the operator says of them, who is an owner, and who writes speech down. On the executor's thread.
class tool_services {
public:
    // All outlive it. Throws start_failure when the transcription server has no usable address.
    tool_services(
        base::asio::any_io_executor const& executor,
        config const& settings,
        bots const& bots,
        net::http_client& http,
        base::clock& clock
    );

    // It outlives the services.
    void serve(agent::flow::node_services& services);
    // It outlives what runs flows.
    void offer_tasks(agent::mcp::in_process_caller& tasks) { servers_.set_tasks(&tasks); }
    // What this process alone remembers.
    void forget_sessions() noexcept { sessions_.clear_all(); }
    // Calls nobody any more. Await it before destruction.
    base::awaitable<void> close();

private:
    config const& settings_;
    bots const& bots_;
    net::guarded_client web_;
    net::mail_client mail_;
    net::redis_client redis_;
    agent::flow::process_sessions sessions_;
    base::sys_time started_at_;
    agent::mcp::servers servers_;
    std::unique_ptr<agent::transcriber> transcription_; // null: none is configured
};

// Of [embeddings.default]; null without one, or where the database cannot keep vectors. The client and the clock
// outlive it. Throws start_failure.
std::unique_ptr<agent::embedder> make_embedder(
    config const& settings, prepared const& ready, net::http_client& http, base::clock& clock
);

// $vars.agent of each [agents.NAME].
std::map<std::string, boost::json::object, std::less<>> agent_variables(config const& settings);

// [agents] and [budgets]. The database outlives the services.
void configure(agent::flow::node_services& services, config const& settings, storage::database& db);

} // namespace postrider::server
