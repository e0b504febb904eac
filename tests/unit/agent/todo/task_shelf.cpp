#include "tests/unit/agent/todo/task_shelf.hpp"

#include "agent/flow/approvals/request.hpp"
#include "agent/flow/chat/history.hpp"
#include "agent/todo/task_definitions.hpp"
#include "agent/todo/task_words.hpp"
#include "base/ids.hpp"
#include "tests/unit/agent/language/request_text.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

constexpr int most_rounds = 30;

json::object told(task const& of) {
    json::object object{{"task_id", base::raw(of.id)}, {"title", of.title}, {"completed", of.done}};
    if (!of.due.empty()) object["due"] = of.due;
    return object;
}

// By the days alone.
bool is_asked_for(task const& of, json::object const& arguments) {
    auto const day = std::string_view(of.due).substr(0, base::date_size);
    auto const* from = arguments.if_contains("due_from");
    auto const* before = arguments.if_contains("due_before");
    if ((from || before) && day.empty()) return false;
    return (!from || day >= from->as_string()) && (!before || day < before->as_string());
}

} // namespace

task_shelf::task_shelf(std::vector<std::string> titles) {
    for (auto& title : titles) tasks_.push_back({task_id{++last_}, std::move(title)});
}

std::string task_shelf::hear(std::string message) {
    return hear_behind(std::move(message), {});
}

std::string task_shelf::hear_behind(std::string message, std::vector<tool_call> round) {
    messages_.push_back({.role = role::user, .content = std::move(message)});
    if (!round.empty()) add_round(std::move(round));
    return finish();
}

std::string task_shelf::finish() {
    auto const zone = language::berlin();
    for (rounds = 1; rounds <= most_rounds; ++rounds) {
        auto next = next_reply({messages_, language::sunday_morning(), zone}).reply;
        if (next.calls.empty()) {
            messages_.push_back({.role = role::assistant, .content = next.text});
            messages_.back().left_open = std::move(next.left_open);
            return next.text;
        }
        add_round(std::move(next.calls));
    }
    throw std::runtime_error("the rules come to no end");
}

void task_shelf::add_round(std::vector<tool_call> round) {
    messages_.push_back({.role = role::assistant, .content = {}, .calls = round});
    for (auto const& call : round) {
        std::string_view reason;
        auto text = run(call, reason);
        bool const is_error = !reason.empty();
        messages_.push_back(result_of(call, std::move(text), is_error, reason));
    }
}

std::string task_shelf::run(tool_call const& call, std::string_view& reason) {
    auto const& arguments = call.arguments.as_object();
    if (call.name == list_tool) {
        json::array listed;
        for (auto const& entry : tasks_)
            if (is_asked_for(entry, arguments)) listed.push_back(told(entry));
        return json::serialize(json::object{{"total", listed.size()}, {"tasks", listed}});
    }
    if (call.name == create_tool) {
        calls.push_back(call.name);
        tasks_.push_back({task_id{++last_}, std::string(arguments.at("title").as_string())});
        return json::serialize(told(tasks_.back()));
    }
    auto const id = task_id{arguments.at("task_id").as_int64()};
    if (is_mutation(call.name)) calls.push_back(fmt::format("{} {}", call.name, base::raw(id)));
    auto const found = std::ranges::find(tasks_, id, &task::id);
    if (found == tasks_.end()) {
        reason = no_such_task;
        return fmt::format("There is no task {}.", base::raw(id));
    }
    if (!question_about(call.name, arguments).empty() && !consents) {
        reason = refusal_reason(verdict::rejected);
        return approvals::refusal_text(verdict::rejected, {});
    }
    if (call.name == complete_tool) found->done = true;
    if (call.name == update_tool) found->title = std::string(arguments.at("title").as_string());
    auto const* due = call.name == update_tool ? arguments.if_contains("due") : nullptr;
    if (due) found->due = due->is_string() ? std::string(due->as_string()) : std::string();
    auto shown = told(*found);
    for (auto const* name : {"due", "priority"}) {
        auto const* value = call.name == update_tool ? arguments.if_contains(name) : nullptr;
        if (!value) continue;
        shown[name] = *value;
        auto& changed = shown["changed"];
        if (!changed.is_array()) changed.emplace_array();
        changed.get_array().push_back(json::value(name));
    }
    auto const result = json::serialize(shown);
    if (call.name == delete_tool) tasks_.erase(found);
    return result;
}

std::string task_shelf::tasks() const {
    std::string text;
    for (auto const& entry : tasks_)
        text += fmt::format(
            "{}{} {}{}",
            text.empty() ? "" : ", ",
            base::raw(entry.id),
            entry.title,
            entry.done ? " done" : ""
        );
    return text;
}

} // namespace postrider::agent::todo
