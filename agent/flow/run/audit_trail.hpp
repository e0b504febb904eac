#pragma once
// What an execution's run adds to the audit: model calls, tool calls, refusals, and stops by a budget or the
// loop detector, each a row of the commit that records what it tells of.
//
// Rows hold names, sizes and hashes; what was asked goes beside them only where the configuration says
// so. A row of a commit that came too late for an edit is written by the next one. On the executor's one
// thread.
#include "agent/flow/execution_input.hpp"
#include "agent/loop/repetition.hpp"
#include "agent/models/model.hpp"
#include "base/random.hpp"
#include "queue/workflow.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// What a model is asked, as a text that the same question always has: its hash stands in the audit.
std::string question_text(std::string_view model, chat_request const& request);

class audit_trail {
public:
    // What it refers to outlives it. `in_full`: what was asked is kept beside the rows.
    audit_trail(
        queue::workflow steps,
        execution_input const& input,
        base::random_source& random,
        bool in_full
    );

    struct model_question {
        std::string model;
        std::string text; // question_text()
        std::size_t messages = 0;
        std::size_t tools = 0;
    };
    // One try, however it ended. `step`: with its prefix, as below.
    void model_called(
        std::string step,
        model_question question,
        queue::step_value const& outcome,
        queue::usage const& used
    );
    void budget_stopped(std::string step, std::string_view model, base::error const& refusal);
    void tool_called(
        std::string step, tool_call const& call, std::size_t result_bytes, bool is_error
    );
    // The loop detector ended the run.
    void loop_stopped(std::string step, repetition const& repetition);
    // A call that was not run: a person's word (verdict), or a limit.
    void refused(std::string step, tool_call const& call, std::string_view reason);

    // Before the graph is walked anew: what the refused commit held is the next one's.
    void begin_anew();

private:
    void add(
        std::string_view kind, std::string step, boost::json::object detail, std::string content
    );

    queue::workflow steps_;
    std::string actor_;
    std::int64_t nonce_;
    bool in_full_;
    std::vector<storage::write> added_;
};

} // namespace postrider::agent::flow
