#include "storage/stores/conversations.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

constexpr statement insert_conversation{"conversation.add", R"(
insert into postrider.api_conversation (id, lane_id, user_id, agent) values ($1::uuid, $2, $3, $4)
)"};

constexpr statement find_conversations{"conversation.find", R"(
select t.i, c.id, c.lane_id, c.user_id, c.agent
from json_to_recordset($1::json) as t(i int, id uuid, user_id bigint)
cross join lateral (select c.id, c.lane_id, c.user_id, c.agent from postrider.api_conversation c
                    where c.id = t.id and c.user_id = t.user_id offset 0) c
)"};

// $2 the lane below which the page begins.
constexpr statement list_own{"conversation.list", R"(
select c.id, c.lane_id, c.user_id, c.agent, postrider.iso(c.created_at), f.title, postrider.iso(l.created_at)
from (select * from postrider.api_conversation where user_id = $1 and lane_id < $2::bigint order by lane_id desc limit $3) c
left join lateral (select left(btrim(regexp_replace(left(m.content, 500), '\s+', ' ', 'g')), 80) as title from postrider.message m
                   where m.lane_id = c.lane_id and m.role = 'user' and not coalesce(m.shown ? 'removed', false)
                   order by m.job_id, m.position limit 1) f on true
left join lateral (select m.created_at from postrider.message m
                   where m.lane_id = c.lane_id and m.role <> 'system' and not coalesce(m.shown ? 'removed', false)
                   order by m.job_id desc, m.position desc limit 1) l on true
order by c.lane_id desc
)"};

constexpr statement delete_own{
    "conversation.delete", "select postrider.conversation_delete($1::uuid, $2::bigint)"};

#define POSTRIDER_SAID                                                                             \
    "select m.job_id, m.position, m.id, m.role, coalesce(m.shown ->> 'text', m.content), "         \
    "postrider.iso(m.created_at), c.call ->> 'name', c.call -> 'arguments', "                      \
    "m.shown - '{key,text}'::text[], postrider.origin_of(m), postrider.author_of(m) "              \
    "from postrider.message m "                                                                    \
    "left join lateral (select x.call from postrider.message a, "                                  \
    "jsonb_array_elements(a.detail -> 'calls') x(call) "                                           \
    "where m.role = 'tool' and a.lane_id = m.lane_id and a.job_id = m.job_id "                     \
    "and a.role = 'assistant' and x.call ->> 'id' = m.detail ->> 'call_id' "                       \
    "and a.position < m.position order by a.position desc limit 1) c on true "                     \
    "where m.lane_id = $1 and m.role <> 'system' and not coalesce(m.shown ? 'removed', false) "    \
    "and not (m.role = 'assistant' and m.content = '' and m.shown is null) "

constexpr statement select_messages{
    "conversation.messages",
    POSTRIDER_SAID "and (m.job_id, m.position) > ($2::bigint, $3::bigint) "
                   "order by m.job_id, m.position limit $4"};
constexpr statement select_newest{
    "conversation.newest_messages",
    POSTRIDER_SAID "and (m.job_id, m.position) < ($2::bigint, $3::bigint) "
                   "order by m.job_id desc, m.position desc limit $4"};

#undef POSTRIDER_SAID

constexpr statement find_button{"conversation.button", R"(
select m.telegram_message_id
from (select m.* from postrider.message m where m.lane_id = $1 order by m.job_id desc, m.position desc limit 400) m
where m.id = $2 and not m.shown ? 'removed'
  and exists (select from jsonb_array_elements(m.shown -> 'buttons') r(cells), jsonb_array_elements(r.cells) b(button)
              where b.button ->> 'data' = $3)
)"};

} // namespace

std::string lane_key_of(std::string_view conversation) {
    return "chat:" + std::string(conversation);
}

void add_conversation(transaction& tx, api_conversation const& conversation) {
    tx.query(
        insert_conversation,
        {conversation.id, conversation.lane, conversation.user, conversation.agent}
    );
}

write find_conversation(std::string const& id, user_id user) {
    base::json_row row{{"id", id}, {"user_id", base::raw(user)}};
    return {&find_conversations, std::move(row).text()};
}

api_conversation read_conversation(row const& returned) {
    return {
        .id = returned.text(1),
        .lane = returned.id<lane_id>(2),
        .user = returned.id<user_id>(3),
        .agent = returned.text(4),
    };
}

std::optional<api_conversation> find_conversation(
    transaction& tx, std::string const& id, user_id user
) {
    auto row = find_conversation(id, user).row;
    row.insert(1, "\"i\":0,");
    auto const found = tx.query(find_conversations, {"[" + row + "]"});
    if (found.empty()) return std::nullopt;
    return read_conversation(found.front());
}

std::vector<conversation_entry> list_conversations(
    transaction& tx, user_id user, std::optional<lane_id> below, std::size_t limit
) {
    std::vector<conversation_entry> conversations;
    auto const most = static_cast<std::int64_t>(limit);
    for (auto const& row : tx.query(list_own, {user, below.value_or(lane_id{INT64_MAX}), most})) {
        conversation_entry entry;
        entry.conversation = {row.text(0), row.id<lane_id>(1), row.id<user_id>(2), row.text(3)};
        entry.created_at = row.text(4);
        entry.title = row.optional_text(5);
        entry.last_message_at = row.optional_text(6);
        conversations.push_back(std::move(entry));
    }
    return conversations;
}

deletion delete_conversation(transaction& tx, std::string const& id, user_id user) {
    auto const outcome = tx.query(delete_own, {id, user}).front().text(0);
    if (outcome == "deleted") return deletion::deleted;
    return outcome == "running" ? deletion::running : deletion::not_found;
}

std::vector<said_message> list_messages(
    transaction& tx, lane_id lane, message_place from, std::size_t limit, reading_order order
) {
    std::vector<said_message> messages;
    auto const most = static_cast<std::int64_t>(limit);
    bool const goes_back = order == reading_order::newest_first;
    if (goes_back && from == message_place{}) from.job = INT64_MAX;
    auto const& said = goes_back ? select_newest : select_messages;
    for (auto const& row : tx.query(said, {lane, from.job, from.position, most})) {
        said_message message;
        message.at = {row.int64(0), row.int64(1)};
        message.id = row.text(2);
        message.role = row.text(3);
        message.content = row.text(4);
        message.created_at = row.text(5);
        message.tool = row.optional_text(6).value_or("");
        if (!row.null(7)) message.arguments = row.json(7);
        if (!row.null(8)) message.shown = row.json(8);
        message.origin = row.text(9);
        if (!row.null(10)) message.author = row.json(10);
        messages.push_back(std::move(message));
    }
    return messages;
}

std::optional<telegram_message_id> find_pressed(
    transaction& tx, lane_id lane, std::string const& message, std::string const& data
) {
    auto const found = tx.query(find_button, {lane, message, data});
    if (found.empty()) return std::nullopt;
    return found.front().id<telegram_message_id>(0);
}

} // namespace postrider::storage
