#pragma once
// One walk over a graph, from where an execution starts until nothing is left to do: which node is
// next, what has come to it, and what it made. Steps of its nodes are the job's.
#include "agent/flow/chat/conversation.hpp"
#include "agent/flow/run/execution.hpp"
#include "agent/flow/run/message_place.hpp"
#include "agent/flow/run/names.hpp"
#include "base/time_slice.hpp"

#include <boost/json/object.hpp>

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::flow {

// Thrown by a commit that came too late for an edit: the graph is to be begun anew.
struct begin_anew {};

// What several walks of one run share.
struct walk_context {
    graph const& flow;
    queue::workflow steps; // of a flow that is called: in the scope of its caller's node
    node_services const& services;
    observer& watcher;
    execution_input const& input;
    flow::conversation& conversation;
    agent_view& agent;
    base::time_slice& slice;
    // What was paid for before the graph was begun anew: the work by where the steps of the node's run
    // stand, which every round has for itself, and by question.
    std::map<std::pair<std::string, std::string>, boost::json::value> spares = {};
    int times_begun = 0;
    std::optional<queue::degradation> degraded = {}; // by what its nodes could not do
    std::string now = {};                            // $now, recorded
    // Of a flow that is called: what it came to stands in the record, and `steps` look on.
    bool has_ended = false;
    int depth = 0;                      // flows that called this one
    std::vector<call_place> calls = {}; // by which it came here, the outermost first
    std::string path = {};              // the same as the steps have it: nodes and their calls
    budget_reservations* reservations = nullptr; // null where no budget is configured
    audit_trail* audit = nullptr;                // null where nobody keeps one
};

// Flows that call flows: so many levels.
inline constexpr int deepest_call = 8;

// So often a message may be edited while it is being answered; then the answer stands.
inline constexpr int most_edits = 3;

class walk {
public:
    explicit walk(walk_context& context);

    // Until nothing is left to do, or a node has failed the execution; of a flow that has ended, as far
    // as the record goes.
    base::awaitable<void> run();

    struct failed_node {
        std::string name;
        base::error error;
    };
    std::optional<failed_node> const& failure() const noexcept { return failure_; }
    // What the nodes that nothing follows made, in the graph's order.
    items last_items() const;
    boost::json::object metadata() const; // by node name
    std::vector<storage::write> last_rows();
    // Of a flow that is called: its rows and answers are its caller's from now on.
    void hand_over(walk& caller, std::size_t index);

private:
    friend class visit;
    friend class visit_parts;
    struct place {
        int unresolved = 0;   // connections into it that are not resolved
        bool reached = false; // one of them brought items
        bool is_done = false;
        outputs output;
        boost::json::object metadata;
        int visits = 0;           // more than one only of a node of a loop: it runs in rounds
        int round = 0;            // of a loop
        bool is_of_round = false; // output is of one round alone
        items of_rounds = {};     // where nothing follows it: of all rounds
    };

    std::vector<std::size_t> starts() const;
    // The agent that is tried, or one that leads to it and has the record's steps.
    bool is_of_trial(std::size_t index) const;
    void resolve_unreachable(std::vector<std::size_t> const& starts);
    // A node has failed the execution: ends the branches that it runs beside.
    struct has_failed {};
    struct given_answer {
        std::size_t node_index = 0;
        storage::message_row row;
    };

    base::awaitable<void> follow(std::size_t index);
    base::awaitable<void> follow_all(std::vector<std::size_t> ready);
    base::awaitable<void> go(std::size_t index);
    base::awaitable<base::result<outputs>> act(std::size_t index, items const& input);
    base::awaitable<base::result<outputs>> act_in_steps(std::size_t index, items const& input);
    base::awaitable<base::result<outputs>> act_purely(std::size_t index, items const& input);
    // Evaluated with the names, checked against the type's schema, defaults filled in.
    base::result<boost::json::object> parameters(std::size_t index, agent::scope const& names);
    outputs pass_failure_on(std::size_t index, base::error const& reason);
    std::optional<items> pinned(std::size_t index) const;
    // What has come to the node: where it lies, or in `merged_input` where several sent something, or
    // nobody.
    items const& input_of(std::size_t index, items& merged_input) const;
    // The input to which an item of those came; "" where nobody sent it.
    std::string_view input_port(std::size_t index, std::size_t item) const;
    items begin_with() const;
    queue::workflow steps_of(std::size_t index) const;
    void fail(std::size_t index, base::error reason);
    bool leads(std::size_t origin, std::size_t target) const;
    std::optional<storage::message_row> take_answer(std::size_t index, std::string_view text);
    bool carry(std::size_t edge);
    std::vector<std::size_t> settle(std::size_t index, bool into_body = false);
    // walk_until.cpp
    void find_way();
    // What it makes is what the execution ends with.
    bool ends_here(std::size_t index) const;
    // walk_rounds.cpp
    bool is_last(std::size_t index) const;
    void note_next_scope(std::size_t index);
    // Of its run that goes on, or was the last one; of a node of a loop also of its n-th.
    std::string scope_of(std::size_t index) const { return scope_of(index, places_[index].visits); }
    std::string scope_of(std::size_t index, int visit) const;
    std::vector<call_place> calls_of(std::size_t index) const;
    void begin_round(std::size_t loop);
    base::awaitable<base::result<outputs>> run_round(std::size_t loop, items batch);

    walk_context& context_;
    graph const& graph_;
    std::vector<place> places_;
    std::vector<items const*> carried_; // by connection: what a place made; null = nothing
    names names_;
    std::optional<failed_node> failure_;
    std::optional<std::size_t> trial_node_; // nothing = the execution is no trial
    std::shared_ptr<bool>
        branches_over_; // while nodes run side by side: one has failed the execution
    std::vector<given_answer> answers_;
    std::vector<storage::write> last_rows_;
    std::optional<std::size_t> until_; // the last node that runs
    std::vector<bool> is_on_way_;      // by node; empty: all are
    bool committed_ = false;           // something of this execution stands in the record
};

} // namespace postrider::agent::flow
