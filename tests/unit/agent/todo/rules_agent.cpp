#include "tests/unit/agent/todo/rules_agent.hpp"

#include "agent/language/assent.hpp"
#include "agent/language/words.hpp"
#include "base/ids.hpp"
#include "tests/unit/agent/language/request_text.hpp"

#include <algorithm>
#include <utility>

namespace postrider::agent::todo {

namespace {

using kind = intent::kind;

std::string_view tool_of(kind action) {
    switch (action) {
    case kind::get:
        return "get_todo_task";
    case kind::update:
        return "update_todo_task";
    case kind::complete:
        return "complete_todo_task";
    default:
        return "delete_todo_task";
    }
}

} // namespace

agent_answer rules_agent::hear(std::string_view message) {
    agent_answer answer;
    auto const waiting = std::exchange(waiting_, {});
    auto const unclear = std::exchange(unclear_, std::nullopt);
    auto const assent = assent_of(message);
    if (!waiting.empty() && assent != assent::neither) {
        if (assent == assent::yes)
            for (auto const& [intent, target] : waiting) run(intent, target, answer);
        return answer;
    }
    auto request = language::understand(message, now_, zone_);
    if (unclear && request.intents.front().action == kind::unknown && !request.doubtful) {
        if (auto const chosen = language::understand_choice(message)) {
            request.intents.front() = *unclear;
            request.intents.front().task = *chosen;
        }
    }
    for (auto const& intent : request.intents) act(intent, answer);
    return answer;
}

void rules_agent::act(intent const& intent, agent_answer& answer) {
    switch (intent.action) {
    case kind::create:
        return create(intent, answer);
    case kind::list:
        return list(intent, answer);
    case kind::get:
    case kind::update:
    case kind::complete:
    case kind::remove:
        return act_on_task(intent, answer);
    default:
        return;
    }
}

void rules_agent::act_on_task(intent const& intent, agent_answer& answer) {
    for (auto const& found : resolve_all(intent.task, {tasks_, shown_, mentioned_}))
        act_on(intent, found, answer);
}

void rules_agent::act_on(intent const& intent, resolution const& found, agent_answer& answer) {
    if (auto const* question = std::get_if<which_task>(&found)) {
        unclear_ = intent;
        shown_.clear();
        for (auto const& candidate : question->candidates) shown_.push_back(candidate.id);
        if (question->candidates.size() > 1) answer.asks = "which";
        return;
    }
    auto const* target = std::get_if<task>(&found);
    if (!target) {
        // Whether there is such a task is for the tool to say.
        if (intent.action == kind::get && intent.task.by == task_reference::kind::id)
            run(intent, task_id{intent.task.number}, answer);
        return;
    }
    mentioned_ = target->id;
    if (renames(intent) && intent.title.empty()) return;
    bool const asks = intent.action == kind::update || intent.action == kind::remove;
    if (!asks || intent.confirmed) return run(intent, target->id, answer);
    waiting_.push_back({intent, target->id});
    answer.asks = intent.action == kind::remove ? "delete" : renames(intent) ? "rename" : "change";
    agent_answer planned;
    auto const kept = tasks_;
    run(intent, target->id, planned);
    tasks_ = kept;
    std::ranges::move(planned.calls, std::back_inserter(answer.calls));
}

void rules_agent::create(intent const& intent, agent_answer& answer) {
    if (intent.title.empty()) return;
    std::int64_t last = 0;
    for (auto const& known : tasks_) last = std::max(last, base::raw(known.id));
    mentioned_ = task_id{last + 1};
    tasks_.push_back({*mentioned_, intent.title});
    boost::json::object arguments{{"title", intent.title}};
    if (intent.due) arguments["due"] = base::to_iso8601(intent.due->at);
    if (intent.urgency) arguments["priority"] = to_string(*intent.urgency);
    answer.calls.push_back({"create_todo_task", std::move(arguments)});
    answer.mutated = true;
}

bool rules_agent::matches(task const& candidate, intent const& intent) const {
    if (intent.filter == list_filter::open && candidate.done) return false;
    if (intent.filter == list_filter::completed && !candidate.done) return false;
    return folded(candidate.title).find(folded(intent.search)) != std::string::npos;
}

void rules_agent::list(intent const& intent, agent_answer& answer) {
    if (!intent.unread.empty()) return;
    shown_.clear();
    for (auto const& candidate : tasks_)
        if (matches(candidate, intent)) shown_.push_back(candidate.id);
    boost::json::object arguments;
    if (intent.filter != list_filter::all) arguments["filter"] = to_string(intent.filter);
    if (intent.days) arguments["days"] = language::to_text(*intent.days);
    if (!intent.search.empty()) arguments["search"] = intent.search;
    answer.calls.push_back({"list_todo_tasks", std::move(arguments)});
}

void rules_agent::run(intent const& intent, task_id target, agent_answer& answer) {
    boost::json::object arguments{{"task_id", base::raw(target)}};
    auto const found = std::ranges::find(tasks_, target, &task::id);
    bool const keeps = intent.action == kind::update && !renames(intent) && found != tasks_.end();
    auto const title = keeps ? found->title : intent.title;
    if (intent.action == kind::update) arguments["title"] = title;
    if (intent.action == kind::update && intent.due)
        arguments["due"] = base::to_iso8601(intent.due->at);
    if (intent.action == kind::update && intent.urgency)
        arguments["priority"] = to_string(*intent.urgency);
    answer.calls.push_back({std::string(tool_of(intent.action)), std::move(arguments)});
    answer.mutated |= mutates(intent.action);
    if (found == tasks_.end()) return;
    if (intent.action == kind::complete) found->done = true;
    if (intent.action == kind::update) found->title = title;
    if (intent.action == kind::remove) tasks_.erase(found);
}

} // namespace postrider::agent::todo
