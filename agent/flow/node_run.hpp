#pragma once
// What a node sees while it runs, and what it returns.
#include "agent/messenger.hpp"
#include "agent/models/model.hpp"
#include "agent/tools/tool.hpp"
#include "base/async.hpp"
#include "queue/workflow.hpp"

#include <boost/json/value.hpp>

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

struct node;

// One thing that travels along main connections.
struct item {
    boost::json::value json;
};
using items = std::vector<item>;
inline constexpr std::size_t most_items = 1000; // of one output

// By output port. A port that is not named got nothing: what hangs on it alone does not run.
using outputs = std::map<std::string, items, std::less<>>;
inline outputs to_main(boost::json::value json) {
    items one;
    one.push_back({std::move(json)});
    outputs made;
    made.emplace("main", std::move(one));
    return made;
}

// A pure node with one of its items. Parameters are evaluated with that item as $json, checked
// against the type's schema, defaults filled in.
struct item_run {
    flow::node const& node;
    boost::json::object const& parameters;
    item const& input;
};

// What hangs on an agent by an ai_ connection, made anew for each execution.
struct model_part {
    agent::model* model = nullptr; // outlives the execution
    int max_tokens = 4096;
    // Names in queue/limits.hpp; "" = none: whose breaker the model's failures open, and what its
    // calls count against.
    std::string breaker = {};
    std::string rate = {};
};
class memory; // memory.hpp
struct memory_part {
    std::shared_ptr<agent::flow::memory> memory;
};
struct tool_part {
    std::shared_ptr<agent::tool> tool;
};
using ai_part = std::variant<model_part, memory_part, tool_part>;

struct node_services; // services.hpp: models, messenger, tools, flows

struct part_run {
    flow::node const& node;
    boost::json::object const& parameters; // evaluated; $from_ai ones are left out
    node_services& services;
};

// A durable node with all of its items. Its steps are named within the node: "model" becomes
// "ID/model".
class node_run {
public:
    virtual ~node_run() = default;
    virtual flow::node const& node() const = 0;
    virtual flow::items const& input() const = 0;
    // Evaluated with that item as $json, checked, defaults filled in.
    virtual base::result<boost::json::object> parameters(std::size_t item = 0) = 0;
    virtual queue::workflow& steps() = 0;
    virtual node_services& services() = 0;
    // What started the execution: {"trigger": node id, …}; of a Telegram message its address.
    virtual boost::json::object const& trigger() const = 0;
    // What hangs on the node. errc of the part that could not be made.
    virtual base::result<model_part> model() = 0;
    virtual base::result<std::shared_ptr<agent::flow::memory>> memory() = 0; // null = none
    virtual base::result<std::vector<std::shared_ptr<agent::tool>>> tools() = 0;
    // A retry policy for its acting step, from the node's settings or the type's own.
    virtual base::retry_policy retry(base::retry_policy otherwise) const = 0;
    // For the execution's metadata.
    virtual void note(std::string key, boost::json::value value) = 0;
    virtual void spend(queue::usage tokens) = 0;
    // For whoever watches right now; not recorded.
    virtual void tell(std::string_view event, boost::json::object detail) = 0;
};

} // namespace postrider::agent::flow
