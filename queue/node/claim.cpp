#include "queue/node/claim.hpp"

#include "base/json/row.hpp"
#include "queue/store/live_jobs_sql.hpp"
#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

// Every priority is an index range of its own, so what waits for its time is never looked at; a
// step of priority counts like twenty seconds of waiting, so nothing waits for ever. "for update
// skip locked" is an optimisation on lanes: the epoch is what makes the lease. `margin` makes up
// for lanes that the last claim has passed over. Of the suspects at most one is taken; one that has
// died alone before, only by a node that has lived for a while. A lane that this node gave back is
// left to the others first. The last row has no lane; it tells when the next lane will be ready, and
// where the next look may begin: a row that becomes ready says when, and is committed within seconds.
// Jobs are left to the next statement, which knows where they are: a claim that finds nothing opens
// no partition.
constexpr storage::statement find_ready{
    "find_ready",
    R"(
with t as materialized (
    select t.*, n.started_at from json_to_recordset($1::json) as t(i int, node_id bigint, slots int, margin int, suspects int,
                                                                           calm_ms bigint, others_ms bigint, since bigint)
    join postrider.node n on n.node_id = t.node_id
), s as materialized (
    select r.lane_id, r.epoch, r.head, 0::bigint as place from postrider.lane_run r
    where r.suspect > 0 and coalesce(r.node_id, 0) = 0 and r.ready_at <= postrider.now()
      and (select started_at from t) + (select calm_ms from t) * interval '1 ms'
          * case postrider.lost_runs(r.lane_id, r.head) when 0 then 0 when 1 then 1 else 6 end <= postrider.now()
    order by r.ready_at limit coalesce((select suspects from t), 0) for update skip locked
), a as materialized (
    select x.* from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.lane_id, r.epoch, r.head, r.ready_at, r.ready_at + p.priority * interval '20 s' as rank
        from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at <= postrider.now() and r.suspect = 0
          and r.ready_at >= (select coalesce('epoch'::timestamptz + since * interval '1 us', '-infinity') from t)
          and (r.left_by is null or r.left_by <> (select node_id from t)
               or r.ready_at <= postrider.now() - (select others_ms from t) * interval '1 ms')
        order by r.ready_at limit coalesce((select slots + margin from t), 0) for update skip locked) x
), c as materialized (
    select a.lane_id, a.epoch, a.head, row_number() over (order by a.rank) as place from a
    order by a.rank limit coalesce((select slots + margin from t), 0)
), soon as (
    select (extract(epoch from min(s.ready_at) - postrider.now()) * 1000)::bigint as ms
    from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.ready_at from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at > postrider.now() and r.ready_at < 'infinity'
        order by r.ready_at limit 1) s
)
select t.i, soon.ms,
       (extract(epoch from least((select min(ready_at) from a), postrider.now() - interval '5 s')) * 1000000)::bigint,
       (extract(epoch from clock_timestamp() - statement_timestamp()) * 1000000)::bigint,
       x.lane_id, x.epoch, x.head, x.place
from t, soon, (select * from s union all select * from c union all select null, null, null, null) x
)",
    0};

// The lanes are locked, and this statement's snapshot is newer. A lane whose job another session
// has locked is passed over. One found free with a running job (a node's commit was lost halfway)
// is taken like any other. "on conflict" finds each lane's row by its key in any plan (as in
// enqueue_jobs): the row is locked and stands, so nothing is inserted. Of what the lane's row says was
// asked, that stays which concerns whatever runs: the rest was asked of one job, and stands in that
// job's row. The last row has no lane.
constexpr storage::statement claim{
    "claim",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json)
        as t(i int, node_id bigint, slots int, lane_id bigint, epoch bigint, head bigint, place bigint)
), x as materialized (
    select t.lane_id, t.epoch, t.head, t.place, j.job_id, j.arrival from t
    left join lateral (select j.job_id, j.arrival from postrider.job j
                       where )" POSTRIDER_LIVE_JOBS("t.") R"(
                       order by j.job_id limit 1) j on true
), k as materialized (
    select job_id from postrider.job
    where job_id between $2::bigint and $3::bigint and job_id = any(array(select job_id from x)) for update skip locked
), r as (
    insert into postrider.lane_run as r (lane_id, epoch, ready_at, head, arrivals)
    select lane_id, epoch, postrider.now(), head, coalesce(arrival, 0) from x
    where job_id is null or job_id in (select job_id from k)
    order by place limit (select slots from t limit 1)
    on conflict (lane_id, epoch) do update
    set node_id = (select node_id from t limit 1), epoch = nextval('postrider.number'), wait_reason = null,
        wants_mail = false, quiet_until = null, left_by = null,
        asked = case when r.asked = 'hold' or r.asked = 'interrupt' and r.arrivals > excluded.arrivals then r.asked end
    where r.node_id is null
    returning r.lane_id, r.epoch, r.edits, r.mailbox, r.arrivals, r.asked, r.head, r.suspect
), g as (
    update postrider.job j
    set state = 'running', run_no = j.run_no + 1, started_at = coalesce(j.started_at, postrider.now()),
        due_at = null, wait_reason = null
    where j.job_id between $2::bigint and $3::bigint
      and j.job_id = any(array(select job_id from x where lane_id in (select lane_id from r)))
    returning )" POSTRIDER_JOB_COLUMNS R"(
)
select t.i, (select count(*) from x where job_id not in (select job_id from k)),
       r.lane_id, r.epoch, r.edits, r.mailbox, r.arrivals, r.asked, r.head, r.suspect, g.*
