#include "storage/stores/lane_messages.hpp"

namespace postrider::storage {

namespace {

constexpr statement lane_of_key{
    "lane_of_key", "select lane_id from postrider.lane where lane_key = $1"};

constexpr statement messages_of_lane{"messages_of_lane", R"(
select m.job_id, m.position, m.id, m.role, postrider.origin_of(m), coalesce(m.shown ->> 'text', m.content),
       postrider.iso(m.created_at), postrider.iso(m.sent_at), m.delivery, postrider.author_of(m),
       case when m.role = 'assistant' then m.detail -> 'calls' end, c.call ->> 'name', c.call -> 'arguments',
       m.chat_id, m.thread_id, m.telegram_message_id, m.reply_to, coalesce(m.shown ? 'removed', false) or m.removed_at is not null,
       postrider.iso(m.removed_at), m.detail -> 'reactions'
from postrider.message m
left join lateral (select x.call from postrider.message a, jsonb_array_elements(a.detail -> 'calls') x(call)
                   where m.role = 'tool' and a.lane_id = m.lane_id and a.job_id = m.job_id and a.role = 'assistant'
                     and x.call ->> 'id' = m.detail ->> 'call_id' and a.position < m.position
                   order by a.position desc limit 1) c on true
where m.lane_id = $1 and (m.job_id, m.position) < ($2::bigint, $3::bigint) and m.role <> 'system'
order by m.job_id desc, m.position desc limit $4::bigint
)"};

std::string text_or_nothing(row const& r, std::size_t column) {
    return r.optional_text(column).value_or("");
}

boost::json::value json_or_null(row const& r, std::size_t column) {
    return r.null(column) ? boost::json::value() : r.json(column);
}

} // namespace

std::optional<lane_id> find_lane_of_key(transaction& tx, std::string_view key) {
    auto const found = tx.query(lane_of_key, {key});
    if (found.empty()) return std::nullopt;
    return found.front().id<lane_id>(0);
}

std::vector<lane_message> list_lane_messages(
    transaction& tx, lane_id lane, lane_message_place before, int limit
) {
    std::vector<lane_message> messages;
    for (auto const& r : tx.query(messages_of_lane, {lane, before.job, before.position, limit})) {
        lane_message message;
        message.at = {r.int64(0), r.int64(1)};
        message.id = r.text(2);
        message.role = r.text(3);
        message.origin = r.text(4);
        message.content = r.text(5);
        message.created_at = r.text(6);
        message.sent_at = text_or_nothing(r, 7);
        message.delivery = text_or_nothing(r, 8);
        message.author = json_or_null(r, 9);
        message.calls = json_or_null(r, 10);
        message.tool = text_or_nothing(r, 11);
        message.arguments = json_or_null(r, 12);
        message.chat = r.optional_int64(13);
        message.thread = r.optional_int64(14);
        message.telegram_message = r.optional_int64(15);
        message.reply_to = r.optional_int64(16);
        message.removed = r.boolean(17);
        message.removed_at = text_or_nothing(r, 18);
        message.reactions = json_or_null(r, 19);
        messages.push_back(std::move(message));
    }
    return messages;
}

} // namespace postrider::storage
