#pragma once
// The agent loop for one item: model → (tools → model …) → answer. What follows a reply is decided
// by agent/loop/turn, which is pure; this performs it.
//
// Guarantees the order of its steps: those of the models of each round, or "rules" where no model answers any more,
// then "tool:N" for each call that runs, the N-th of the node: what models number their calls by may
// come again, and may be anything. Calls of one reply that have a low risk run side by side. What a
// round says and hears is committed with it. Private to the agent node.
#include "agent/flow/approvals/approve.hpp"
#include "agent/flow/run/agent_memory.hpp"
#include "agent/flow/run/agent_settings.hpp"
#include "agent/flow/run/agent_transcript.hpp"
#include "agent/flow/run/model_order.hpp"
#include "agent/flow/run/question_images.hpp"
#include "agent/flow/run/tool_runner.hpp"
#include "agent/language/notices.hpp"
#include "agent/loop/repetition.hpp"
#include "agent/loop/turn.hpp"
#include "agent/talk/degradation.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace postrider::agent::flow {

// Lives in the frame of run_agent().
class agent_run {
public:
    agent_run(node_run& run, agent_settings settings, agent_progress& progress);

    base::awaitable<base::result<boost::json::value>> run_item();

private:
    // What a round led to: the answer, or nothing yet.
    using round_outcome = std::optional<std::string>;

    // Without which there is no answer.
    struct missing_part {
        degraded_by reason{};
        base::error failure;
    };
    base::awaitable<std::optional<missing_part>> gather_parts();
    base::awaitable<boost::json::value> tell_missing(missing_part missing);
    void report_model_failure() const;
    base::awaitable<round_outcome> round();
    base::awaitable<round_outcome> act_on_reply(chat_reply reply, bool was_recorded);
    void begin_rules();
    base::awaitable<turn_account> account();
    base::awaitable<std::string_view> language(); // in which the person is told
    base::awaitable<language::notices const*> words();
    // What the families of tools make of an answer.
    base::awaitable<std::string> reviewed(std::string text);
    base::awaitable<bool> claims_falsely(boost::json::value const& answer);
    base::awaitable<std::string> offer();
    base::awaitable<round_outcome> give_up(base::error failure, bool was_recorded);
    base::awaitable<round_outcome> conclude(answer draft, bool was_recorded);
    round_outcome end_without_words(answer const& silence);
    base::awaitable<round_outcome> insist_on_tools(
        std::string text, bool ask_again, bool was_recorded
    );
    // Tells the model what to mend; where no round is left, the item fails for that reason.
    round_outcome ask_for_correction(
        std::string text, std::string instructions, std::string reason
    );
    base::awaitable<round_outcome> use_tools(chat_reply reply, run_tools calls, bool was_recorded);
    base::awaitable<void> stop_at_repetition();
    // A call of a round, and what came of it.
    struct placed_call {
        tool_call call;
        std::string step;
        int number = 0; // of the node's calls
        int place = 0;  // of its result among the node's messages
        tool_runner::result result = {};
        bool for_the_answer = false; // which is to mention it
    };
    struct call_group {
        std::span<placed_call> calls;
        approvals::decisions const& decisions;
        std::size_t width = 1; // so many run side by side
        std::size_t next = 0;  // to be run
    };
    base::awaitable<void> run_calls(std::vector<tool_call> calls, bool are_instant);
    std::vector<placed_call> place_calls(std::vector<tool_call> calls);
    std::size_t count_beside(
        std::span<placed_call const> calls, approvals::decisions const& decisions
    ) const;
    base::awaitable<void> run_group(call_group& group);
    base::awaitable<void> run_rest(call_group& group);
    base::awaitable<approvals::decisions> ask_about(std::vector<tool_call> const& calls);
    base::awaitable<void> run_call(placed_call& placed, approvals::decisions const& decisions);

    void note_metadata();
    boost::json::value output(std::string text) const;

    node_run& run_;
    queue::workflow& steps_;
    agent_settings settings_;
    agent_progress& progress_;

    question_images images_;
    agent_memory memory_;
    std::optional<model_order> models_;        // once the parts are there
    std::optional<tool_runner> tools_;         // likewise
    turn turn_{{}};                            // likewise
    std::vector<tool_family const*> families_; // of the tools

    agent_transcript transcript_;
    std::optional<base::error> failure_; // the model's, or why a part is missing
    bool answered_ = false;              // all the same
    std::optional<repetition> repetition_;
    boost::json::value structured_; // the answer, where a schema is asked for
    std::string_view language_;     // "": not found yet
};

} // namespace postrider::agent::flow
