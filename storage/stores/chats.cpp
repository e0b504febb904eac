#include "storage/stores/chats.hpp"

#include "base/json/row.hpp"
#include "storage/execute.hpp"

namespace postrider::storage {

namespace {

constexpr statement migrate_chats{
    "migrate_chats",
    R"(
with r as materialized (
    select distinct on (bot_id, chat_id) *
    from json_to_recordset($1::json) as t(bot_id bigint, chat_id bigint, new_id bigint)
    order by bot_id, chat_id
), noted as (
    insert into postrider.chat (bot_id, chat_id, migrated_to)
    select bot_id, chat_id, new_id from r
    on conflict (bot_id, chat_id) do update set migrated_to = excluded.migrated_to
), moved as materialized (
    select l.lane_id, r.new_id, r.bot_id || ':' || r.new_id || ':' || split_part(l.lane_key, ':', 3) as new_key
    from r cross join lateral (
        select l.lane_id, l.lane_key from postrider.lane l
        where l.bot_id = r.bot_id and l.chat_id = r.chat_id
          and starts_with(l.lane_key, r.bot_id || ':' || r.chat_id || ':')
        offset 0) l
)
update postrider.lane l set chat_id = m.new_id, lane_key = m.new_key
from moved m
where l.lane_id = any(array(select lane_id from moved)) and l.lane_id + 0 = m.lane_id
  and not exists (select from postrider.lane o where o.lane_key = m.new_key)
)",
    22};

constexpr statement mark_blocked{"mark_blocked", R"(
insert into postrider.chat (bot_id, chat_id, blocked_at) values ($1, $2, postrider.now())
on conflict (bot_id, chat_id) do update set blocked_at = coalesce(chat.blocked_at, excluded.blocked_at)
)"};

constexpr statement delay_chat{"delay_chat", R"(
insert into postrider.chat (bot_id, chat_id, send_after)
values ($1, $2, postrider.now() + $3::bigint * interval '1 ms')
on conflict (bot_id, chat_id) do update set send_after = greatest(chat.send_after, excluded.send_after)
)"};

constexpr statement chat_notices{"chat_notices", R"(
select bot_id, chat_id, migrated_to,
       case when send_after > postrider.now()
            then ceil(extract(epoch from send_after - postrider.now()) * 1000)::bigint end
from (select * from postrider.chat where migrated_to is not null
      union all
      select * from postrider.chat where migrated_to is null and send_after > postrider.now()) c
)"};

constexpr statement select_former_chats{
    "former_chats",
    R"(select distinct c.chat_id from postrider.chat c where c.migrated_to = $1::bigint order by c.chat_id)"};

constexpr statement select_current_chat{
    "current_chat", "select postrider.current_chat($1::bigint)"};

std::string migration_row(bot_id bot, chat_id from, chat_id to) {
    return base::json_row{
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(from)},
        {"new_id", base::raw(to)},
    }
        .text();
}

} // namespace

write migrate_chat(bot_id bot, chat_id from, chat_id to) {
    return {&migrate_chats, migration_row(bot, from, to)};
}

base::awaitable<base::result<void>> store_migration(
    database& db, bot_id bot, chat_id from, chat_id to, base::duration deadline
) {
    std::vector<param> params{"[" + migration_row(bot, from, to) + "]"};
    return execute(db, migrate_chats, std::move(params), deadline);
}

base::awaitable<base::result<void>> store_blocked(
    database& db, bot_id bot, chat_id chat, base::duration deadline
) {
    return execute(db, mark_blocked, {bot, chat}, deadline);
}

base::awaitable<base::result<void>> store_send_delay(
    database& db, bot_id bot, chat_id chat, std::chrono::milliseconds delay, base::duration deadline
) {
    return execute(db, delay_chat, {bot, chat, std::int64_t{delay.count()}}, deadline);
}

std::vector<chat_id> former_chats(transaction& tx, chat_id chat) {
    std::vector<chat_id> former;
    for (auto const& row : tx.query(select_former_chats, {chat}))
        former.push_back(row.id<chat_id>(0));
    return former;
}

chat_id current_chat(transaction& tx, chat_id chat) {
    return tx.query(select_current_chat, {chat}).front().id<chat_id>(0);
}

base::awaitable<base::result<std::vector<chat_notice>>> read_chat_notices(
    database& db, base::duration deadline
) {
    auto found = co_await db.query(chat_notices, {}, deadline);
    if (!found) co_return found.error();
    std::vector<chat_notice> notices;
    for (auto const& row : *found) {
        chat_notice notice{row.id<bot_id>(0), row.id<chat_id>(1), {}, {}};
        if (auto to = row.optional_int64(2)) notice.migrated_to = chat_id{*to};
        if (auto delay = row.optional_int64(3))
            notice.send_delay = std::chrono::milliseconds{*delay};
        notices.push_back(notice);
    }
    co_return notices;
}

} // namespace postrider::storage
