#include "storage/stores/strangers.hpp"

#include "base/json_row.hpp"

namespace postrider::storage {

namespace {

constexpr statement count_strangers{
    "count_strangers",
    R"(
insert into postrider.stranger (bot_id, user_id, chat_id, refused, name)
select bot_id, user_id, chat_id, count(*), max(name)
from json_to_recordset($1::json) as t(bot_id bigint, user_id bigint, chat_id bigint, name text)
group by bot_id, user_id, chat_id
order by bot_id, user_id, chat_id
on conflict (bot_id, user_id, chat_id) do update
set refused = stranger.refused + excluded.refused, last_seen_at = postrider.now(), name = excluded.name
)",
    12};

// Must agree with stranger_limit. The number of rows per bot is bounded, and so is the sort.
constexpr statement forget_strangers{
    "forget_strangers",
    R"(
delete from postrider.stranger s
using (select bot_id, user_id, chat_id,
              row_number() over (partition by bot_id order by last_seen_at desc, user_id, chat_id) as place
       from postrider.stranger
       where bot_id in (select bot_id from json_to_recordset($1::json) as t(bot_id bigint))) old
where old.place > 1000 and s.bot_id = old.bot_id and s.user_id = old.user_id and s.chat_id = old.chat_id
)",
    13};
static_assert(stranger_limit == 1000);

// At most stranger_limit rows per bot are sorted.
constexpr statement newest_strangers{"newest_strangers", R"(
select coalesce(b.name, s.bot_id::text), s.user_id, s.chat_id, coalesce(s.name, ''), s.refused,
       to_char(s.first_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       to_char(s.last_seen_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
from postrider.stranger s left join postrider.bot b using (bot_id)
where $1::text = '' or b.name = $1
order by s.last_seen_at desc, s.bot_id, s.user_id, s.chat_id limit $2::bigint)"};

} // namespace

std::vector<write> count_stranger(stranger const& person) {
    base::json_row row{
        {"bot_id", base::raw(person.bot)},
        {"user_id", base::raw(person.user)},
        {"chat_id", base::raw(person.chat)},
        {"name", person.name},
    };
    base::json_row bot{{"bot_id", base::raw(person.bot)}};
    return {
        {&count_strangers, std::move(row).text()},
        {&forget_strangers, std::move(bot).text()},
    };
}

std::vector<known_stranger> list_strangers(transaction& tx, std::string const& bot, int limit) {
    std::vector<known_stranger> all;
    for (auto const& r : tx.query(newest_strangers, {bot, limit}))
        all.push_back(
            {r.text(0),
             r.id<user_id>(1),
             r.id<chat_id>(2),
             r.text(3),
             r.int64(4),
             r.text(5),
             r.text(6)}
        );
    return all;
}

} // namespace postrider::storage
