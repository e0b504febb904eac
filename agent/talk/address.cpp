#include "agent/talk/address.hpp"

#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace postrider::agent {

address conversation_address(std::string_view id) {
    address result;
    try {
        result.conversation = boost::uuids::string_generator{}(id.begin(), id.end());
    } catch (std::runtime_error const&) {
    }
    return result;
}

std::string conversation_of(address const& place) {
    return place.is_conversation() ? boost::uuids::to_string(place.conversation) : std::string{};
}

std::string_view messenger_of(address const& place) noexcept {
    return place.is_conversation() ? "chat" : "telegram";
}

address in_thread(address place, thread_id thread) noexcept {
    if (!place.is_conversation()) place.thread = thread;
    return place;
}

std::string own_lane_key(address const& place) {
    if (place.is_conversation()) return "chat:" + conversation_of(place);
    return base::to_string(place.bot) + ":" + base::to_string(place.chat) + ":" +
           base::to_string(place.thread);
}

boost::json::object to_json(address const& place) {
    if (place.is_conversation()) return {{"conversation", conversation_of(place)}};
    return {
        {"bot", base::raw(place.bot)},
        {"chat", base::raw(place.chat)},
        {"thread", base::raw(place.thread)},
    };
}

boost::json::object place_json(address const& place) {
    if (place.is_conversation()) return {{"conversation", conversation_of(place)}};
    return {{"chat", base::raw(place.chat)}};
}

address address_from(base::json_reader const& fields) {
    if (auto const id = fields["conversation"].string_or(""); !id.empty())
        return conversation_address(id);
    address result;
    result.bot = bot_id{fields["bot"].int64()};
    result.chat = chat_id{fields["chat"].int64()};
    result.thread = thread_id{fields["thread"].int64_or(0)};
    return result;
}

} // namespace postrider::agent
