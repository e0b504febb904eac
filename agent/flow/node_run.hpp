#pragma once
// What a node sees while it runs, and what it returns.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/part.hpp"
#include "agent/flow/shared_json.hpp"
#include "queue/workflow.hpp"
#include "storage/stores/messages.hpp"

#include <boost/json/value.hpp>

#include <map>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace postrider::agent::flow {

struct node;
class stop_wish;

// One thing that travels along main connections.
struct item {
    shared_json json;
};
using items = std::vector<item>;
inline constexpr std::size_t most_items = 1000; // of one output

// By output port. A port that is not named got nothing: what hangs on it alone does not run.
using outputs = std::map<std::string, items, std::less<>>;
inline outputs to_main(boost::json::value json) {
    items all;
    all.push_back({std::move(json)});
    outputs output;
    output.emplace("main", std::move(all));
    return output;
}

// A pure node with one of its items. Parameters are evaluated with that item as $json, checked
// against the type's schema, defaults filled in.
struct item_run {
    flow::node const& node;
    boost::json::object const& parameters;
    item const& input;
};

class budget_reservations; // run/budget_reservations.hpp
class audit_trail;         // run/audit_trail.hpp

// A node's call of a flow.
struct flow_call_name {
    std::string step; // within the node: tells its calls apart
    int behind = 0;   // which message of the node: what the called flow says stands behind it
    int number = 0;   // of those behind the same message
};

// The first step of such a call: pins the flow's version.
inline std::string version_step(std::string const& call) {
    return call + "/version";
}

// What the called flow failed with: its caller goes on from that in every run.
inline std::string failure_step(std::string const& call) {
    return call + "/failed";
}

// Of a node of a loop: its steps of each run stand in a scope of this and a number.
inline constexpr std::string_view round_prefix = "round:";
inline std::string_view without_round(std::string_view step) noexcept {
    return step.starts_with(round_prefix) ? step.substr(step.find('/') + 1) : step;
}

// Of a node that waits for an event.
inline constexpr std::string_view event_step = "event";

// The event of a piece of what a model is saying; nothing tells it afterwards. An empty piece takes back
// those of the call before it.
inline constexpr std::string_view model_chunk = "model_chunk";

// Behind the last piece of a call. Whoever shows the pieces needs it; nobody is told of it over the API.
inline constexpr std::string_view model_silent = "model_silent";

// A durable node with all of its items. Its steps are named within the node: "model" becomes
// "ID/model".
class node_run {
public:
    virtual ~node_run() = default;
    virtual flow::node const& node() const = 0;
    virtual flow::items const& input() const = 0;
    virtual execution_input const& started_by() const = 0;
    virtual node_services const& services() const = 0;
    virtual queue::workflow& steps() = 0;
    // Evaluated with that item as $json, checked, defaults filled in. Between the items of a long
    // input others get to run.
    virtual base::awaitable<base::result<boost::json::object>> parameters(std::size_t item = 0) = 0;
    // The input to which that item came, and whether anything is connected to an input.
    virtual std::string_view input_port(std::size_t /*item*/) const { return "main"; }
    virtual bool is_connected(std::string_view /*input*/) const { return true; }
    // What the execution's model calls are paid from; null where no budget is configured.
    virtual budget_reservations* reservations() { return nullptr; }
    // What the execution tells the audit; null where nobody keeps one.
    virtual audit_trail* audit() { return nullptr; }
    // For its acting step: from the node's settings, or the type's own.
    virtual base::retry_policy retry(base::retry_policy otherwise) const = 0;

    // What hangs on the node, its parameters evaluated with that item as $json.
    virtual std::unique_ptr<node_parts> parts(std::size_t item) = 0;

    // The conversation of the execution's lane, and where this node's k-th message stands in it.
    virtual flow::conversation& conversation() = 0;
    virtual std::int64_t position(int k) const = 0;
    // steps().commit(), refused while the question can still be edited: the graph begins anew then,
    // and this call does not return.
    virtual base::awaitable<void> commit(queue::commit_with additions) = 0;
    // Work that was paid for before the graph began anew, and may be used again for the same
    // question. Null: none.
    virtual boost::json::value const* spare(std::string const& question) const = 0;
    virtual void keep_spare(std::string question, boost::json::value work) = 0;
    // An answer for the conversation. A node behind this one that sends it to the chat, alone or
    // within other words, takes it and writes one row, of what it sends, with the intent; what nobody
    // has taken is written with the execution's end.
    virtual void give_answer(storage::message_row row) = 0;
    virtual std::optional<storage::message_row> take_answer(std::string_view text) = 0;

    // Runs another flow within this job, from its manual trigger, its steps named within this node:
    // what it ends with. The version that is current at the first run is kept.
    virtual base::awaitable<base::result<items>> call(
        std::string flow, boost::json::value data, flow_call_name call_name
    ) = 0;

    // Runs the nodes behind the output that leads into the node's loop, once, with these items: what comes
    // back, by input. Their steps are named after the round. A failure that ends the execution does not
    // return.
    virtual base::awaitable<base::result<outputs>> run_round(items /*batch*/) {
        co_return base::error(base::errc::invalid, "this node has no loop");
    }

    // The node's line in the execution's metadata.
    virtual void note(std::string_view key, boost::json::value value) = 0;
    // The execution completes all the same, and counts as degraded (agent/talk/degradation.hpp). To be said
    // in every run.
    virtual void degrade(queue::degradation reason) = 0;
    // Rows for the execution's last commit.
    virtual void add_last_row(storage::write row) = 0;
    // For whoever watches right now; not recorded. Somebody does:
    virtual bool is_watched() const = 0;
    // Null: nobody can stop what is said. It outlives the run.
    virtual stop_wish* stop() const { return nullptr; }
    virtual void tell(std::string_view event, boost::json::object detail) = 0;
};

} // namespace postrider::agent::flow
