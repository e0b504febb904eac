#include "agent/flow/node_type.hpp"
#include "base/ascii.hpp"
#include "base/json/json.hpp"
#include "base/names.hpp"

namespace postrider::agent::flow {

namespace {

constexpr base::names<group_hearing, 3> hearings{{
    {group_hearing::addressed, "addressed"},
    {group_hearing::stored, "stored"},
    {group_hearing::all, "all"},
}};

std::vector<std::string> texts_in(base::json_reader const& list) {
    std::vector<std::string> texts;
    for (auto const& text : list.items_or_none())
        if (text.is_string()) texts.push_back(text.string());
    return texts;
}

std::vector<std::int64_t> integers_in(base::json_reader const& list) {
    std::vector<std::int64_t> integers;
    for (auto const& number : list.items_or_none())
        if (number.raw() && number.raw()->is_int64()) integers.push_back(number.int64());
    return integers;
}

trigger_opening open_telegram_message(boost::json::object const& parameters) {
    boost::json::value const values(parameters);
    base::json_reader const fields(values);
    message_opening messages;
    messages.bots = texts_in(fields["bots"]);
    messages.chats = integers_in(fields["chats"]);
    // As a message's command is read (agent/language/command.hpp).
    for (auto& command : texts_in(fields["commands"]))
        messages.commands.push_back(base::to_lower(std::move(command)));
    auto const hearing = base::named(hearings, fields["group_messages"].string_or(""));
    messages.hearing = hearing.value_or(messages.hearing);
    messages.files = fields["files"].boolean_or(false);
    return messages;
}

} // namespace

behaviour telegram_message_behaviour() {
    return trigger{
        .source = trigger_source::message,
        .open = open_telegram_message,
    };
}

} // namespace postrider::agent::flow
