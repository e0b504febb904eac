#pragma once
// What nodes get from the composition root. Everything referred to outlives the engine.
#include "agent/describe/bounds.hpp"
#include "agent/flow/budgets.hpp"
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/code_options.hpp"
#include "agent/flow/parts/models.hpp"
#include "agent/flow/parts/resume_link.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/tools/tool_configuration.hpp"
#include "base/clock.hpp"
#include "base/measures.hpp"
#include "base/random.hpp"
#include "queue/limits/limits.hpp"
#include "storage/batcher.hpp"

#include <functional>
#include <map>
#include <memory>
#include <string>

namespace postrider::net {
class guarded_client;
class mail_client;
class redis_client;
} // namespace postrider::net

namespace postrider::agent {
class transcriber;
}

namespace postrider::agent::mcp {
class servers;
}

namespace postrider::agent {
class embedder;
}

namespace postrider::agent::spam {
class knowledge_cache;
}

namespace postrider::agent::flow {

class graph;
class observer;
class process_sessions;

// What a model node asks for; what it leaves empty is as [models.CREDENTIAL] says.
struct model_selection {
    std::string credential = "default"; // a name in [models]
    std::string provider = {};          // the credential must be of this one; "" = any
    std::string model = {};
    std::optional<int> max_tokens = {};
    std::optional<double> temperature = {};
    std::optional<streaming> stream = {};
};

// Executions of tools, by name and the class of the error. What MCP servers name is apart: it cannot
// crowd out the others. A flow that is run as a tool, and a question to a person, are not here.
struct tool_measures {
    base::durations own{base::call_bounds};
    base::durations of_servers{base::call_bounds};
};

struct node_services {
    storage::batcher& reads;
    messenger& out;
    base::clock& clock;
    base::random_source& random;
    queue::limiter* limits = nullptr; // hears how the models do
    // not_found: no such credential; invalid: of another provider.
    std::function<base::result<model_part>(model_selection const& selection)> model = {};
    // The graph of a version; not_found, unavailable.
    std::function<base::awaitable<base::result<std::shared_ptr<graph const>>>(
        std::string name, std::int64_t version
    )>
        find_flow = {};
    // A draft made ready to run; refused: this process cannot.
    std::function<base::result<std::shared_ptr<graph const>>(
        std::string const& name, boost::json::value const& document
    )>
        compile = {};
    // The current version of a flow, for those who call it; 0 = none.
    std::function<std::int64_t(std::string_view name)> current_version = {};
    // [agents.NAME] as $vars.agent: {"name", "model", "max_tokens", "persona", "history", "history_slack", "history_tokens",
    // "max_tool_calls", "max_repeats", "timezone", "backups"; "when_model_fails" where it is written}.
    std::map<std::string, boost::json::object, std::less<>> agents = {};
    // [chatbot] as $vars.chatbot, unless the flow has one of its own; empty = nothing.
    boost::json::object chatbot = {};
    // Who watches a job live, for one run of it; never null, and quick when nobody does.
    std::function<std::unique_ptr<observer>(job_id, lane_id)> watcher = {};
    // Who shows its answer to the person while it is written; none, or null: nobody.
    std::function<std::unique_ptr<observer>(queue::job const&, graph const&)> drafts = {};
    // For tools: reaches public addresses only; null = none.
    net::guarded_client* web = nullptr;
    net::credentials const* credentials = nullptr; // [credentials.NAME]; null = none
    std::vector<address> approvers =
        {}; // private chats of those who decide where a turn has no chat
    // Likewise of these users, as far as a bot serves them; none = all are those above.
    std::function<std::vector<address>(std::vector<user_id> const&)> approver_chats = {};
    std::chrono::milliseconds approval_timeout = bounds::approval_timeout.usual;
    std::map<std::string, tool_configuration, std::less<>> tools = {}; // [tools.NAME]
    std::optional<base::steady_time> began = {}; // this process; none = long ago
    // Whether a person is an owner of the bot; none = nobody is.
    std::function<bool(bot_id, user_id)> is_owner = {};
    mcp::servers* servers = nullptr;            // of [mcp.NAME]; null = none
    std::optional<agent::budgets> budgets = {}; // of [budgets]; none = nothing is asked of it
    int messages_per_minute = 0;                // of one person over the chat API; 0 = any number
    bool audit_in_full = false; // what is asked of models and tools stands beside the audit
    // Of the people whom the bot answers and who have set none; "" or none = the tools' own.
    std::function<std::string(bot_id)> timezone_of = {};
    tool_measures* tool_calls = nullptr;   // null = nobody counts them
    std::optional<code_options> code = {}; // of [code]; none = nodes that run code are off
    transcriber* transcription = nullptr;  // of [transcription]; null = nobody writes speech down
    resume_links links = {};
    net::mail_client* mail = nullptr;     // null = none is sent
    net::redis_client* redis = nullptr;   // null = none is reached
    process_sessions* sessions = nullptr; // in this process; null = none are kept
    // When the process began, by its clock: what lives with it has nothing of before. None = nothing does.
    std::optional<base::sys_time> started_at = {};
    agent::embedder* embedder =
        nullptr; // of texts, where vectors can be stored; null = words alone are searched
    // What the spam filter has learned; null = it knows the samples that come with it.
    spam::knowledge_cache* spam = nullptr;
};

} // namespace postrider::agent::flow
