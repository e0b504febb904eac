// The tools that the agent's model calls.
#include "agent/flow/run/agent_run.hpp"
#include "agent/flow/services.hpp"
#include "agent/history.hpp"
#include "storage/stores/approvals.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

// Of the n-th call of the node.
std::string step_of(int call) {
    return fmt::format("tool:{}", call);
}

} // namespace

// The calls that may run, and the others' refusal. Goes on with a round.
base::awaitable<agent_run::finding> agent_run::use_tools(
    chat_reply reply, run_tools calls, bool known
) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    queue::commit_with rows;
    memory_.keep(rows, message);
    progress_.said += static_cast<int>(calls.run.size());
    for (auto const& call : calls.refused)
        memory_.keep(rows, result_of(call, std::string(limit_reached), true));
    progress_.results = progress_.said;
    progress_.said -= static_cast<int>(calls.run.size() + calls.refused.size());
    if (!known) co_await run_.commit(std::move(rows));

    ++state_.rounds;
    state_.calls += static_cast<int>(calls.run.size());
    state_.concluding = calls.concluding;
    message.provider_state = std::move(reply.provider_state);
    own_.push_back(std::move(message));
    co_await run_calls(std::move(calls.run));
    for (auto const& call : calls.refused) note_result(call, std::string(limit_reached), true);
    progress_.said = progress_.results;
    co_return std::nullopt;
}

// A round's calls, once they are committed: asked about together, then in their order, since the
// next may build on what the one before it did.
base::awaitable<void> agent_run::run_calls(std::vector<tool_call> calls) {
    auto const verdicts = co_await ask_about(calls);
    for (auto& call : calls) co_await run_call(std::move(call), verdicts);
}

// A person's word on those of them that ask for it, in one question.
base::awaitable<approvals::verdicts> agent_run::ask_about(std::vector<tool_call> const& calls) {
    std::vector<approvals::proposed_call> proposed;
    for (std::size_t i = 0; i < calls.size(); ++i)
        if (auto checked = tools_->check(calls[i]))
            proposed.push_back(
                {step_of(progress_.calls + 1 + static_cast<int>(i)),
                 checked->tool,
                 std::move(checked->arguments)}
            );
    auto name = fmt::format("approval:{}", progress_.calls + 1);
    co_return co_await approvals::ask_about(
        run_, std::move(name), std::move(proposed), requester_of(run_)
    );
}

base::awaitable<void> agent_run::run_call(tool_call call, approvals::verdicts const& verdicts) {
    auto const name = step_of(++progress_.calls);
    bool const known = steps_.recorded(name);
    tools_used_.insert(call.name);
    // Outside of the step: who looks at the record hears it as well.
    run_.tell("tool_called", {{"tool", call.name}, {"call", call.id}});
    tool_runner::result result;
    auto const verdict = verdicts.find(name);
    if (verdict == verdicts.end() || verdict->second == approvals::verdict::approved) {
        if (verdict != verdicts.end() && !known)
            steps_.add(storage::use_approval(steps_.job().id, steps_.prefix() + name));
        // Between a call and its results nothing else may stand.
        result = co_await tools_->run(call, name, progress_.results - 1, progress_.calls);
    } else {
        auto why = refusal_text(verdict->second, run_.services().approval_timeout);
        result = co_await tools_->refuse(name, std::move(why));
    }
    note_result(call, std::move(result.text), result.is_error);
    queue::commit_with row;
    memory_.keep(row, own_.back());
    if (!known) (void)co_await steps_.commit(std::move(row));
}

void agent_run::note_result(tool_call const& call, std::string text, bool is_error) {
    results_.push_back({call.name, text, is_error});
    own_.push_back(result_of(call, std::move(text), is_error));
}

} // namespace postrider::agent::flow
