#include "storage/stores/conversation_messages.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement send_messages{
    "send_to_conversations",
    R"(
select t.i, postrider.conversation_send(t.conversation, t.job_id, t.position, t.key, t.id, t.content, t.shown, t.origin)
from json_to_recordset($1::json) as t(i int, conversation uuid, job_id bigint, position bigint, key text, id text,
                                        content text, shown jsonb, origin text)
)",
    55};

constexpr statement change_messages{
    "change_in_conversations",
    R"(
select t.i, postrider.conversation_change(t.conversation, t.number, t.is_edit, t.content, t.change)
from json_to_recordset($1::json) as t(i int, conversation uuid, number bigint, is_edit boolean, content text, change jsonb)
)",
    56};

} // namespace

write send_to_conversation(conversation_message const& message) {
    base::json_row row{
        {"conversation", message.conversation},
        {"job_id", base::raw(message.job)},
        {"key", message.key},
        {"id", message.id},
        {"content", message.content},
        {"shown", boost::json::value(message.shown)},
        {"origin", to_string(message.origin)},
    };
    if (message.position) row.add({"position", *message.position});
    return {&send_messages, std::move(row).text()};
}

std::optional<telegram_message_id> read_sent(row const& returned) {
    if (returned.null(1)) return std::nullopt;
    return returned.id<telegram_message_id>(1);
}

write change_in_conversation(message_change const& change) {
    base::json_row row{
        {"conversation", change.conversation},
        {"number", base::raw(change.message)},
        {"is_edit", change.is_edit},
        {"change", boost::json::value(change.shown)},
    };
    if (change.content) row.add({"content", *change.content});
    return {&change_messages, std::move(row).text()};
}

} // namespace postrider::storage
