#include "storage/stores/reminders.hpp"

#include "base/json/row.hpp"
#include "storage/query.hpp"

namespace postrider::storage {

namespace {

constexpr std::string_view name_prefix = "reminder:";

// The scheduler makes a lane whose key begins with schedule: when it needs it. A step whose commit
// is sent again finds its reminder there.
constexpr statement insert_reminder{
    "add_reminder",
    R"(
insert into postrider.schedule (name, kind, input, lane_key, cron, at, timezone, time_limit_ms)
select 'reminder:' || t.id, 'reminder',
       t.input || jsonb_build_object('user', t.user_id, 'place', t.place, 'lane', t.lane_id),
       'schedule:reminders:' || t.lane_id, t.cron, 'epoch'::timestamptz + t.at_us * interval '1 us', t.timezone, t.limit_ms
from json_to_recordset($1::json) as t(i int, id text, user_id bigint, place text, lane_id bigint, input jsonb,
                                        cron text, at_us bigint, timezone text, limit_ms bigint)
order by t.id
on conflict (name) do nothing
)",
    67};

constexpr statement remove{
    "remove_reminder",
    R"(
with w as materialized (
    select 'reminder:' || t.id as name, t.user_id::text as user_id, t.place
    from json_to_recordset($1::json) as t(i int, id text, user_id bigint, place text)
)
delete from postrider.schedule s using w
where s.name = any(array(select name from w order by name)) and s.name || '' = w.name and s.kind = 'reminder'
  and s.input ->> 'user' = w.user_id and s.input ->> 'place' = w.place
)",
    68};

constexpr statement delete_reminder{
    "end_reminder",
    R"(
delete from postrider.schedule s
where s.name = any(array(select 'reminder:' || t.id from json_to_recordset($1::json) as t(i int, id text) order by 1))
  and s.kind = 'reminder' and s.at is not null and s.next_at = 'infinity'
)",
    69};

// Times in microseconds since 1970.
constexpr statement select_reminders{
    "read_reminders",
    R"(
select t.i, s.name, coalesce(s.input ->> 'place', ''), coalesce(s.input ->> 'text', ''), s.cron,
       (extract(epoch from s.at) * 1000000)::bigint, s.timezone,
       (extract(epoch from case when s.next_at is not null then greatest(s.next_at, 'epoch') end) * 1000000)::bigint,
       s.paused_at is not null, coalesce(s.error, '')
from json_to_recordset($1::json) as t(i int, user_id bigint)
cross join lateral (select * from postrider.schedule s
                    where s.kind = 'reminder' and s.input ->> 'user' = t.user_id::text
                      and s.next_at is distinct from 'infinity') s
order by s.name
)",
    20};

} // namespace

write add_reminder(new_reminder const& reminder) {
    base::json_row row{
        {"id", reminder.id},
        {"user_id", base::raw(reminder.owner.user)},
        {"place", reminder.owner.place},
        {"lane_id", base::raw(reminder.lane)},
        {"input", boost::json::value(reminder.input)},
        {"timezone", reminder.timezone},
        {"limit_ms", std::int64_t{reminder.longest.count()}},
    };
    if (reminder.cron)
        row.add({"cron", *reminder.cron});
    else
        row.add({"at_us", std::int64_t{reminder.at.time_since_epoch().count()}});
    return {&insert_reminder, std::move(row).text()};
}

write remove_reminder(std::string_view id, reminder_owner const& owner) {
    base::json_row row{{"id", id}, {"user_id", base::raw(owner.user)}, {"place", owner.place}};
    return {&remove, std::move(row).text()};
}

write end_reminder(std::string_view id) {
    return {&delete_reminder, base::json_row{{"id", id}}.text()};
}

base::awaitable<base::result<std::vector<reminder_row>>> read_reminders(
    batcher& reads, user_id user, base::duration deadline
) {
    write look{&select_reminders, base::json_row{{"user_id", base::raw(user)}}.text()};
    auto const found = co_await query(reads, std::move(look), deadline);
    if (!found) co_return found.error();
    std::vector<reminder_row> reminders;
    for (auto const& from : *found)
        reminders.push_back(
            {.id = from.text(1).substr(name_prefix.size()),
             .place = from.text(2),
             .text = from.text(3),
             .cron = from.optional_text(4),
             .at = from.optional_time(5),
             .timezone = from.text(6),
             .next_at = from.optional_time(7),
             .paused = from.boolean(8),
             .error = from.text(9)}
        );
    co_return reminders;
}

} // namespace postrider::storage
