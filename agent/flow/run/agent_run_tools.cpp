// The tools that the agent's model calls.
#include "agent/flow/run/agent_run.hpp"
#include "agent/flow/services.hpp"
#include "agent/history.hpp"
#include "storage/stores/approvals.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

// The calls that may run, one after the other, and the others' refusal. Goes on with a round.
base::awaitable<agent_run::finding> agent_run::use_tools(
    chat_reply reply, run_tools what, bool known
) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    queue::commit_with rows;
    keep(rows, message);
    so_far_.said += static_cast<int>(what.run.size());
    for (auto const& call : what.refused)
        keep(rows, result_of(call, std::string(limit_reached), true));
    so_far_.results = so_far_.said;
    so_far_.said -= static_cast<int>(what.run.size() + what.refused.size());
    if (!known) co_await run_.commit(std::move(rows));

    ++state_.rounds;
    state_.calls += static_cast<int>(what.run.size());
    state_.concluding = what.concluding;
    message.provider_state = std::move(reply.provider_state);
    own_.push_back(std::move(message));
    co_await ask_about(what.run);
    for (auto& call : what.run) co_await use_tool(std::move(call));
    for (auto const& call : what.refused) note_result(call, std::string(limit_reached), true);
    so_far_.said = so_far_.results;
    co_return std::nullopt;
}

// A person's word on those of them that ask for it, in one question.
base::awaitable<void> agent_run::ask_about(std::vector<tool_call> const& calls) {
    std::vector<approvals::proposed_call> proposed;
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (auto checked = tools_->check(calls[i]))
            proposed.push_back(
                {fmt::format("tool:{}", so_far_.calls + 1 + static_cast<int>(i)),
                 checked->tool,
                 std::move(checked->arguments)}
            );
    auto name = fmt::format("approval:{}", so_far_.calls + 1);
    verdicts_ = co_await approvals::ask_about(
        run_, std::move(name), std::move(proposed), requester_of(run_)
    );
}

base::awaitable<void> agent_run::use_tool(tool_call call) {
    auto const name = fmt::format("tool:{}", ++so_far_.calls);
    bool const known = steps_.recorded(name);
    tools_used_.insert(call.name);
    // Outside of the step: who looks at the record hears it as well.
    run_.tell("tool_called", {{"tool", call.name}, {"call", call.id}});
    tool_runner runner(run_, tools_);
    tool_runner::result result;
    auto const verdict = verdicts_.find(name);
    if (verdict == verdicts_.end() || verdict->second == approvals::verdict::approved) {
        if (verdict != verdicts_.end() && !known)
            steps_.add(storage::use_approval(steps_.job().id, steps_.prefix() + name));
        // Between a call and its results nothing else may stand.
        result = co_await runner.run(call, name, so_far_.results - 1, so_far_.calls);
    } else {
        auto why = refusal_text(verdict->second, run_.services().approval_timeout);
        result = co_await runner.refuse(name, std::move(why));
    }
    note_result(call, std::move(result.text), result.is_error);
    queue::commit_with row;
    keep(row, own_.back());
    if (!known) (void)co_await steps_.commit(std::move(row));
}

void agent_run::note_result(tool_call const& call, std::string text, bool is_error) {
    results_.push_back({call.name, text, is_error});
    own_.push_back(result_of(call, std::move(text), is_error));
}

} // namespace postrider::agent::flow
