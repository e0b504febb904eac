#include "agent/talk/group_event.hpp"

#include "base/names.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent {

namespace json = boost::json;

namespace {

constexpr base::names<group_event, 5> group_events{{
    {group_event::message, "message"},
    {group_event::edit, "edit"},
    {group_event::member, "member"},
    {group_event::reaction, "reaction"},
    {group_event::join_request, "join_request"},
}};

json::object named_event(group_event event, json::object members) {
    members["event"] = to_string(event);
    return members;
}

json::array texts_json(std::vector<std::string> const& texts) {
    json::array list;
    for (auto const& text : texts) list.emplace_back(text);
    return list;
}

} // namespace

std::string_view to_string(group_event event) noexcept {
    return base::name_of(group_events, event);
}

std::optional<group_event> group_event_from(std::string_view name) noexcept {
    return base::named(group_events, name);
}

json::object event_json(group_event event, group_message const& message) {
    return named_event(event, to_json(message));
}

json::object event_json(member_change const& change) {
    return named_event(group_event::member, to_json(change));
}

json::object event_json(reaction_change const& change) {
    json::object members{
        {"person", to_json(change.person)},
        {"before", texts_json(change.before)},
        {"reactions", texts_json(change.now)}};
    if (change.chat) members["sender_chat"] = base::raw(*change.chat);
    if (change.date != 0) members["date"] = change.date;
    return named_event(group_event::reaction, std::move(members));
}

json::object event_json(join_request const& request) {
    json::object members{{"person", to_json(request.person)}};
    if (!request.language.empty()) members["language"] = request.language;
    if (!request.bio.empty()) members["bio"] = request.bio;
    return named_event(group_event::join_request, std::move(members));
}

} // namespace postrider::agent
