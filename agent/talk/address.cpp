#include "agent/talk/address.hpp"

#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid_io.hpp>

namespace postrider::agent {

address conversation_address(std::string_view id) {
    address at;
    try {
        at.conversation = boost::uuids::string_generator{}(id.begin(), id.end());
    } catch (std::runtime_error const&) {
    }
    return at;
}

std::string conversation_of(address const& at) {
    return at.is_conversation() ? boost::uuids::to_string(at.conversation) : std::string{};
}

std::string_view messenger_of(address const& at) noexcept {
    return at.is_conversation() ? "chat" : "telegram";
}

address in_thread(address at, thread_id thread) noexcept {
    if (!at.is_conversation()) at.thread = thread;
    return at;
}

std::string own_lane_key(address const& at) {
    if (at.is_conversation()) return "chat:" + conversation_of(at);
    return base::to_string(at.bot) + ":" + base::to_string(at.chat) + ":" +
           base::to_string(at.thread);
}

boost::json::object to_json(address const& at) {
    if (at.is_conversation()) return {{"conversation", conversation_of(at)}};
    return {
        {"bot", base::raw(at.bot)},
        {"chat", base::raw(at.chat)},
        {"thread", base::raw(at.thread)},
    };
}

boost::json::object place_json(address const& at) {
    if (at.is_conversation()) return {{"conversation", conversation_of(at)}};
    return {{"chat", base::raw(at.chat)}};
}

address address_from(base::json_reader const& from) {
    if (auto const id = from["conversation"].string_or(""); !id.empty())
        return conversation_address(id);
    address at;
    at.bot = bot_id{from["bot"].int64()};
    at.chat = chat_id{from["chat"].int64()};
    at.thread = thread_id{from["thread"].int64_or(0)};
    return at;
}

} // namespace postrider::agent
