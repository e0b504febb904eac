// The tools that the agent's model calls.
#include "agent/flow/chat/history.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/flow/run/agent_run.hpp"
#include "agent/flow/run/audit_trail.hpp"
#include "agent/tools/call_refusal.hpp"
#include "base/log.hpp"
#include "storage/stores/approvals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace postrider::agent::flow {

namespace {

// Of the n-th call of the node.
std::string step_of_call(int call) {
    return fmt::format("tool:{}", call);
}

} // namespace

// Once; then there is no answer, from this model or another.
base::awaitable<agent_run::round_outcome> agent_run::insist_on_tools(
    std::string text, bool ask_again, bool was_recorded
) {
    base::error failure(base::errc::invalid, "the model called no tool, though it had to");
    if (ask_again)
        co_return ask_for_correction(
            std::move(text),
            "You have called no tool. Call at least one of your tools before you answer.",
            std::move(failure.detail)
        );
    if (!models_->leave_models()) co_return co_await give_up(std::move(failure), was_recorded);
    failure_ = std::move(failure);
    if (!was_recorded) report_model_failure();
    begin_rules();
    co_return std::nullopt;
}

// The calls that may run, and the others' refusal. Goes on with a round.
base::awaitable<agent_run::round_outcome> agent_run::use_tools(
    chat_reply reply, run_tools calls, bool was_recorded
) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    message.provider_state = std::move(reply.provider_state);
    auto stored_message = message;
    if (settings_.speaks_by_tools) stored_message.content.clear(); // nobody is to see it
    memory_.keep(stored_message, was_recorded);
    progress_.messages += static_cast<int>(calls.run.size());
    if (!calls.refused.empty()) run_.degrade(degradation_of(degraded_by::limit_reached));
    for (auto const& call : calls.refused)
        memory_.keep(
            result_of(call, std::string(limit_reached), true, call_refusal::limit), was_recorded
        );
    progress_.results = progress_.messages;
    progress_.messages -= static_cast<int>(calls.run.size() + calls.refused.size());
    if (auto* audit = was_recorded ? nullptr : run_.audit())
        for (auto const& call : calls.refused)
            audit->refused(steps_.prefix() + models_->current().step(), call, "limit");
    bool const are_instant =
        !calls.run.empty() &&
        std::ranges::all_of(calls.run, [this](auto& call) { return tools_->is_instant(call); });
    if (!was_recorded && !are_instant) co_await run_.commit({});

    turn_.end_round(calls);
    transcript_.add(std::move(message));
    co_await run_calls(std::move(calls.run), are_instant);
    for (auto const& call : calls.refused)
        transcript_.add_result(
            call, std::string(limit_reached), true, turn_.rounds(), {}, call_refusal::limit
        );
    progress_.messages = progress_.results;
    co_await stop_at_repetition();
    co_return std::nullopt;
}

// What goes round in circles is asked once more, without tools. That it was stopped stands in the
// record, since the bound may be another by the next run; where a reply follows, it was not.
base::awaitable<void> agent_run::stop_at_repetition() {
    if (turn_.is_by_rules() || turn_.is_concluding()) co_return;
    auto const name = fmt::format("repetition/{}", progress_.calls);
    bool const was_recorded = steps_.recorded(name);
    if (!was_recorded && models_->recorded()) co_return;
    boost::json::value new_record;
    if (!was_recorded) {
        auto const detected = find_repetition(transcript_.results(), settings_.max_repeats);
        if (!detected) co_return;
        new_record = to_json(*detected);
    }
    auto const record = co_await steps_.record_value(name, std::move(new_record));
    repetition_ = repetition_from_json(record.value());
    turn_.conclude();
    run_.note("stopped_by", boost::json::value(to_string(repetition_->kind)));
    run_.degrade(degradation_of(degraded_by::loop_stopped, stopped_by(*repetition_)));
    if (was_recorded) co_return;
    if (auto* audit = run_.audit()) audit->loop_stopped(steps_.prefix() + name, *repetition_);
    base::log::warn(
        "turn.loop_stopped", {{"job", steps_.job().id}, {"kind", to_string(repetition_->kind)}}
    );
    (void)co_await steps_.commit(); // so that watchers see it before the model is asked
}

// A round's calls, once they are committed: asked about together, then in their order, since the
// next may build on what the one before it did. Those of low risk that follow each other run side by
// side. Where all are instant, nothing outside begins by them: they share one commit with the reply
// that calls them. The model reads the results in the order of the calls.
base::awaitable<void> agent_run::run_calls(std::vector<tool_call> calls, bool are_instant) {
    auto const decisions = co_await ask_about(calls);
    auto placed_calls = place_calls(std::move(calls));
    if (placed_calls.size() > 1) {
        std::vector<std::string> names;
        names.reserve(placed_calls.size());
        for (auto const& placed : placed_calls) names.push_back(placed.step);
        steps_.in_any_order(std::move(names));
    }
    for (auto remaining = std::span(placed_calls); !remaining.empty();) {
        call_group group{.calls = remaining, .decisions = decisions};
        if (!are_instant) {
            auto const parallel_count =
                remaining.size() > 1 ? count_beside(remaining, decisions) : 0;
            group.calls = remaining.first(std::max<std::size_t>(parallel_count, 1));
            group.width = std::min(group.calls.size(), bounds::calls_side_by_side);
        }
        co_await run_group(group);
        remaining = remaining.subspan(group.calls.size());
    }
    for (auto& placed : placed_calls) {
        if (placed.for_the_answer) transcript_.note_for_the_answer(tools_->reported(placed.call));
        auto& result = placed.result;
        transcript_.add_result(
            placed.call,
            std::move(result.text),
            result.is_error,
            turn_.rounds(),
            std::move(result.images),
            result.error_reason
        );
    }
}

