#include "storage/stores/message_reactions.hpp"

#include "base/json/row.hpp"

#include <boost/json/array.hpp>

namespace postrider::storage {

namespace {

// As mark_removed finds messages. Several people may react to one message in the same batch: it changes once.
constexpr statement keep_message_reactions{
    "keep_reactions",
    R"(
with w as materialized (
    select * from json_to_recordset($1::json) as t(i int, bot_id bigint, chat_id bigint, number bigint, person text, reactions jsonb)
), found as materialized (
    select w.i, w.person, w.reactions, m.*
    from w cross join lateral (
        select m.lane_id, m.job_id, m.position from postrider.message m
        where m.chat_id = w.chat_id and m.number_elsewhere = w.number
          and exists (select from postrider.lane l where l.lane_id = m.lane_id and l.bot_id = w.bot_id)
        union
        select x.lane_id, x.job_id, x.position from postrider.lane l
        cross join lateral (select m.lane_id, m.job_id, m.position, m.chat_id, m.telegram_message_id from postrider.message m
                            where m.lane_id = l.lane_id order by m.job_id desc, m.position desc limit 500) x
        where l.bot_id = w.bot_id and l.chat_id = w.chat_id
          and x.chat_id = w.chat_id and x.telegram_message_id = w.number) m
), change as materialized (
    select f.lane_id, f.job_id, f.position, jsonb_object_agg(f.person, f.reactions order by f.i) as reactions
    from found f group by f.lane_id, f.job_id, f.position
)
update postrider.message m
set detail = coalesce((
    select coalesce(m.detail, '{}') || jsonb_build_object('reactions', coalesce(m.detail -> 'reactions', '{}') || jsonb_object_agg(r.key, r.value))
    from jsonb_each(f.reactions) r
    where r.value <> '[]' or coalesce(m.detail -> 'reactions' ? r.key, false)
    having count(*) > 0), m.detail)
from change f
where m.lane_id = any(array(select lane_id from change)) and m.job_id = any(array(select job_id from change))
  and m.lane_id + 0 = f.lane_id and m.job_id + 0 = f.job_id and m.position = f.position
)",
    78};

} // namespace

write keep_reactions(
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    user_id user,
    std::vector<std::string> const& reactions
) {
    boost::json::array list;
    for (auto const& reaction : reactions) list.emplace_back(reaction);
    boost::json::value const now(std::move(list));
    auto const person = base::to_string(user);
    base::json_row row{
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"number", base::raw(message)},
        {"person", person},
        {"reactions", now}};
    return {&keep_message_reactions, std::move(row).text()};
}

} // namespace postrider::storage
