#pragma once
// The question that a chat's turn waits with, for a person who comes back after a restart.
#include "base/async.hpp"
#include "base/ids.hpp"
#include "storage/database.hpp"

#include <boost/json/array.hpp>

#include <optional>
#include <string>

namespace postrider::server {

struct open_question {
    std::string text;
    base::sys_time until;
    std::string approval; // its id; "" = the question is about something else
    telegram_message_id message{};
    boost::json::array buttons = {}; // of the message
};

// "open until 04:44 UTC: answer yes or no, here or by postrider approvals approve ID". Pure.
std::string answer_line(open_question const& question);

// Of the newest waiting turn of a private chat with any bot, once it was sent there. None when nothing
// is open, or Postgres does not answer in time.
base::awaitable<std::optional<open_question>> newest_open_question(
    storage::database& db, chat_id chat, base::sys_time now
);

} // namespace postrider::server
