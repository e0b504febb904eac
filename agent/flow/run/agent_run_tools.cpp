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
std::string step_of(int call) {
    return fmt::format("tool:{}", call);
}

} // namespace

// The calls that may run, and the others' refusal. Goes on with a round.
base::awaitable<agent_run::finding> agent_run::use_tools(
    chat_reply reply, run_tools calls, bool known
) {
    chat_message message{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    message.provider_state = std::move(reply.provider_state);
    auto kept = message;
    if (settings_.speaks_by_tools) kept.content.clear(); // nobody is to see it
    memory_.keep(kept, known);
    progress_.said += static_cast<int>(calls.run.size());
    if (!calls.refused.empty()) run_.degrade(degradation_of(degraded_by::limit_reached));
    for (auto const& call : calls.refused)
        memory_.keep(result_of(call, std::string(limit_reached), true, call_refusal::limit), known);
    progress_.results = progress_.said;
    progress_.said -= static_cast<int>(calls.run.size() + calls.refused.size());
    if (auto* audit = known ? nullptr : run_.audit())
        for (auto const& call : calls.refused)
            audit->refused(steps_.prefix() + models_->current().step(), call, "limit");
    bool const are_instant =
        !calls.run.empty() &&
        std::ranges::all_of(calls.run, [this](auto& call) { return tools_->is_instant(call); });
    if (!known && !are_instant) co_await run_.commit({});

    turn_.end_round(calls);
    transcript_.add(std::move(message));
    co_await run_calls(std::move(calls.run), are_instant);
    for (auto const& call : calls.refused)
        transcript_.add_result(
            call, std::string(limit_reached), true, turn_.rounds(), {}, call_refusal::limit
        );
    progress_.said = progress_.results;
    co_await stop_at_repetition();
    co_return std::nullopt;
}

// What goes round in circles is asked once more, without tools. That it was stopped stands in the
// record, since the bound may be another by the next run; where a reply follows, it was not.
base::awaitable<void> agent_run::stop_at_repetition() {
    if (turn_.is_by_rules() || turn_.is_concluding()) co_return;
    auto const name = fmt::format("repetition/{}", progress_.calls);
    bool const known = steps_.recorded(name);
    if (!known && models_->recorded()) co_return;
    boost::json::value fresh;
    if (!known) {
        auto const found = find_repetition(transcript_.results(), settings_.max_repeats);
        if (!found) co_return;
        fresh = to_json(*found);
    }
    auto const recorded = co_await steps_.record_value(name, std::move(fresh));
    repetition_ = repetition_from_json(recorded.value());
    turn_.conclude();
    run_.note("stopped_by", boost::json::value(to_string(repetition_->kind)));
    run_.degrade(degradation_of(degraded_by::loop_stopped, stopped_by(*repetition_)));
    if (known) co_return;
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
    auto round = place_calls(std::move(calls));
    if (round.size() > 1) {
        std::vector<std::string> names;
        names.reserve(round.size());
        for (auto const& placed : round) names.push_back(placed.step);
        steps_.in_any_order(std::move(names));
    }
    for (auto rest = std::span(round); !rest.empty();) {
        call_group group{.calls = rest, .decisions = decisions};
        if (!are_instant) {
            auto const beside = rest.size() > 1 ? count_beside(rest, decisions) : 0;
            group.calls = rest.first(std::max<std::size_t>(beside, 1));
            group.width = std::min(group.calls.size(), bounds::calls_side_by_side);
        }
        co_await run_group(group);
        rest = rest.subspan(group.calls.size());
    }
    for (auto& placed : round) {
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
    std::vector<placed_call> round;
    for (auto& call : calls) {
        auto const number = ++progress_.calls;
        placed_call placed{.call = std::move(call), .step = step_of(number), .number = number};
        placed.place = progress_.said++;
        round.push_back(std::move(placed));
    }
    return round;
}

// How many of the first ones may run side by side.
std::size_t agent_run::count_beside(
    std::span<placed_call const> calls, approvals::decisions const& decisions
) const {
    auto const in_order = std::ranges::find_if_not(calls, [&](placed_call const& placed) {
        return !decisions.verdicts.contains(placed.step) &&
               tools_->may_run_beside_others(placed.call);
    });
    return static_cast<std::size_t>(in_order - calls.begin());
}

// Whatever ends is recorded before anything else begins, and at the latest when all have ended.
base::awaitable<void> agent_run::run_group(call_group& group) {
    bool const known = std::ranges::all_of(group.calls, [&](placed_call const& placed) {
        return steps_.recorded(placed.step);
    });
    if (group.width == 1) {
        co_await run_rest(group);
    } else {
        queue::branch const work = [this, &group] { return run_rest(group); };
        std::vector<queue::branch> branches(group.width, work);
        co_await steps_.parallel(std::move(branches));
    }
    if (!known) co_await run_.commit({});
}

base::awaitable<void> agent_run::run_rest(call_group& group) {
    while (group.next < group.calls.size())
        co_await run_call(group.calls[group.next++], group.decisions);
}

// A person's word on those of them that ask for it, in one question.
base::awaitable<approvals::decisions> agent_run::ask_about(std::vector<tool_call> const& calls) {
    std::vector<approvals::proposed_call> proposed;
    auto const turn_so_far = account();
    for (int next = progress_.calls + 1; auto const& call : calls) {
        auto step = step_of(next++);
        bool const has_begun = tools_->has_begun(step);
        approvals::proposed_call of{
            .step = std::move(step), .has_begun = has_begun, .language = turn_so_far.language};
        if (auto checked = tools_->check(call)) {
            of.tool = checked->tool;
            of.arguments = std::move(checked->arguments);
        }
        proposed.push_back(std::move(of));
    }
    auto name = fmt::format("approval:{}", progress_.calls + 1);
    // Nobody learns of what was done only when the question is over.
    std::string done;
    for (auto const* family : families_) done = family->complete(std::move(done), turn_so_far);
    if (!done.empty()) done += '\n';
    auto const places = places_from(run_, progress_.results);
    auto decisions = co_await approvals::ask_about(
        run_, std::move(name), std::move(proposed), requester_of(run_), places, std::move(done)
    );
    if (!decisions.question.empty()) progress_.results += places_of_question;
    co_return decisions;
}

// Nothing is awaited between the end of the call's step and the rows that are held with it.
base::awaitable<void> agent_run::run_call(
    placed_call& placed, approvals::decisions const& decisions
) {
    auto const& call = placed.call;
    auto const place = steps_.prefix() + placed.step;
    bool const known = steps_.recorded(placed.step);
    transcript_.note_use(call);
    // Outside of the step: who looks at the record hears it as well.
    run_.tell(
        "tool_called", {{"tool", call.name}, {"call", call.id}, {"part", tools_->node_of(call)}}
    );
    auto* audit = known ? nullptr : run_.audit();
    auto& result = placed.result;
    auto const verdict = decisions.verdicts.find(placed.step);
    bool const asked = verdict != decisions.verdicts.end();
    if (!asked || verdict->second == verdict::approved) {
        if (asked && !known) steps_.add(storage::use_approval(decisions.question, place));
        // Between a call and its results nothing else may stand.
        result = co_await tools_->run(call, placed.step, progress_.results - 1, placed.number);
        // What a person approved needs no line in the answer.
        placed.for_the_answer = !asked && result.is_reported && !tools_->has_family(call);
        progress_.results += result.places;
        if (!result.is_error && tools_->may_speak(call)) turn_.note_sent();
        if (audit) audit->tool_called(place, call, result.text.size(), result.is_error);
    } else {
        if (verdict->second == verdict::expired)
            run_.degrade(degradation_of(degraded_by::question_expired));
        auto text = approvals::refusal_text(verdict->second, run_.services().approval_timeout);
        auto const reason = refusal_reason(verdict->second);
        result = co_await tools_->refuse(placed.step, std::move(text), reason);
        if (audit) audit->refused(place, call, to_string(verdict->second));
    }
    auto message = result_of(call, result.text, result.is_error, result.error_reason);
    memory_.keep_at(placed.place, message, known);
}

} // namespace postrider::agent::flow
