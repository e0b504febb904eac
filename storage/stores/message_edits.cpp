#include "storage/stores/message_edits.hpp"

#include "base/json/row.hpp"

#include <boost/json/array.hpp>

namespace postrider::storage {

using base::json_row;

namespace {

// The message stands in its chat's own lane, or it is in the index of those that stand in another one.
//
// A statement of its own, before the next one: what the next one reads has then been decided by
// the worker that held the lane.
constexpr statement lock_message_lanes{
    "lock_edited_lanes",
    R"(
select x.i
from (select t.i, l.lane_id
      from json_to_recordset($1::json) as t(i int, lane_key text, chat_id bigint, telegram_message_id bigint)
      cross join lateral (
          select l.lane_id from postrider.lane l where l.lane_key = t.lane_key
          union
          select m.lane_id from postrider.message m
          where m.chat_id = t.chat_id and m.number_elsewhere = t.telegram_message_id) l
      order by l.lane_id) x
cross join lateral (select from postrider.lane_run r where r.lane_id = x.lane_id
                    order by r.epoch desc limit 1 for update) r
)",
    19};

// A turn takes new words as long as the older ones have led to nothing that is recorded: to no step
// that has ended, and to no effect, which may wait for its next try. Later they change too, and the
// earlier ones are kept for the turn that works with them. Live turns start at
// lane_run.head. A message that no turn answers, or whose turn is paused or over, is looked for among the
// newest of its chat's lane, or by that index, as long as Telegram lets people edit it. Where a message is edited twice, in one batch or in several, the later
// text stands. Whatever was edited, its chat waits for quiet anew, and so does the lane that has the message.
constexpr statement edit{
    "edit_message",
    R"(
with w as materialized (
    select t.*, row_number() over () as n
    from json_to_recordset($1::json) as t(i int, lane_key text, bot_id bigint, chat_id bigint,
                                            telegram_message_id bigint, content text, edit_order bigint[])
), found as materialized (
    select w.i, w.n, w.content, w.edit_order, m.lane_id, m.job_id, m.position, true as live,
           m.content is distinct from w.content as changed, coalesce(w.edit_order >= m.edit_order, true) as latest,
           exists (select from postrider.job j where j.job_id = m.job_id and j.finished_at is null)
           and not exists (select from postrider.step s where s.job_id = m.job_id and s.outcome <> 'retry')
           and not exists (select from postrider.effect e where e.job_id = m.job_id offset 0) as open
    from w
    cross join lateral (
        select l.lane_id from postrider.lane l where l.lane_key = w.lane_key
        union
        select m.lane_id from postrider.message m
        where m.chat_id = w.chat_id and m.number_elsewhere = w.telegram_message_id) l
    cross join lateral (select r.head from postrider.lane_run r where r.lane_id = l.lane_id
                        order by r.epoch desc limit 1) r
    cross join lateral (select m.lane_id, m.job_id, m.position, m.content, m.edit_order from postrider.message m
                        where m.lane_id = l.lane_id and m.job_id >= r.head and m.role = 'user'
                          and m.telegram_message_id = w.telegram_message_id
                          and exists (select from postrider.job j where j.job_id = m.job_id
                                      and (j.input->>'bot')::bigint = w.bot_id
                                      and (j.input->>'chat')::bigint = w.chat_id)
                        order by m.job_id limit 1) m
), kept as materialized (
    select w.i, w.n, w.content, w.edit_order, m.lane_id, m.job_id, m.position, false as live,
           m.content is distinct from w.content as changed, coalesce(w.edit_order >= m.edit_order, true) as latest,
           not exists (select from postrider.job j where j.job_id = m.job_id and j.finished_at is not null)
           and not exists (select from postrider.step s where s.job_id = m.job_id and s.outcome <> 'retry')
           and not exists (select from postrider.effect e where e.job_id = m.job_id offset 0) as open
    from w
    left join lateral (select l.lane_id from postrider.lane l where l.lane_key = w.lane_key offset 0) l on true
    cross join lateral (
        select x.lane_id, x.job_id, x.position, x.content, x.edit_order
        from ((select m.* from postrider.message m
               where m.lane_id = l.lane_id order by m.job_id desc, m.position desc limit 500)
              union all
              (select m.* from postrider.message m
               where m.chat_id = w.chat_id and m.number_elsewhere = w.telegram_message_id)) x
        where x.role = 'user' and x.telegram_message_id = w.telegram_message_id and x.chat_id = w.chat_id
          and x.created_at > postrider.now() - interval '2 days'
          and not exists (select from postrider.job j
                          where j.job_id = x.job_id and (j.input->>'bot')::bigint <> w.bot_id)
        limit 1) m
    where w.i <> all(array(select i from found))
), last as materialized (
    select distinct on (lane_id, job_id, position) *
    from (select * from found where latest union all select * from kept where latest) x
    order by lane_id, job_id, position, edit_order desc, n desc
), replaced as (
    update postrider.message m
    set content = last.content, edit_order = coalesce(last.edit_order, m.edit_order),
        earlier = case when last.open or not last.changed then m.earlier
                       else case when jsonb_array_length(coalesce(m.earlier, '[]')) < 20 then coalesce(m.earlier, '[]') else m.earlier - 1 end
                            || jsonb_build_object('content', m.content, 'until', postrider.now()) end
    from last
    where m.lane_id = any(array(select lane_id from last)) and m.job_id = any(array(select job_id from last))
      and m.lane_id + 0 = last.lane_id and m.job_id + 0 = last.job_id and m.position = last.position
), lanes as materialized (
    select x.lane_id, l.debounce_ms, bool_or(x.counts) as counts
    from (select l.lane_id, false as counts
          from w cross join lateral (select l.lane_id from postrider.lane l where l.lane_key = w.lane_key offset 0) l
          union all
          select last.lane_id, last.live and last.open and last.changed from last) x
    cross join lateral (select l.debounce_ms from postrider.lane l where l.lane_id = x.lane_id offset 0) l
    group by x.lane_id, l.debounce_ms
), counted as (
    update postrider.lane_run r
    set edits = r.edits + n.counts::int,
        ready_at = case when r.node_id is null and r.quiet_until is not null and r.wait_reason is null
                             and r.ready_at > postrider.now() and r.ready_at < 'infinity'
                        then greatest(r.ready_at, least(r.quiet_until, postrider.now() + n.debounce_ms * interval '1 ms'))
                        else r.ready_at end
    from lanes n
    where r.lane_id = any(array(select lane_id from lanes)) and r.lane_id + 0 = n.lane_id
      and (n.counts or r.node_id is null and r.quiet_until is not null)
)
select i, open from (select i, open, n from found union all select i, open, n from kept) x order by n
)",
    20};

} // namespace

write lock_edited_lanes(std::string_view lane_key, chat_id chat, telegram_message_id message) {
    json_row row{
        {"lane_key", lane_key},
        {"chat_id", base::raw(chat)},
        {"telegram_message_id", base::raw(message)},
    };
    return {&lock_message_lanes, std::move(row).text()};
}

write edit_message(
    std::string_view lane_key,
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    std::string_view text,
    std::optional<edit_order> order
) {
    json_row row{
        {"lane_key", lane_key},
        {"bot_id", base::raw(bot)},
        {"chat_id", base::raw(chat)},
        {"telegram_message_id", base::raw(message)},
        {"content", text},
    };
    if (order) {
        boost::json::value const pair(boost::json::array{order->date, base::raw(order->update)});
        row.add({"edit_order", pair});
    }
    return {&edit, std::move(row).text()};
}

} // namespace postrider::storage
