// What the person is told of the calls, and asked where none can be made.
#include "agent/talk/verdict.hpp"
#include "agent/todo/planner.hpp"
#include "agent/todo/refusal_words.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"
#include "agent/todo/told_tasks.hpp"
#include "base/ids.hpp"

#include <algorithm>

namespace postrider::agent::todo {

void planner::ask_which(intent const& intent, which_task const& question) {
    auto candidates = question.candidates;
    std::erase_if(candidates, [&](task const& candidate) { return is_deleted(candidate.id); });
    if (candidates.empty()) return refuse(intent, {no_task::reason::no_title});
    say(which_question(intent, from_.words));
    left_open_.asks = intent.action;
    left_open_.offered.clear();
    for (auto const& candidate : candidates) {
        say(line_of(candidate));
        left_open_.offered.push_back(candidate.id);
    }
}

void planner::refuse(intent const& intent, no_task const& refusal) {
    say(refusal_of(intent, refusal, from_.words));
    left_open_.missed |= refusal.because == no_task::reason::no_title;
    if (refusal.because != no_task::reason::not_said) return;
    left_open_.asks = intent.action;
    left_open_.offered.clear();
}

void planner::tell(turn_call const& call) {
    if (call.is_error) return tell_refusal(call);
    auto const reported = task_in(call.result);
    if (!reported) return say(call.result);
    from_.known.mentioned = reported->task.id;
    unclear_ = false;
    if (call.tool == get_tool) return say(details_of(*reported, from_.words));
    say(confirmation_of(call.tool, *reported, from_.words));
    auto const same = std::ranges::find(tasks_, reported->task.id, &task::id);
    // It stays known, so that its name is not taken for another task's.
    if (call.tool == delete_tool) deleted_.push_back(reported->task.id);
    if (same != tasks_.end()) {
        *same = reported->task;
    } else {
        tasks_.push_back(reported->task);
    }
}

void planner::tell_refusal(turn_call const& call) {
    auto const& words = from_.words;
    auto const id = base::raw(call.task());
    auto const verdict = verdict_of(call.error_reason);
    if (!verdict) {
        bool const is_missing = call.error_reason == no_such_task;
        return say(is_missing ? in_words(words.unknown_id, id) : call.result);
    }
    given_up_ |= *verdict != verdict::rejected;
    if (*verdict == verdict::rejected) return tell_in_words(words.stays, id);
    bool const expired = *verdict == verdict::expired;
    tell_in_words(expired ? words.stays_unanswered : words.stays_unclear, id);
}

void planner::say(std::string line) {
    answer_.push_back(std::move(line));
}

} // namespace postrider::agent::todo
