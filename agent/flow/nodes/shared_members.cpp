#include "agent/flow/nodes/shared_members.hpp"

#include "agent/describe/bounds.hpp"
#include "agent/describe/choice.hpp"
#include "agent/flow/model_failure_policy.hpp"
#include "agent/models/streaming.hpp"
#include "agent/talk/image.hpp"

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>

#include <map>
#include <stdexcept>
#include <string>

namespace postrider::agent::flow {

namespace json = boost::json;

std::string_view shared_members_json();

namespace {

json::object bound_members(bounds::range<int> const& bound) {
    json::value members = json::object();
    bounds::apply(bound, members);
    return std::move(members.get_object());
}

json::object usual_member(std::chrono::milliseconds usual) {
    json::value members = json::object();
    bounds::apply_usual(usual, members);
    return std::move(members.get_object());
}

// The names that a parameter takes, and what they mean.
template<class T>
json::object choice_members(std::span<named_choice<T> const> choices) {
    std::string text;
    json::array names;
    for (auto const& choice : choices) {
        text.append(text.empty() ? "" : " ").append(choice.name).append(": ");
        text.append(choice.meaning).append(".");
        names.emplace_back(choice.name);
    }
    return {{"description", text}, {"enum", std::move(names)}};
}

json::object model_failure_members() {
    auto members = choice_members(model_failure_choices());
    members["default"] = model_failure_choices().front().name;
    return members;
}

using member_table = std::map<std::string, json::object, std::less<>>;

member_table read_members() {
    member_table all{
        {"bounds.answer_tokens", bound_members(bounds::answer_tokens)},
        {"bounds.backups", {{"maxItems", bounds::most_models - 1}}},
        {"bounds.group_tokens", bound_members(bounds::group_tokens)},
        {"bounds.history_tokens", bound_members(bounds::history_tokens)},
        {"bounds.images", {{"maxItems", most_images}}},
        {"bounds.iterations", bound_members(bounds::iterations)},
        {"bounds.models", {{"most", bounds::most_models}}},
        {"bounds.question_patience", usual_member(bounds::question_patience)},
        {"bounds.repeats", bound_members(bounds::repeats)},
        {"bounds.temperature",
         {{"minimum", bounds::least_temperature}, {"maximum", bounds::most_temperature}}},
        {"bounds.tool_calls", bound_members(bounds::tool_calls)},
        {"bounds.window", bound_members(bounds::window)},
        {"bounds.window_slack", bound_members(bounds::window_slack)},
        {"choices.model_failures", model_failure_members()},
        {"choices.streaming", choice_members(streaming_choices())},
    };
    auto const file = json::parse(shared_members_json());
    for (auto const& [name, members] : file.as_object()) all.emplace(name, members.as_object());
    return all;
}

json::object const& members_called(std::string_view name) {
    static auto const all = read_members();
    auto const members = all.find(name);
    if (members == all.end())
        throw std::logic_error("there are no shared members " + std::string(name));
    return members->second;
}

void add_members(json::object& target, json::object const& shared) {
    for (auto const& [name, member] : shared) {
        auto const [entry, is_new] = target.emplace(name, member);
        if (is_new || name != "description") continue;
        auto& text = entry->value().as_string();
        text.append(" ").append(member.as_string());
    }
}

} // namespace

json::value with_shared_members(json::value const& value) {
    if (auto const* list = value.if_array()) {
        json::array expanded;
        for (auto const& element : *list) expanded.push_back(with_shared_members(element));
        return expanded;
    }
    auto const* object = value.if_object();
    if (!object) return value;
    json::object expanded;
    for (auto const& [name, member] : *object)
        if (name != "x-shared") expanded.emplace(name, with_shared_members(member));
    if (auto const* name = object->if_contains("x-shared"))
        add_members(expanded, with_shared_members(members_called(name->as_string())).as_object());
    return expanded;
}

} // namespace postrider::agent::flow
