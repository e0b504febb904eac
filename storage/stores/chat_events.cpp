#include "storage/stores/chat_events.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement tell_chats{
    "tell_chats",
    R"(
select t.i, postrider.tell_chat(t.bot_id, t.chat_id, t.type, t.payload)
from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, type text, payload jsonb)
)",
    20};

} // namespace

write tell_chat(
    bot_id bot, chat_id chat, std::string_view type, boost::json::value const& payload
) {
    base::json_row json{
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"type", type},
        {"payload", payload},
    };
    return {&tell_chats, std::move(json).text()};
}

} // namespace postrider::storage
