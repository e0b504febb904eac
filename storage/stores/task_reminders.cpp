#include "storage/stores/task_reminders.hpp"

#include "base/json/row.hpp"

namespace postrider::storage {

namespace {

// A new task is known by its call. A date that has come is the scheduler's matter: its reminder stays.
constexpr statement follow_due_dates{
    "follow_due_dates",
    R"(
with r as materialized (
    select t.*, coalesce(t.task_id, (select (c.result ->> 'task_id')::bigint from postrider.task_call c
                                     where c.user_id = t.user_id and c.call_key = t.call_key)) as task
    from json_to_recordset($1::json) as t(i int, user_id bigint, task_id bigint, call_key text, place text, lane_id bigint,
                                            input jsonb, limit_ms bigint)
), w as materialized (
    select l.*, 'reminder:task' || l.user_id || 'n' || l.task as name, '#' || l.task || ' ' || k.title as text,
           case when k.completed_at is null then k.due_at end as due_at
    from (select distinct on (user_id, task) * from r where task is not null order by user_id, task, place is null, i) l
    left join lateral (select * from postrider.task k where k.user_id = l.user_id and k.task_id = l.task offset 0) k on true
), ended as (
    delete from postrider.schedule s using w
    where s.kind = 'reminder' and s.name = any(array(select name from w order by name)) and s.name || '' = w.name
      and s.at is distinct from w.due_at and coalesce(w.due_at <= postrider.now(), true)
), moved as (
    update postrider.schedule s set at = w.due_at, input = s.input || jsonb_build_object('text', w.text)
    from w
    where s.kind = 'reminder' and s.name = any(array(select name from w order by name)) and s.name || '' = w.name
      and (w.due_at > postrider.now() or s.at = w.due_at)
      and (s.at, s.input ->> 'text') is distinct from (w.due_at, w.text)
)
insert into postrider.schedule (name, kind, input, lane_key, at, time_limit_ms)
select w.name, 'reminder',
       w.input || jsonb_build_object('text', w.text, 'reminder', substr(w.name, 10), 'user', w.user_id, 'place', w.place,
                                     'lane', w.lane_id),
       'schedule:reminders:' || w.lane_id, w.due_at, w.limit_ms
from w where w.due_at > postrider.now() and w.place is not null
order by w.name
on conflict (name) do nothing
)",
    71};

} // namespace

write follow_due_date(reminded_task const& of, std::optional<task_reminding> const& reminding) {
    base::json_row row{{"user_id", base::raw(of.owner)}};
    if (of.task)
        row.add({"task_id", *of.task});
    else
        row.add({"call_key", of.key});
    if (reminding) {
        row.add({"place", reminding->place});
        row.add({"lane_id", base::raw(reminding->lane)});
        row.add({"input", boost::json::value(reminding->input)});
        row.add({"limit_ms", std::int64_t{reminding->longest.count()}});
    }
    return {&follow_due_dates, std::move(row).text()};
}

} // namespace postrider::storage
