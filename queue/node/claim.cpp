#include "queue/node/claim.hpp"

#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

// Every priority is an index range of its own, so what waits for its time is never looked at; a
// step of priority counts like twenty seconds of waiting, so nothing waits for ever. "for update
// skip locked" is an optimisation: the epoch is what makes the lease. A lane found free with a
// running job (a node's commit was lost halfway) is taken like any other. The last row has no lane;
// it tells when the next lane will be ready.
constexpr storage::statement claim{
    "claim",
    R"(
with t as materialized (
    select t.* from jsonb_to_recordset($1::jsonb) as t(i int, node_id bigint, slots int)
    where exists (select from postrider.node n where n.node_id = t.node_id)
), c as materialized (
    select x.lane_id from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.lane_id, r.ready_at + p.priority * interval '20 s' as rank from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at <= postrider.now()
        order by r.ready_at limit coalesce((select slots from t), 0) for update skip locked) x
    order by x.rank limit coalesce((select slots from t), 0)
), r as (
    update postrider.lane_run r
    set node_id = (select node_id from t), epoch = nextval('postrider.number'), wait_reason = null, wants_mail = false,
        quiet_until = null
    where r.lane_id = any(array(select lane_id from c)) and r.node_id is null
    returning r.lane_id, r.epoch, r.edits, r.mailbox, r.arrivals, r.asked, r.head
), x as materialized (
    select r.*, j.job_id from r
    left join lateral postrider.first_live_job(r.lane_id, r.head) j on true
), g as (
    update postrider.job j
    set state = 'running', run_no = j.run_no + 1, started_at = coalesce(j.started_at, postrider.now()),
        due_at = null, wait_reason = null
    where j.job_id = any(array(select job_id from x where job_id is not null))
    returning )" POSTRIDER_JOB_COLUMNS R"(
), soon as (
    select (extract(epoch from min(s.ready_at) - postrider.now()) * 1000)::bigint as ms
    from (values (0), (1), (2), (3)) p(priority)
    cross join lateral (
        select r.ready_at from postrider.lane_run r
        where r.node_id is null and r.priority = p.priority and r.ready_at > postrider.now() and r.ready_at < 'infinity'
        order by r.ready_at limit 1) s
)
select t.i, soon.ms, x.lane_id, x.epoch, x.edits, x.mailbox, x.arrivals, x.asked, x.head, g.*
from t, soon, (select * from x union all select null, null, null, null, null, null, null, null) x
left join g on g.job_id = x.job_id
)",
    0};

class claim_unit final : public storage::unit {
public:
    claim_unit(node_id node, int count) : node_(node), count_(count) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) {
            boost::json::object row{{"node_id", base::raw(node_)}, {"slots", count_}};
            return {{&claim, boost::json::serialize(row)}};
        }
        result = {};
        for (auto const& row : returned.front()) {
            if (auto soon = row.optional_int64(1))
                result.next_in = std::chrono::milliseconds{*soon};
            if (!row.null(2)) result.lanes.push_back(read_lane(row));
        }
        return {};
    }

    claim_result result;

private:
    static claimed_lane read_lane(storage::row const& row) {
        claimed_lane one;
        one.lease.lane = row.id<lane_id>(2);
        one.lease.epoch = row.id<lane_epoch>(3);
        one.lease.edits = row.int64(4);
        one.lease.mailbox = mailbox_from_string(row.text(5)).value_or(mailbox::queue);
        one.lease.arrivals = row.int64(6);
        if (auto asked = row.optional_text(7)) one.asked = control_request_from_string(*asked);
        one.head = row.id<job_id>(8);
        if (!row.null(9)) one.job = read_job(row, 9);
        return one;
    }

    node_id node_;
    int count_;
};

} // namespace

base::awaitable<base::result<claim_result>> claim_lanes(
    storage::batcher& quick, node_id node, int count, base::duration deadline
) {
    auto unit = std::make_shared<claim_unit>(node, count);
    auto done = co_await quick.commit(unit, deadline);
    if (!done) co_return done.error();
    co_return std::move(unit->result);
}

} // namespace postrider::queue
