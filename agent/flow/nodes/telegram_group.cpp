#include "agent/flow/node_type.hpp"
#include "base/json/json.hpp"

namespace postrider::agent::flow {

namespace {

trigger_opening open_telegram_group(boost::json::object const& parameters) {
    boost::json::value const values(parameters);
    base::json_reader const fields(values);
    group_opening groups;
    for (auto const& bot : fields["bots"].items_or_none())
        if (bot.is_string()) groups.bots.push_back(bot.string());
    for (auto const& chat : fields["chats"].items_or_none())
        if (chat.raw() && chat.raw()->is_int64()) groups.chats.push_back(chat.int64());
    for (auto const& event : fields["events"].items_or_none())
        if (auto const kind = group_event_from(event.string_or(""))) groups.events.push_back(*kind);
    // The default of the parameter.
    if (groups.events.empty()) groups.events = {group_event::message, group_event::edit};
    return groups;
}

} // namespace

behaviour telegram_group_behaviour() {
    return trigger{
        .source = trigger_source::message,
        .open = open_telegram_group,
    };
}

} // namespace postrider::agent::flow
