// The tools that the agent's model calls.
#include "agent/flow/run/agent_run.hpp"
#include "agent/flow/services.hpp"
#include "agent/history.hpp"
#include "agent/todo/answer_check.hpp"
#include "agent/todo/task_words.hpp"
#include "storage/stores/approvals.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

// Of the n-th call of the node.
std::string step_of(int call) {
    return fmt::format("tool:{}", call);
}

} // namespace

// The step that the round's reply came from.
std::string agent_run::asking_step() const {
    return by_rules_ ? std::string(rules_call::step) : models_->current().step();
}

// The calls that may run, and the others' refusal. Goes on with a round.
base::awaitable<agent_run::finding> agent_run::use_tools(
    chat_reply reply, run_tools calls, bool known
) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    message.provider_state = std::move(reply.provider_state);
    memory_.keep(message, known);
    progress_.said += static_cast<int>(calls.run.size());
    for (auto const& call : calls.refused)
        memory_.keep(result_of(call, std::string(limit_reached), true), known);
    progress_.results = progress_.said;
    progress_.said -= static_cast<int>(calls.run.size() + calls.refused.size());
    if (auto* audit = known ? nullptr : run_.audit())
        for (auto const& call : calls.refused)
            audit->refused(steps_.prefix() + asking_step(), call, "limit");
    if (!known) co_await run_.commit({});

    ++state_.rounds;
    state_.calls += static_cast<int>(calls.run.size());
    state_.concluding = calls.concluding;
    transcript_.add(std::move(message));
    co_await run_calls(std::move(calls.run));
    for (auto const& call : calls.refused)
        transcript_.add_result(call, std::string(limit_reached), true);
    progress_.said = progress_.results;
    co_return std::nullopt;
}

// A round's calls, once they are committed: asked about together, then in their order, since the
// next may build on what the one before it did.
base::awaitable<void> agent_run::run_calls(std::vector<tool_call> calls) {
    auto const decisions = co_await ask_about(calls);
    for (auto& call : calls) co_await run_call(std::move(call), decisions);
}

// A person's word on those of them that ask for it, in one question.
base::awaitable<approvals::decisions> agent_run::ask_about(std::vector<tool_call> const& calls) {
    std::vector<approvals::proposed_call> proposed;
    for (int next = progress_.calls + 1; auto const& call : calls) {
        auto step = step_of(next++);
        bool const has_begun = tools_->has_begun(step);
        if (auto checked = tools_->check(call))
            proposed.push_back(
                {std::move(step), checked->tool, std::move(checked->arguments), has_begun}
            );
    }
    auto name = fmt::format("approval:{}", progress_.calls + 1);
    // Nobody learns of what was done only when the question is over.
    std::string done;
    if (offers_tasks_) done = todo::with_confirmations({}, transcript_.results());
    if (!done.empty()) done += '\n';
    co_return co_await approvals::ask_about(
        run_, std::move(name), std::move(proposed), requester_of(run_), std::move(done)
    );
}

base::awaitable<void> agent_run::run_call(tool_call call, approvals::decisions const& decisions) {
    auto const name = step_of(++progress_.calls);
    bool const known = steps_.recorded(name);
    transcript_.note_use(call);
    // Outside of the step: who looks at the record hears it as well.
    run_.tell("tool_called", {{"tool", call.name}, {"call", call.id}});
    auto* audit = known ? nullptr : run_.audit();
    tool_runner::result result;
    auto const verdict = decisions.verdicts.find(name);
    bool const asked = verdict != decisions.verdicts.end();
    if (!asked || verdict->second == approvals::verdict::approved) {
        if (asked && !known)
            steps_.add(storage::use_approval(decisions.question, steps_.prefix() + name));
        // Between a call and its results nothing else may stand.
        result = co_await tools_->run(call, name, progress_.results - 1, progress_.calls);
        // What a person approved needs no line in the answer.
        // A task that was changed is told of in words of its own.
        bool const is_told = offers_tasks_ && todo::is_task_tool(call.name);
        if (!asked && result.is_reported && !is_told) transcript_.note_for_the_answer(call);
        if (audit)
            audit->tool_called(steps_.prefix() + name, call, result.text.size(), result.is_error);
    } else {
        auto reason = refusal_text(verdict->second, run_.services().approval_timeout);
        result = co_await tools_->refuse(name, std::move(reason));
        if (audit) audit->refused(steps_.prefix() + name, call, to_string(verdict->second));
    }
    auto const& message = transcript_.add_result(call, std::move(result.text), result.is_error);
    memory_.keep(message, known);
    if (!known) (void)co_await steps_.commit();
}

} // namespace postrider::agent::flow
