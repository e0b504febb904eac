#pragma once
// Runs the tools that an agent's model calls, each under the name of its step ("tool:3").
//
// Arguments are checked before anything is committed. A tool of class pure is a step; one that acts
// is an effect of that key, whose intent is committed before it is called and which is resolved by
// its class where nobody knows whether it happened. Rows that a tool adds are committed with its
// result. A flow that is run as a tool has steps of its own, and so have a question to the person and a
// message to a chat; their results are recorded like any other.
#include "agent/flow/node_run.hpp"
#include "agent/flow/parts/tools.hpp"
#include "agent/loop/report.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

// What a model is told of a call whose end nobody knows.
inline constexpr std::string_view in_doubt =
    "It is not known whether this was done: it was interrupted, or its answer was lost. It may "
    "have happened. Do not call this again by yourself: tell the person that it is in doubt.";

// The person that this execution acts for.
agent::requester requester_of(node_run const& run);

class tool_runner {
public:
    // `private_words`: what no message of the tools may repeat; "" = nothing.
    tool_runner(
        node_run& run, std::shared_ptr<offered_tools const> tools, std::string private_words = {}
    )
        : run_(run),
          tools_(std::move(tools)),
          private_words_(std::move(private_words)) {}

    base::result<offered_tools::checked_call> check(tool_call const& call) const {
        return tools_->check(call);
    }

    // The node that offers the called tool; empty if none does.
    std::string_view node_of(tool_call const& call) const;

    // What the model gets to read of a call.
    struct result {
        std::string text;
        bool is_error = false;
        std::string error_reason = {}; // of that, as base::error has it
        bool is_reported = false;      // as tool_output has it
        std::vector<shown_image> images = {};
        int places = 0; // that it took behind the call's results, for what people read
    };
    // `messages_before`: messages of the node that stand before the call's results, for what a flow says
    // itself; `number`: of the call. The result is held for the next commit.
    base::awaitable<result> run(tool_call call, std::string step, int messages_before, int number);
    // Its tool is of low risk by itself, too, and acts on nothing: what it does is nothing that another call could build on.
    bool may_run_beside_others(tool_call const& call) const;
    // Nothing outside begins by it, so that its result may be committed with the reply that calls it.
    bool is_instant(tool_call const& call) const;
    // It may send something to people: it does, runs a flow, or asks the person.
    bool may_speak(tool_call const& call) const { return has_own_steps(call); }
    // Its family tells of it.
    bool has_family(tool_call const& call) const;
    // The record has something of the call that runs as this step.
    bool has_begun(std::string const& step) const;

    // The call as the answer mentions it. Also where its tool is offered no more.
    reported_call reported(tool_call const& call) const;

    // A call that a person did not approve: recorded as one that failed for that reason.
    base::awaitable<result> refuse(std::string step, std::string text, std::string_view reason);

private:
    using checked_call = offered_tools::checked_call;

    bool has_own_steps(tool_call const& call) const;
    // In a trial, in place of running it: what the original's call came to, or why it does not run.
    std::optional<queue::step_value> trial_answer(tool_call const& call) const;
    base::awaitable<queue::step_value> run_flow(
        base::result<checked_call> const& checked, flow_call_name call_name
    );
    base::awaitable<result> run_question(
        tool_call const& call,
        std::string const& step,
        std::chrono::milliseconds timeout,
        int message_index
    );
    base::awaitable<result> run_message(
        base::result<checked_call> const& checked, std::string const& step, int message_index
    );
    base::awaitable<queue::step_value> run_function(
        checked_call checked, tool_call const& call, std::string step
    );
    base::awaitable<void> commit_intent(checked_call const& checked, std::string const& step);
    std::string key_of(tool_call const& call, std::string const& step) const;

    node_run& run_;
    std::shared_ptr<offered_tools const> tools_;
    std::string private_words_;
};

} // namespace postrider::agent::flow