// Their steps and places are those of the calls, whichever of them ends first.
std::vector<agent_run::placed_call> agent_run::place_calls(std::vector<tool_call> calls) {
    std::vector<placed_call> placed_calls;
    for (auto& call : calls) {
        auto const number = ++progress_.calls;
        placed_call placed{.call = std::move(call), .step = step_of_call(number), .number = number};
        placed.place = progress_.messages++;
        placed_calls.push_back(std::move(placed));
    }
    return placed_calls;
}

// How many of the first ones may run side by side.
std::size_t agent_run::count_beside(
    std::span<placed_call const> calls, approvals::decisions const& decisions
) const {
    auto const first_serial = std::ranges::find_if_not(calls, [&](placed_call const& placed) {
        return !decisions.verdicts.contains(placed.step) &&
               tools_->may_run_beside_others(placed.call);
    });
    return static_cast<std::size_t>(first_serial - calls.begin());
}

// Whatever ends is recorded before anything else begins, and at the latest when all have ended.
base::awaitable<void> agent_run::run_group(call_group& group) {
    bool const was_recorded = std::ranges::all_of(group.calls, [&](placed_call const& placed) {
        return steps_.recorded(placed.step);
    });
    if (group.width == 1) {
        co_await run_rest(group);
    } else {
        queue::branch const work = [this, &group] { return run_rest(group); };
        std::vector<queue::branch> branches(group.width, work);
        co_await steps_.parallel(std::move(branches));
    }
    if (!was_recorded) co_await run_.commit({});
}

base::awaitable<void> agent_run::run_rest(call_group& group) {
    while (group.next < group.calls.size())
        co_await run_call(group.calls[group.next++], group.decisions);
}

// A person's word on those of them that ask for it, in one question.
base::awaitable<approvals::decisions> agent_run::ask_about(std::vector<tool_call> const& calls) {
    if (run_.started_by().trial) co_return approvals::decisions{}; // no call of high risk runs
    std::vector<approvals::proposed_call> proposed;
    auto const turn_so_far = co_await account();
    for (int number = progress_.calls + 1; auto const& call : calls) {
        auto step = step_of_call(number++);
        bool const has_begun = tools_->has_begun(step);
        approvals::proposed_call proposal{
            .step = std::move(step), .has_begun = has_begun, .language = turn_so_far.language};
        if (auto checked = tools_->check(call)) {
            proposal.tool = checked->tool;
            proposal.arguments = std::move(checked->arguments);
        }
        proposed.push_back(std::move(proposal));
    }
    auto name = fmt::format("approval:{}", progress_.calls + 1);
    // Nobody learns of what was done only when the question is over.
    std::string completed_text;
    for (auto const* family : families_)
        completed_text = family->complete(std::move(completed_text), turn_so_far);
    if (!completed_text.empty()) completed_text += '\n';
    auto const places = places_from(run_, progress_.results);
    auto decisions = co_await approvals::ask_about(
        run_,
        std::move(name),
        std::move(proposed),
        requester_of(run_),
        places,
        std::move(completed_text)
    );
    if (!decisions.question.empty()) progress_.results += places_of_question;
    co_return decisions;
}

// Nothing is awaited between the end of the call's step and the rows that are held with it.
base::awaitable<void> agent_run::run_call(
    placed_call& placed, approvals::decisions const& decisions
) {
    auto const& call = placed.call;
    auto const step_path = steps_.prefix() + placed.step;
    bool const was_recorded = steps_.recorded(placed.step);
    transcript_.note_use(call);
    // Outside of the step: who looks at the record hears it as well.
    run_.tell(
        "tool_called", {{"tool", call.name}, {"call", call.id}, {"part", tools_->node_of(call)}}
    );
    auto* audit = was_recorded ? nullptr : run_.audit();
    auto& result = placed.result;
    auto const verdict = decisions.verdicts.find(placed.step);
    bool const needed_approval = verdict != decisions.verdicts.end();
    if (!needed_approval || verdict->second == verdict::approved) {
        if (needed_approval && !was_recorded)
            steps_.add(storage::use_approval(decisions.question, step_path));
        // Between a call and its results nothing else may stand.
        result = co_await tools_->run(call, placed.step, progress_.results - 1, placed.number);
        // What a person approved needs no line in the answer.
        placed.for_the_answer = !needed_approval && result.is_reported && !tools_->has_family(call);
        progress_.results += result.places;
        if (!result.is_error && tools_->may_speak(call)) turn_.note_sent();
        if (audit) audit->tool_called(step_path, call, result.text.size(), result.is_error);
    } else {
        if (verdict->second == verdict::expired)
            run_.degrade(degradation_of(degraded_by::question_expired));
        auto text = approvals::refusal_text(verdict->second, run_.services().approval_timeout);
        auto const reason = refusal_reason(verdict->second);
        result = co_await tools_->refuse(placed.step, std::move(text), reason);
        if (audit) audit->refused(step_path, call, to_string(verdict->second));
    }
    auto message = result_of(call, result.text, result.is_error, result.error_reason);
    memory_.keep_at(placed.place, message, was_recorded);
}

} // namespace postrider::agent::flow
