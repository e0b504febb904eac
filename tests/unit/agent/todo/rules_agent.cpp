#include "tests/unit/agent/todo/rules_agent.hpp"

#include "agent/language/assent.hpp"
#include "agent/language/words.hpp"
#include "base/ids.hpp"

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
            for (auto const& [wish, target] : waiting) run(wish, target, answer);
        return answer;
    }
    auto request = language::understand(message, now_, zone_);
    if (unclear && request.intents.front().action == kind::unknown && !request.doubtful) {
        if (auto const chosen = language::understand_choice(message)) {
            request.intents.front() = *unclear;
            request.intents.front().task = *chosen;
        }
    }
    for (auto const& wish : request.intents) act(wish, answer);
    return answer;
}

void rules_agent::act(intent const& wish, agent_answer& answer) {
    switch (wish.action) {
    case kind::create:
        return create(wish, answer);
    case kind::list:
        return list(wish, answer);
    case kind::get:
    case kind::update:
    case kind::complete:
    case kind::remove:
        return act_on_task(wish, answer);
    default:
        return;
    }
}

void rules_agent::act_on_task(intent const& wish, agent_answer& answer) {
    for (auto const& found : resolve_all(wish.task, {tasks_, shown_, mentioned_}))
        act_on(wish, found, answer);
}

void rules_agent::act_on(intent const& wish, resolution const& found, agent_answer& answer) {
    if (auto const* question = std::get_if<which_task>(&found)) {
        unclear_ = wish;
        shown_.clear();
        for (auto const& candidate : question->candidates) shown_.push_back(candidate.id);
        if (question->candidates.size() > 1) answer.asks = "which";
        return;
    }
    auto const* target = std::get_if<task>(&found);
    if (!target) {
        // Whether there is such a task is for the tool to say.
        if (wish.action == kind::get && wish.task.by == task_reference::kind::id)
            run(wish, task_id{wish.task.number}, answer);
        return;
    }
    mentioned_ = target->id;
    if (renames(wish) && wish.title.empty()) return;
    bool const asks = wish.action == kind::update || wish.action == kind::remove;
    if (!asks || wish.confirmed) return run(wish, target->id, answer);
    waiting_.push_back({wish, target->id});
    answer.asks = wish.action == kind::remove ? "delete" : renames(wish) ? "rename" : "change";
    agent_answer planned;
    auto const kept = tasks_;
    run(wish, target->id, planned);
    tasks_ = kept;
    std::ranges::move(planned.calls, std::back_inserter(answer.calls));
}

void rules_agent::create(intent const& wish, agent_answer& answer) {
    if (wish.title.empty()) return;
    std::int64_t last = 0;
    for (auto const& known : tasks_) last = std::max(last, base::raw(known.id));
    mentioned_ = task_id{last + 1};
    tasks_.push_back({*mentioned_, wish.title});
    boost::json::object arguments{{"title", wish.title}};
    if (wish.due) arguments["due"] = base::to_iso8601(wish.due->at);
    if (wish.urgency) arguments["priority"] = to_string(*wish.urgency);
    answer.calls.push_back({"create_todo_task", std::move(arguments)});
    answer.mutated = true;
}

bool rules_agent::matches(task const& candidate, intent const& wish) const {
    if (wish.filter == list_filter::open && candidate.done) return false;
    if (wish.filter == list_filter::completed && !candidate.done) return false;
    return folded(candidate.title).find(folded(wish.search)) != std::string::npos;
}

void rules_agent::list(intent const& wish, agent_answer& answer) {
    shown_.clear();
    for (auto const& candidate : tasks_)
        if (matches(candidate, wish)) shown_.push_back(candidate.id);
    boost::json::object arguments;
    if (wish.filter != list_filter::all) arguments["filter"] = to_string(wish.filter);
    if (!wish.search.empty()) arguments["search"] = wish.search;
    answer.calls.push_back({"list_todo_tasks", std::move(arguments)});
}

void rules_agent::run(intent const& wish, task_id target, agent_answer& answer) {
    boost::json::object arguments{{"task_id", base::raw(target)}};
    auto const found = std::ranges::find(tasks_, target, &task::id);
    bool const keeps = wish.action == kind::update && !renames(wish) && found != tasks_.end();
    auto const title = keeps ? found->title : wish.title;
    if (wish.action == kind::update) arguments["title"] = title;
    if (wish.action == kind::update && wish.due) arguments["due"] = base::to_iso8601(wish.due->at);
    if (wish.action == kind::update && wish.urgency)
        arguments["priority"] = to_string(*wish.urgency);
    answer.calls.push_back({std::string(tool_of(wish.action)), std::move(arguments)});
    answer.mutated |= mutates(wish.action);
    if (found == tasks_.end()) return;
    if (wish.action == kind::complete) found->done = true;
    if (wish.action == kind::update) found->title = title;
    if (wish.action == kind::remove) tasks_.erase(found);
}

} // namespace postrider::agent::todo
