#include "agent/todo/confirmed.hpp"

#include "agent/todo/task_definitions.hpp"
#include "agent/todo/understand.hpp"
#include "base/ids.hpp"
#include "base/json.hpp"

#include <boost/json/array.hpp>

#include <algorithm>

namespace postrider::agent::todo {

namespace json = boost::json;

namespace {

constexpr std::string_view member = "confirmed";

// When something is due plays no part here.
request understood(std::string_view message) {
    static auto const utc = base::find_time_zone("UTC").value();
    auto request = understand(message, base::sys_time(), utc);
    std::erase_if(request.intents, [](intent const& wish) {
        bool const asks =
            wish.action == intent::kind::update || wish.action == intent::kind::remove;
        return !asks || !wish.confirmed;
    });
    if (request.doubtful) request.intents.clear();
    return request;
}

} // namespace

bool confirms(std::string_view message) {
    return !understood(message).intents.empty();
}

std::vector<confirmed_call> confirmed_by(std::string_view message, conversation_view const& view) {
    std::vector<confirmed_call> confirmed;
    for (auto const& wish : understood(message).intents) {
        bool const renames = wish.action == intent::kind::update;
        if (renames && wish.title.empty()) continue;
        for (auto const& found : resolve_all(wish.task, view))
            if (auto const* target = std::get_if<task>(&found))
                confirmed.push_back(
                    {std::string(renames ? update_tool : delete_tool),
                     target->id,
                     renames ? wish.title : std::string()}
                );
    }
    return confirmed;
}

json::object settings_of(std::vector<confirmed_call> const& confirmed, std::string_view tool) {
    json::array calls;
    for (auto const& call : confirmed) {
        if (call.tool != tool) continue;
        json::object arguments{{"task_id", base::raw(call.task)}};
        if (!call.title.empty()) arguments["title"] = call.title;
        calls.push_back(std::move(arguments));
    }
    json::object settings;
    if (!calls.empty()) settings[member] = std::move(calls);
    return settings;
}

bool is_confirmed(json::object const& settings, json::object const& arguments) {
    auto const* calls = settings.if_contains(member);
    if (!calls || !calls->is_array()) return false;
    return std::ranges::any_of(calls->get_array(), [&](json::value const& call) {
        auto const& same = call.as_object();
        // Nothing else comes along with it, such as another due date.
        return same.size() == arguments.size() &&
               std::ranges::all_of(same, [&](auto const& argument) {
                   auto const* value = arguments.if_contains(argument.key());
                   return value && *value == argument.value();
               });
    });
}

} // namespace postrider::agent::todo
