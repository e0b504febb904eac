#pragma once
// What the product can be told, as one value with real types. settings_table() is the only list of
// keys: the loader, the flags, `check` and the tables of docs/configuration.md are made from it.
#include "agent/describe/bounds.hpp"
#include "agent/flow/parts/code_options.hpp"
#include "agent/mcp/server_options.hpp"
#include "agent/models/embedding/embedder.hpp"
#include "agent/models/model.hpp"
#include "agent/models/options.hpp"
#include "agent/models/transcription.hpp"
#include "agent/tools/tool_configuration.hpp"
#include "base/clock.hpp"
#include "base/ids.hpp"
#include "base/log.hpp"
#include "base/secret.hpp"
#include "base/settings.hpp"
#include "net/credential.hpp"
#include "server/start/bot_settings.hpp"
#include "server/start/chatbot_settings.hpp"
#include "server/telemetry/options.hpp"
#include "storage/stores/budgets.hpp"

#include <filesystem>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postrider::server {

// Demo mode: its bot, the agent that answers there, and the person who writes to it.
inline constexpr std::string_view demo_bot = "demo";
inline constexpr std::string_view demo_agent = "todo";
inline constexpr user_id demo_person{1000};

// Names of queue/limits/limits.hpp. Models that share a provider's address and key share its breaker.
struct model_limits {
    std::string breaker; // "provider:anthropic", "model:own"; "" = it cannot fail
    std::string rate;    // "model:default"
    int requests_per_minute = 0;
};

// US dollars for a million tokens; none: what the vendor's list says.
struct configured_prices {
    std::optional<double> input;
    std::optional<double> cached;
    std::optional<double> output;
};

struct agent_config {
    std::vector<std::string> models{"default"}; // names in config::models, in the order of asking
    int history = agent::bounds::history.usual; // messages in the context
    int history_slack = agent::bounds::history_slack.usual; // so many more may be there
    int history_tokens =
        agent::bounds::history_tokens.usual; // of a conversation that is sent whole
    int max_tool_calls = agent::bounds::assistant_tool_calls.usual;
    int max_repeats = agent::bounds::repeats.usual;
    std::string persona; // empty = the built-in one
    std::string
        when_model_fails; // a name of agent/flow/model_failure_policy.hpp; empty = as the flow says
};

struct config {
    std::filesystem::path data; // everything the product writes outside Postgres
    std::string database_url;   // empty = a private cluster under data
    bool prepared = true;
    bool listen_to_others = true; // LISTEN/NOTIFY

    std::string listen;
    std::string public_url; // empty = long polling
    std::vector<std::string> trusted_proxies;
    std::vector<std::string> hosts; // patterns, beside the own network's and the public URL's
    base::secret admin_token;       // empty = made at the first start

    base::log::level log_level = base::log::level::info;
    base::log::format log_format = base::log::format::logfmt;

    std::vector<bot_config> bots; // those with a token; none = demo mode
    chatbot_config chatbot;       // the group bot
    // By name; "default" always exists: configured, or chosen by the keys that are present.
    std::map<std::string, agent::model_options, std::less<>> models;
    std::map<std::string, server::model_limits, std::less<>> model_limits; // of the same names
    std::map<std::string, configured_prices, std::less<>> model_prices;    // of those in the file
    bool lacks_model = false; // no key is there, and no model is described that is not built in
    // Models at an address of their own that the provider's key is not sent to, for want of share_key.
    std::vector<std::string> withheld_keys;
    std::optional<agent::embedding_options> embeddings; // none = memories are found by words alone
    std::map<std::string, agent_config, std::less<>> agents; // "assistant" always exists

    std::map<std::string, base::secret, std::less<>> secrets; // what flows name
    net::credentials credentials;                             // what nodes and MCP servers name
    std::map<std::string, agent::mcp::server_options, std::less<>> mcp_servers;
    std::map<std::string, agent::tool_configuration, std::less<>> tools; // by name

    // What may be spent in a day, by scope (agent/flow/budgets.hpp); none = no limit.
    std::map<std::string, storage::spending, std::less<>> budgets;
    std::string timezone = "UTC"; // where a day of them begins
    int messages_per_minute = 0;  // of one person; 0 = any number

    postrider::telemetry::options telemetry; // where traces go

    base::duration approval_timeout = agent::bounds::approval_timeout.usual;
    std::vector<user_id> approvers; // where a turn has no chat; none = the owners of the bots
    base::secret audit_key;         // empty = links are plain hashes
    bool audit_in_full = false;     // what models and tools are asked stands beside the audit

    std::optional<agent::flow::code_options> code;             // none = nodes that run code are off
    std::optional<agent::transcription_options> transcription; // none = speech is not understood

    int slots = 256; // turns in flight
    base::duration drain_timeout = std::chrono::seconds{20};
    base::duration keep_inbox = std::chrono::hours{48};
    base::duration keep_rejected = std::chrono::hours{24 * 30};
    base::duration keep_jobs = std::chrono::hours{24 * 90};
    base::duration keep_messages{0}; // zero = for ever
    std::string faults;              // for tests: base/fault.hpp
};

std::span<base::setting const> settings_table();

// Environment names that begin so are ours; an unknown one is a mistake.
inline constexpr std::string_view own_prefix = "POSTRIDER_";

struct config_sources {
    std::map<std::string, std::string, std::less<>> flags; // key → value
    base::environment environment;
    base::environment_file environment_file = {};
    std::string file; // "" = postrider.toml of the working directory, if there is one
};

struct loaded_config {
    config values;
    std::vector<base::settings::line> effective; // masked, for people
    std::vector<std::string> problems;           // empty = usable
    std::string exposed_file; // an environment file with secrets that others may read; "" = none
};

loaded_config load_config(config_sources const& sources);

} // namespace postrider::server