from (select i from t limit 1) t,
     (select * from r union all select null, null, null, null, null, null, null, null) r
left join x on x.lane_id = r.lane_id
left join g on g.job_id = x.job_id
)",
    1,
    storage::rows_and_range};

claimed_lane read_lane(storage::row const& row) {
    claimed_lane lane;
    lane.lease.lane = row.id<lane_id>(2);
    lane.lease.epoch = row.id<lane_epoch>(3);
    lane.lease.edits = row.int64(4);
    lane.lease.mailbox = mailbox_from_string(row.text(5)).value_or(mailbox::queue);
    lane.lease.arrivals = row.int64(6);
    if (auto asked = row.optional_text(7)) lane.asked = control_request_from_string(*asked);
    lane.head = lane.lease.head = row.id<job_id>(8);
    lane.suspect = static_cast<int>(row.int64(9));
    if (!row.null(10)) lane.job = read_job(row, 10);
    return lane;
}

class claim_unit final : public storage::unit {
public:
    explicit claim_unit(claim_request request) : request_(request) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) return find();
        if (number == 1) return take(returned.front());
        // Every row of the claim belongs to this unit, and all stand at the first of its writes.
        for (auto const& row : returned.front()) {
            result.passed_over = static_cast<int>(row.int64(1));
            if (!row.null(2)) result.lanes.push_back(read_lane(row));
        }
        return {};
    }
    bool is_last(int number) const override { return number == 1; }
    bool apart() const override { return true; }

    claim_result result;

private:
    std::vector<storage::write> find() {
        result = {};
        base::json_row row{
            {"node_id", base::raw(request_.node)},
            {"slots", request_.slots},
            {"margin", request_.margin},
            {"suspects", request_.with_suspect ? 1 : 0},
            {"calm_ms", request_.calm.count()},
            {"others_ms", request_.others_first.count()}};
        if (request_.since) row.add({"since", request_.since->count()});
        return {{&find_ready, std::move(row).text()}};
    }

    std::vector<storage::write> take(storage::rows const& ready) {
        std::vector<storage::write> lanes;
        for (auto const& lane : ready) {
            if (auto soon = lane.optional_int64(1))
                result.next_in = std::chrono::milliseconds{*soon};
            result.first = std::chrono::microseconds{lane.int64(2)};
            result.took = std::chrono::microseconds{lane.int64(3)};
            if (lane.null(4)) continue;
            base::json_row row{
                {"node_id", base::raw(request_.node)},
                {"slots", request_.slots},
                {"lane_id", lane.int64(4)},
                {"epoch", lane.int64(5)},
                {"head", lane.int64(6)},
                {"place", lane.int64(7)}};
            auto const jobs = storage::job_range::since(lane.id<job_id>(6));
            lanes.push_back({&claim, std::move(row).text(), jobs});
        }
        return lanes;
    }

    claim_request request_;
};

} // namespace

base::awaitable<base::result<claim_result>> claim_lanes(
    storage::batcher& quick, claim_request request, base::duration deadline
) {
    auto unit = std::make_shared<claim_unit>(request);
    auto done = co_await quick.commit(unit, deadline);
    if (!done) co_return done.error();
    co_return std::move(unit->result);
}

} // namespace postrider::queue
