#pragma once
// The agent loop for one item: model → (tools → model …) → answer. Its steps: "model" (each round)
// and "tool:N", the N-th call of the node: what models number their calls by may come again, and
// may be anything. What it says and hears stands in its memory, committed with the round that
// made it. Private to the agent node.
#include "agent/approvals/approve.hpp"
#include "agent/flow/memory.hpp"
#include "agent/flow/node_run.hpp"
#include "agent/flow/run/agent_settings.hpp"
#include "agent/flow/run/tool_runner.hpp"
#include "agent/loop/decide.hpp"

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace postrider::agent::flow {

// Of the step that asks a model whose calls may take so long. A person waits for the answer.
base::retry_policy asking(std::chrono::milliseconds call_timeout) noexcept;

// How far a node has come, over all its items.
struct agent_progress {
    std::size_t item = 0;
    int said = 0; // messages
    int calls = 0;
    int results = 0; // messages, once the round's results are said
};

// Lives in the frame of run_agent().
class agent_run {
public:
    agent_run(node_run& run, agent_settings settings, agent_progress& so_far)
        : run_(run),
          steps_(run.steps()),
          settings_(std::move(settings)),
          so_far_(so_far) {}

    base::awaitable<base::result<boost::json::value>> go();

private:
    // What a round led to: the answer, or nothing yet.
    using finding = std::optional<std::string>;

    base::result<void> gather_parts();
    void report_no_memory(base::error const& why) const;
    void report_model_failure() const;
    base::awaitable<void> recall();
    void keep_question(chat_message const& question);
    base::awaitable<finding> round();
    base::awaitable<queue::step_value> ask(std::chrono::milliseconds timeout);
    base::awaitable<base::result<void>> pass_gates();
    base::awaitable<queue::step_value> call_model(chat_request request);
    finding conclude(answer said);
    finding mend(std::string text, std::string instructions);
    void give(std::string const& text);
    base::awaitable<finding> use_tools(chat_reply reply, run_tools what, bool known);
    base::awaitable<void> ask_about(std::vector<tool_call> const& calls);
    base::awaitable<void> use_tool(tool_call call);

    std::string question() const; // the same for the same first request
    chat_request request(std::chrono::milliseconds timeout) const;
    tool_choice choice() const;
    void keep(queue::commit_with& with, chat_message const& message);
    void note_result(tool_call const& call, std::string text, bool is_error);
    void note_metadata();
    boost::json::value output(std::string text) const;

    node_run& run_;
    queue::workflow& steps_;
    agent_settings settings_;
    agent_progress& so_far_;

    model_part model_;
    std::shared_ptr<flow::memory> memory_;
    std::shared_ptr<offered_tools const> tools_;

    std::vector<chat_message> asked_; // what was said before, and what is asked
    std::vector<chat_message> own_;   // the rounds so far
    std::vector<tool_result> results_;
    std::set<std::string> tools_used_;
    approvals::verdicts verdicts_; // of this round's calls that were asked about
    loop_state state_;
    queue::usage used_;
    std::string now_; // the same in every round: what a round was told stays as it was
    std::optional<base::error> failure_; // the model's
    bool answered_ = false;              // all the same
    bool reused_ = false;                // the reply was paid for before the graph began anew
    boost::json::value structured_;      // the answer, where a schema is asked for
};

} // namespace postrider::agent::flow
