#pragma once
// Messages to a bot with an allowlist, and what becomes of them.
#include "server/telegram/disposition.hpp"

#include <string>
#include <utility>
#include <variant>

namespace postrider::telegram::decided {

inline constexpr user_id friendly{10};
inline constexpr user_id self{99};
inline constexpr chat_id served_group{-100};

inline bot_settings settings() {
    bot_settings bot;
    bot.id = bot_id{3};
    bot.self = self;
    bot.username = "fern_bot";
    bot.agent = "todo";
    bot.allowlist = {{friendly}, {served_group}};
    return bot;
}

inline message written(user_id sender, chat_id where, std::string text = "hello") {
    message m;
    m.id = telegram_message_id{5};
    m.where = {where, base::raw(where) > 0};
    m.from = person{sender, false, "Name", ""};
    m.text = std::move(text);
    return m;
}

inline message in_private(user_id sender, std::string text = "hello") {
    return written(sender, chat_id{base::raw(sender)}, std::move(text));
}

// "job", "not_addressed" where it is said to others, "event", or the rule by which it is ignored.
inline std::string fate(disposition const& decision) {
    if (auto const* job = std::get_if<to_job>(&decision))
        return job->heard.addressed ? "job" : "not_addressed";
    if (std::holds_alternative<to_edit>(decision)) return "event";
    if (std::holds_alternative<to_press>(decision)) return "press";
    if (std::holds_alternative<to_catch_press>(decision)) return "catch press";
    if (std::holds_alternative<to_member_event>(decision)) return "member event";
    return std::get<to_nothing>(decision).rule;
}

inline std::string fate_of(message m) {
    return fate(decide({update_id{1}, new_message{std::move(m)}}, settings()));
}

} // namespace postrider::telegram::decided
