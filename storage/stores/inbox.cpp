#include "storage/stores/inbox.hpp"

#include "base/hex.hpp"
#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

// Sorted, so that two nodes never wait for each other. The key is one text, since a join on two
// columns of a CTE is planned as one row. Clearing a chat's mark rides along: no round trip of its
// own. Its row is found by both columns of its key, whatever the plan was made for; "any" of two
// lists may read all chats of a bot.
constexpr statement add_updates{
    "add_updates",
    R"(
with r as materialized (
    select distinct on (bot_id, update_id) *
    from json_to_recordset($1::json) as t(i int, bot_id bigint, update_id bigint, disposition text,
                                            reason text, raw text, chat_id bigint)
    order by bot_id, update_id, i
), inserted as (
    insert into postrider.inbox (bot_id, update_id, disposition, reason, raw)
    select bot_id, update_id, disposition, reason, decode(raw, 'hex') from r
    on conflict (bot_id, update_id) do nothing
    returning bot_id || ':' || update_id as key
), blocked as materialized (
    select c.place from (select distinct bot_id, chat_id from r where chat_id is not null) h
    cross join lateral (select c.ctid as place from postrider.chat c
                        where c.bot_id = h.bot_id and c.chat_id = h.chat_id and c.blocked_at is not null
                        offset 0) c
), unblocked as (
    update postrider.chat c set blocked_at = null where c.ctid = any(array(select place from blocked))
)
select r.i from inserted join r on r.bot_id || ':' || r.update_id = inserted.key
)",
    10};

constexpr statement dispose_of_updates{
    "dispose_of_updates",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json) as t(i int, bot_id bigint, update_id bigint, disposition text, reason text)
)
update postrider.inbox u
set disposition = t.disposition, reason = t.reason
from t
where u.bot_id = any(array(select bot_id from t)) and u.update_id = any(array(select update_id from t))
  and u.bot_id || ':' || u.update_id = t.bot_id || ':' || t.update_id
)",
    16};

} // namespace

write add_update(inbox_row const& row) {
    base::json_row json{
        {"bot_id", base::raw(row.bot)},
        {"update_id", base::raw(row.update)},
        {"disposition", row.disposition},
    };
    if (row.reason) json.add({"reason", *row.reason});
    if (row.raw) json.add({"raw", base::to_hex(*row.raw)});
    if (row.heard_from) json.add({"chat_id", base::raw(*row.heard_from)});
    return {&add_updates, std::move(json).text()};
}

write ignore_update(bot_id bot, update_id update, std::string_view rule) {
    base::json_row json{
        {"bot_id", base::raw(bot)},
        {"update_id", base::raw(update)},
        {"disposition", "ignored"},
        {"reason", rule}};
    return {&dispose_of_updates, std::move(json).text()};
}

write give_update_to_job(bot_id bot, update_id update) {
    base::json_row json{
        {"bot_id", base::raw(bot)}, {"update_id", base::raw(update)}, {"disposition", "event"}};
    return {&dispose_of_updates, std::move(json).text()};
}

} // namespace postrider::storage
