#include "queue/enqueue.hpp"

#include "queue/sql.hpp"

namespace postrider::queue {

namespace {

// One pass over the lanes in id order, so that nodes lock them in one order; a lane is touched once
// however many of the rows are its. A paused lane is never leased.
constexpr storage::statement enqueue_jobs{
    "enqueue_jobs",
    R"(
with u as materialized (
    select t.*, l.conversation_id, l.paused_at,
           row_number() over (partition by t.lane_id order by t.i) as k,
           count(*) over (partition by t.lane_id) as n
    from jsonb_to_recordset($1::jsonb) as t(i int, lane_id bigint, kind text, node_id bigint, input jsonb)
    join postrider.lane l on l.lane_id = t.lane_id
), run as (
    insert into postrider.lane_run (lane_id, ready_at, node_id, epoch, arrivals, head, wait_reason)
    select lane_id, case when paused then 'infinity' else postrider.now() end,
           case when not paused then node_id end, number, n, number, case when paused then 'paused' end
    from (select a.*, nextval('postrider.number') as number
          from (select lane_id, bool_or(paused_at is not null) as paused,
                       case when bool_and(node_id is not null) then min(node_id) end as node_id, count(*) as n
                from u group by lane_id order by lane_id) a) b
    on conflict (lane_id) do update set arrivals = lane_run.arrivals + excluded.arrivals
    returning lane_id, node_id, epoch, arrivals
), x as materialized (
    select s.*, nextval('postrider.number') as job_id
    from (select u.*, r.epoch, r.arrivals - u.n + u.k as place,
                 u.k = 1 and r.arrivals = u.n and r.node_id is not null as leased
          from u join run r on r.lane_id = u.lane_id order by u.i) s
), j as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, run_no, started_at, input)
    select job_id, lane_id, conversation_id, place, kind,
           case when leased then 'running' else 'available' end, leased::int,
           case when leased then postrider.now() end, input
    from x
)
select i, job_id, lane_id, conversation_id, place, epoch, leased from x
)",
    30};

} // namespace

storage::write enqueue(new_job const& wanted) {
    boost::json::object row{
        {"lane_id", base::raw(wanted.lane)},
        {"kind", wanted.kind},
        {"input", storable(wanted.input)},
    };
    if (wanted.lease_to) row["node_id"] = base::raw(*wanted.lease_to);
    return {&enqueue_jobs, boost::json::serialize(row)};
}

enqueued read_enqueued(storage::row const& returned) {
    return {
        returned.id<job_id>(1),
        returned.id<lane_id>(2),
        returned.id<conversation_id>(3),
        returned.int64(4),
        returned.id<lane_epoch>(5),
        returned.boolean(6),
    };
}

enqueued enqueue(storage::transaction& tx, new_job const& wanted) {
    auto row = enqueue(wanted).row;
    row.insert(1, "\"i\":0,");
    auto made = tx.query(enqueue_jobs, {"[" + row + "]"});
    if (made.empty()) throw storage::database_error("enqueue: no such lane");
    return read_enqueued(made.front());
}

queue::job leased_job(new_job const& wanted, enqueued const& made) {
    queue::job job;
    job.id = made.id;
    job.lane = made.lane;
    job.conversation = made.conversation;
    job.arrival = made.arrival;
    job.run_no = 1;
    job.kind = wanted.kind;
    job.input = wanted.input;
    return job;
}

} // namespace postrider::queue
