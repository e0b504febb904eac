#include "storage/stores/strangers.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace postrider::storage {

namespace {

constexpr statement count_strangers{
    "count_strangers",
    R"(
insert into postrider.stranger (bot_id, user_id, chat_id, refused, name)
select bot_id, user_id, chat_id, count(*), max(name)
from jsonb_to_recordset($1::jsonb) as t(bot_id bigint, user_id bigint, chat_id bigint, name text)
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
       where bot_id in (select bot_id from jsonb_to_recordset($1::jsonb) as t(bot_id bigint))) old
where old.place > 1000 and s.bot_id = old.bot_id and s.user_id = old.user_id and s.chat_id = old.chat_id
)",
    13};
static_assert(stranger_limit == 1000);

} // namespace

std::vector<write> count_stranger(stranger const& who) {
    boost::json::object row{
        {"bot_id", base::raw(who.bot)},
        {"user_id", base::raw(who.user)},
        {"chat_id", base::raw(who.chat)},
        {"name", who.name},
    };
    boost::json::object bot{{"bot_id", base::raw(who.bot)}};
    return {
        {&count_strangers, boost::json::serialize(row)},
        {&forget_strangers, boost::json::serialize(bot)},
    };
}

} // namespace postrider::storage
