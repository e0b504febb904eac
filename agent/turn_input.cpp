#include "agent/turn.hpp"
#include "base/json.hpp"

#include <boost/json/object.hpp>

namespace postrider::agent {

boost::json::value to_json(turn_input const& input) {
    return boost::json::object{
        {"bot", base::raw(input.to.bot)},
        {"chat", base::raw(input.to.chat)},
        {"thread", base::raw(input.to.thread)},
        {"user", base::raw(input.user)},
        {"message", base::raw(input.message)},
        {"agent", input.agent},
    };
}

base::result<turn_input> turn_input_from(boost::json::value const& input) {
    base::json_reader root{input};
    turn_input read;
    read.to.bot = bot_id{root["bot"].int64()};
    read.to.chat = chat_id{root["chat"].int64()};
    read.to.thread = thread_id{root["thread"].int64_or(0)};
    read.user = user_id{root["user"].int64_or(0)};
    read.message = telegram_message_id{root["message"].int64_or(0)};
    read.agent = root["agent"].string_or(read.agent);
    if (root.failed()) return root.failure();
    return read;
}

} // namespace postrider::agent
