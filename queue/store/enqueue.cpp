#include "queue/store/enqueue.hpp"

#include "base/json_row.hpp"
#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

// One pass over the lanes in id order, so that nodes lock them in one order; a lane is touched once
// however many of the rows are its. A paused lane is never leased, and neither is a coalescing one:
// what waits there is gathered when it is claimed. "offset 0" keeps the look-up by index, also in a
// plan that was made while the table was empty.
//
// A lane's row is the one with its greatest epoch, the first that a backward scan sees. It is locked
// before it is changed:
// - Another arrival, a claim or the end of the lane's burst that has it is waited for; the lock then
//   is on the version it left, and the epoch is that version's.
// - Where prune_lanes has it, the row is gone after the wait: no row comes back, and the lane is made
//   anew by whoever asked.
// With the epoch known the insert always meets the row ("on conflict" looks it up by its key in any
// plan, and finds it even if it is newer than the snapshot), so it never inserts.
constexpr storage::statement enqueue_jobs{
    "enqueue_jobs",
    R"(
with u as materialized (
    select t.*, coalesce(t.urgency, 2) as priority, l.conversation_id, l.mailbox, l.debounce_ms, l.most_ms, l.paused,
           row_number() over (partition by t.lane_id order by t.i) as k,
           count(*) over (partition by t.lane_id) as n
    from jsonb_to_recordset($1::jsonb) as t(i int, lane_id bigint, kind text, node_id bigint, deadline bigint,
                                            urgency smallint, version int, input jsonb)
    cross join lateral (
        select l.conversation_id, l.mailbox, l.debounce_ms,
               coalesce(nullif(l.debounce_most_ms, 0), l.debounce_ms * 10) as most_ms,
               l.paused_at is not null
                   or exists (select from postrider.pause p where p.bot_id is null or p.bot_id = l.bot_id) as paused
        from postrider.lane l where l.lane_id = t.lane_id offset 0) l
), l as materialized (
    select a.*, r.epoch, nextval('postrider.number') as number
    from (select lane_id, bool_or(paused) as paused, min(mailbox) as mailbox, min(priority) as priority,
                 case when bool_and(node_id is not null) then min(node_id) end as node_id, count(*) as n,
                 max(debounce_ms) * interval '1 ms' as debounce,
                 nullif(max(most_ms), 0) * interval '1 ms' as most
          from u group by lane_id order by lane_id) a
    cross join lateral (select r.epoch from postrider.lane_run r where r.lane_id = a.lane_id
                        order by r.epoch desc limit 1 for update) r
), run as (
    insert into postrider.lane_run as r (lane_id, ready_at, node_id, epoch, arrivals, head, wait_reason, mailbox,
                                         priority, quiet_until)
    select lane_id, case when paused then 'infinity' else postrider.now() + debounce end,
           case when not paused and mailbox <> 'coalesce' then node_id end, epoch, n, number,
           case when paused then 'paused' end, mailbox, priority, postrider.now() + most
    from l
    on conflict (lane_id, epoch) do update
    set epoch = case when r.ready_at is null then excluded.head else r.epoch end,
        node_id = case when r.ready_at is null then excluded.node_id else r.node_id end,
        wait_reason = case when r.ready_at is null then excluded.wait_reason else r.wait_reason end,
        mailbox = case when r.ready_at is null then excluded.mailbox else r.mailbox end,
        head = coalesce(r.head, excluded.head),
        arrivals = r.arrivals + excluded.arrivals,
        priority = least(r.priority, excluded.priority),
        quiet_until = case when excluded.quiet_until is not null then coalesce(r.quiet_until, excluded.quiet_until) end,
        ready_at = case
            when r.ready_at is null then excluded.ready_at
            when r.ready_at = 'infinity' then 'infinity'
            when r.wants_mail or (excluded.mailbox = 'interrupt' and r.node_id is null) then postrider.now()
            when excluded.quiet_until is not null and r.wait_reason is null
                then least(excluded.ready_at, coalesce(r.quiet_until, excluded.quiet_until))
            else r.ready_at end,
        asked = case when excluded.mailbox = 'interrupt' and r.ready_at is not null then coalesce(r.asked, 'interrupt')
                     else r.asked end
    returning lane_id, node_id, epoch, arrivals, asked
), x as materialized (
    select s.*, nextval('postrider.number') as job_id
    from (select u.*, r.epoch, r.arrivals - u.n + u.k as place, r.asked = 'interrupt' as interrupts,
                 u.k = 1 and r.arrivals = u.n and r.node_id is not null as leased
          from u join run r on r.lane_id = u.lane_id order by u.i) s
), j as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, run_no, started_at, deadline_at,
                               priority, code_version, input)
    select job_id, lane_id, conversation_id, place, kind,
           case when leased then 'running' else 'available' end, leased::int,
           case when leased then postrider.now() end, postrider.now() + deadline * interval '1 ms',
           priority, coalesce(version, 1), input
    from x
)
select i, job_id, lane_id, conversation_id, place, epoch, leased, coalesce(interrupts, false), mailbox from x
)",
    30};

} // namespace

storage::write enqueue(new_job const& job) {
    return enqueue(job, job.lane);
}

storage::write enqueue(new_job const& job, lane_id lane) {
    base::json_row row{
        {"lane_id", base::raw(lane)},
        {"kind", job.kind},
        {"input", job.input},
    };
    if (job.lease_to) row.add({"node_id", base::raw(*job.lease_to)});
    if (job.deadline) row.add({"deadline", job.deadline->count()});
    if (job.priority != new_job{}.priority) row.add({"urgency", job.priority});
    if (job.version != new_job{}.version) row.add({"version", job.version});
    return {&enqueue_jobs, std::move(row).text()};
}

enqueued read_enqueued(storage::row const& returned) {
    return {
        returned.id<job_id>(1),
        returned.id<lane_id>(2),
        returned.id<conversation_id>(3),
        returned.int64(4),
        returned.id<lane_epoch>(5),
        returned.boolean(6),
        returned.boolean(7),
        mailbox_from_string(returned.text(8)).value_or(mailbox::queue),
    };
}

enqueued enqueue(storage::transaction& tx, new_job const& job) {
    auto row = enqueue(job).row;
    row.insert(1, "\"i\":0,");
    auto returned = tx.query(enqueue_jobs, {"[" + row + "]"});
    if (returned.empty()) throw storage::database_error("enqueue: no such lane");
    return read_enqueued(returned.front());
}

queue::job leased_job(new_job const& job, enqueued const& enqueued) {
    queue::job leased;
    leased.id = enqueued.id;
    leased.lane = enqueued.lane;
    leased.conversation = enqueued.conversation;
    leased.arrival = enqueued.arrival;
    leased.run_no = 1;
    leased.version = job.version;
    leased.time_left = job.deadline;
    leased.kind = job.kind;
    leased.input = job.input;
    return leased;
}

} // namespace postrider::queue
