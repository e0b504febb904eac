#include "storage/stores/conversations.hpp"

namespace postrider::storage {

namespace {

constexpr statement add{"conversation.add", R"(
insert into postrider.api_conversation (id, lane_id, user_id, agent) values ($1::uuid, $2, $3, $4)
)"};

constexpr statement find{"conversation.find", R"(
select id, lane_id, user_id, agent from postrider.api_conversation where id = $1::uuid and user_id = $2
)"};

constexpr statement list{"conversation.messages", R"(
select m.job_id, m.position, m.id, m.role, m.content, postrider.iso(m.created_at), c.call ->> 'name', c.call -> 'arguments'
from postrider.message m
left join lateral (select x.call from postrider.message a, jsonb_array_elements(a.detail -> 'calls') x(call)
                   where m.role = 'tool' and a.lane_id = m.lane_id and a.job_id = m.job_id and a.role = 'assistant'
                     and x.call ->> 'id' = m.detail ->> 'call_id' limit 1) c on true
where m.lane_id = $1 and (m.job_id, m.position) > ($2::bigint, $3::bigint) and m.role <> 'system'
  and not (m.role = 'assistant' and m.content = '')
order by m.job_id, m.position limit $4
)"};

} // namespace

std::string lane_key_of(std::string_view conversation) {
    return "chat:" + std::string(conversation);
}

void add_conversation(transaction& tx, api_conversation const& made) {
    tx.query(add, {made.id, made.lane, made.user, made.agent});
}

std::optional<api_conversation> find_conversation(
    transaction& tx, std::string const& id, user_id user
) {
    auto const found = tx.query(find, {id, user});
    if (found.empty()) return std::nullopt;
    auto const& row = found.front();
    return api_conversation{row.text(0), row.id<lane_id>(1), row.id<user_id>(2), row.text(3)};
}

void add_message(transaction& tx, message_row const& row) {
    auto const made = add_message(row);
    tx.query(*made.what, {"[" + made.row + "]"});
}

std::vector<said_message> list_messages(
    transaction& tx, lane_id lane, message_place after, std::size_t limit
) {
    std::vector<said_message> all;
    auto const most = static_cast<std::int64_t>(limit);
    for (auto const& row : tx.query(list, {lane, after.job, after.position, most})) {
        said_message one;
        one.at = {row.int64(0), row.int64(1)};
        one.id = row.text(2);
        one.role = row.text(3);
        one.content = row.text(4);
        one.created_at = row.text(5);
        one.tool = row.optional_text(6).value_or("");
        if (!row.null(7)) one.arguments = row.json(7);
        all.push_back(std::move(one));
    }
    return all;
}

} // namespace postrider::storage
