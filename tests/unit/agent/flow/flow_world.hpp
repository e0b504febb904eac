#pragma once
// A flow written in a test, and what it needs around it, in memory.
#include "queue/workflow.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

// Of a document that must be right.
std::shared_ptr<agent::flow::graph const> compiled(std::string_view document);

// Tells an execution in short lines: "> A" started, "A -> B" used, "< A" done, "! A code" failed. Items
// that come out of a node must be those that its type declares.
class telling_observer final : public agent::flow::observer {
public:
    explicit telling_observer(agent::flow::definition const& flow) : flow_(flow) {}

    void node_started(agent::flow::node const& which, agent::flow::items const& input) override;
    void connection_used(agent::flow::connection const& which, std::size_t items) override;
    void node_finished(
        agent::flow::node const& which,
        agent::flow::outputs const& output,
        base::error const* failure,
        boost::json::object const& metadata
    ) override;
    void node_reported(
        agent::flow::node const& which, std::string_view event, boost::json::object detail
    ) override;

    std::vector<std::string> lines;
    std::map<std::string, agent::flow::outputs, std::less<>> passed_on; // by the node's name

private:
    agent::flow::definition const& flow_;
    std::map<agent::flow::node const*, agent::flow::items> inputs_;
};

// The inputs of the jobs of that kind that the writes enqueue.
std::vector<boost::json::value> jobs_in(
    std::vector<storage::write> const& writes, std::string_view kind
);

struct flow_world {
    explicit flow_world(std::string_view document);

    // Runs the flow once with the data against the record.
    queue::outcome run(boost::json::value data = boost::json::object{});
    queue::outcome run(agent::flow::execution_input input);
    // As run(), but the process dies at the n-th commit; false when it ended before.
    bool run_and_die(int commit, boost::json::value data = boost::json::object{});

    // Runs another job once with that input, against the record of its runs. It may die at the n-th commit.
    queue::outcome run_job(
        queue::job_kind const& kind,
        boost::json::value input,
        fake_record& its_record,
        int dies_at_commit = 0
    );

    // The items that the execution ended with, as JSON text.
    static std::string ended(queue::outcome const& outcome);

    loop io;
    base::manual_clock clock;
    counting_random random;
    message_table table;
    scripted_model model;
    std::map<std::string, agent::flow::model_part, std::less<>>
        models;                                             // beside it, by [models.NAME]
    std::map<std::string, base::error, std::less<>> closed; // gates
    recording_chat chat;
    std::shared_ptr<agent::flow::graph const> graph;
    std::map<std::string, std::shared_ptr<agent::flow::graph const>, std::less<>> others; // to call
    std::optional<base::error> others_away;                         // why they cannot be had now
    std::map<std::string, boost::json::object, std::less<>> agents; // beside the assistant
    agent::mcp::servers* servers = nullptr;
    std::map<std::string, agent::tool_configuration, std::less<>> tools; // of the operator
    std::function<void(agent::flow::node_services&)> adjust;             // for what is not above
    queue::job job;
    fake_record record;
    std::map<std::string, boost::json::value> events;
    bool side_by_side = false;     // as of fake_workflow
    bool held_stands = false;      // likewise
    std::vector<std::string> log;  // of the last run: steps and commits
    std::vector<std::string> told; // of the last run: what the observer heard
    std::map<std::string, agent::flow::outputs, std::less<>> passed_on; // of the last run

private:
    queue::outcome run_with(fake_workflow& steps);
    agent::flow::node_services services();
    base::awaitable<base::result<std::shared_ptr<agent::flow::graph const>>> find(
        std::string name, std::int64_t version
    );
    fake_workflow workflow(boost::json::value data);
    std::size_t applied_ = 0;
};

} // namespace postrider::tests
