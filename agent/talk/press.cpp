#include "agent/talk/press.hpp"

#include "base/json/json.hpp"

#include <charconv>

namespace postrider::agent {

namespace {

constexpr std::size_t id_size = 21; // of a nanoid
constexpr char closing = ':';
constexpr char keeping = '?';
constexpr std::size_t most_in_a_row = 3;

} // namespace

std::vector<std::vector<choice>> numbered_choices(std::vector<std::string> const& texts) {
    std::vector<std::vector<choice>> rows;
    bool const side_by_side = texts.size() <= most_in_a_row;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (rows.empty() || !side_by_side) rows.emplace_back();
        rows.back().push_back({texts[i], std::to_string(i)});
    }
    return rows;
}

std::string marked_value(choice const& choice) {
    return (choice.closes ? closing : keeping) + choice.value;
}

std::string data_of(std::string_view question, choice const& choice) {
    return std::string(question) + marked_value(choice);
}

button_data read_button_data(std::string_view data) {
    if (data.size() <= id_size) return {};
    char const mark = data[id_size];
    if (mark != closing && mark != keeping) return {};
    return {
        std::string(data.substr(0, id_size)),
        std::string(data.substr(id_size + 1)),
        mark == closing};
}

boost::json::object to_json(press const& press, address const& place) {
    auto event = to_json(place);
    event["user"] = base::raw(press.user);
    event["name"] = press.name;
    event["message"] = base::raw(press.message);
    event["choice"] = press.choice;
    event["press"] = press.id;
    return event;
}

base::result<press> press_from(boost::json::value const& event) {
    base::json_reader const fields{event};
    press result;
    result.user = user_id{fields["user"].int64()};
    result.name = fields["name"].string_or("");
    result.message = telegram_message_id{fields["message"].int64_or(0)};
    result.choice = fields["choice"].string();
    result.id = fields["press"].string_or("");
    result.at = address_from(fields);
    if (fields.failed()) return fields.failure();
    return result;
}

std::string place_of(address const& place) {
    if (place.is_conversation()) return own_lane_key(place);
    return base::to_string(place.bot) + ":" + base::to_string(place.chat);
}

address address_at(std::string_view place) {
    constexpr std::string_view conversation = "chat:";
    if (place.starts_with(conversation))
        return conversation_address(place.substr(conversation.size()));
    std::int64_t bot = 0;
    std::int64_t chat = 0;
    auto const* const end = place.data() + place.size();
    auto const [behind_bot, no_bot] = std::from_chars(place.data(), end, bot);
    if (no_bot != std::errc{} || behind_bot == end || *behind_bot != ':') return {};
    auto const [behind_chat, no_chat] = std::from_chars(behind_bot + 1, end, chat);
    if (no_chat != std::errc{} || behind_chat != end) return {};
    return {bot_id{bot}, chat_id{chat}};
}

} // namespace postrider::agent
