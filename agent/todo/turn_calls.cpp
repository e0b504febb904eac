#include "agent/todo/turn_calls.hpp"

#include "agent/language/words.hpp"
#include "agent/todo/task_definitions.hpp"
#include "base/json/json.hpp"

#include <algorithm>
#include <map>

namespace postrider::agent::todo {

namespace {

namespace json = boost::json;

std::string title_in(json::object const& arguments) {
    auto const* title = arguments.if_contains("title");
    return title && title->is_string() ? std::string(title->get_string()) : std::string();
}

std::string title_of(turn_call const& call) {
    return title_in(call.arguments);
}

task_id named_task(json::object const& arguments) {
    auto const* id = arguments.if_contains("task_id");
    return task_id{id ? base::json_reader(*id).int64_or(0) : 0};
}

// "Buy milk" and "milk"
bool resembles(std::string_view a, std::string_view b) {
    auto const first = folded(a);
    auto const second = folded(b);
    return first.find(second) != first.npos || second.find(first) != second.npos;
}

} // namespace

std::string_view tool_of(intent::kind action) noexcept {
    switch (action) {
    case intent::kind::get:
        return get_tool;
    case intent::kind::update:
        return update_tool;
    case intent::kind::complete:
        return complete_tool;
    default:
        return delete_tool;
    }
}

task_id turn_call::task() const {
    return named_task(arguments);
}

turn_calls::turn_calls(std::span<chat_message const> rounds) {
    std::map<std::string, tool_call const*, std::less<>> requested;
    for (auto const& message : rounds) {
        for (auto const& call : message.calls) requested.insert_or_assign(call.id, &call);
        if (message.role != role::tool) continue;
        auto const call = requested.find(message.call_id);
        if (call == requested.end()) continue;
        turn_call added;
        added.tool = call->second->name;
        if (auto const* arguments = call->second->arguments.if_object())
            added.arguments = *arguments;
        added.result = message.content;
        added.is_error = message.is_error;
        added.error_reason = message.error_reason;
        added.is_lookup = call->second->by == call_author::lookup;
        added.by_rules = call->second->by != call_author::model;
        calls_.push_back(std::move(added));
    }
}

turn_call* turn_calls::take(auto const& fits) {
    auto const entry = std::ranges::find_if(calls_, [&](turn_call const& call) {
        return !call.taken && fits(call);
    });
    if (entry == calls_.end()) return nullptr;
    entry->taken = true;
    return &*entry;
}

void turn_calls::assign_creations(std::vector<std::string> const& titles) {
    creations_.assign(titles.size(), nullptr);
    auto const assign = [&](auto const& fits) {
        for (std::size_t i = 0; i < titles.size(); ++i)
            if (!creations_[i])
                creations_[i] = take([&](turn_call const& call) {
                    return call.tool == create_tool && fits(call, titles[i]);
                });
    };
    assign([](turn_call const& call, std::string_view title) {
        return folded(title_of(call)) == folded(title);
    });
    assign([](turn_call const& call, std::string_view title) {
        return !call.by_rules && resembles(title_of(call), title);
    });
    assign([](turn_call const& call, std::string_view) { return !call.by_rules; });
}

turn_call* turn_calls::find(std::string_view tool, task_id task) {
    return take([&](turn_call const& call) { return call.tool == tool && call.task() == task; });
}

turn_call* turn_calls::find_list(json::object const& arguments) {
    return take([&](turn_call const& call) {
        return !call.is_lookup && call.tool == list_tool && call.arguments == arguments;
    });
}

// The same words are another time later on: a person may have been asked meanwhile.
json::object without_due(json::object arguments) {
    arguments.erase("due");
    return arguments;
}

// A model's own way to write the same title is no other title.
bool turn_calls::is_renaming(turn_call const& call, json::object const& arguments) {
    if (call.tool != update_tool || call.task() != named_task(arguments)) return false;
    if (call.by_rules) return without_due(call.arguments) == without_due(arguments);
    return folded(title_of(call)) == folded(title_in(arguments));
}

turn_call* turn_calls::find_renaming(
    json::object const& arguments, std::vector<std::string> const& titles
) {
    if (auto* const same =
            take([&](turn_call const& call) { return is_renaming(call, arguments); }))
        return same;
    return take([&](turn_call const& call) {
        return !call.by_rules && call.tool == update_tool && call.task() == named_task(arguments) &&
               std::ranges::none_of(titles, [&](std::string const& title) {
                   return folded(title) == folded(title_of(call));
               });
    });
}

bool turn_calls::has_renaming(json::object const& arguments) const {
    return std::ranges::any_of(calls_, [&](turn_call const& call) {
        bool const same = !call.by_rules || call.arguments == arguments;
        return same && is_renaming(call, arguments);
    });
}

bool turn_calls::is_renamed_by_model(task_id task) const {
    return std::ranges::any_of(calls_, [&](turn_call const& call) {
        return !call.taken && !call.by_rules && call.tool == update_tool && call.task() == task;
    });
}

turn_call* turn_calls::find_of_model(std::string_view tool, std::vector<task_id> const& tasks) {
    return take([&](turn_call const& call) {
        return !call.by_rules && call.tool == tool &&
               std::ranges::find(tasks, call.task()) == tasks.end();
    });
}

turn_call* turn_calls::find_change_of_model(
    std::string_view tool, std::vector<task_id> const& tasks
) {
    return take([&](turn_call const& call) {
        return !call.by_rules && !call.is_error && call.tool == tool &&
               std::ranges::find(tasks, call.task()) == tasks.end();
    });
}

bool turn_calls::has(std::string_view tool, task_id task) const {
    return std::ranges::any_of(calls_, [&](turn_call const& call) {
        return call.tool == tool && call.task() == task;
    });
}

} // namespace postrider::agent::todo
