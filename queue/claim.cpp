#include "queue/claim.hpp"

#include "queue/sql.hpp"

namespace postrider::queue {

namespace {

// "for update skip locked" is an optimisation: the epoch is what makes the lease. A lane found free
// with a running job (a node's commit was lost halfway) is taken like any other.
constexpr storage::statement claim{
    "claim",
    R"(
with t as materialized (
    select t.* from jsonb_to_recordset($1::jsonb) as t(i int, node_id bigint, slots int)
    where exists (select from postrider.node n where n.node_id = t.node_id)
), c as materialized (
    select r.lane_id from postrider.lane_run r
    where r.node_id is null and r.ready_at <= postrider.now()
    order by r.priority, r.ready_at limit coalesce((select slots from t), 0) for update skip locked
), r as (
    update postrider.lane_run r
    set node_id = (select node_id from t), epoch = nextval('postrider.number'), wait_reason = null
    where r.lane_id = any(array(select lane_id from c))
    returning r.lane_id, r.epoch, r.edits, r.head
), x as materialized (
    select r.*, j.job_id from r
    left join lateral (select j.job_id from postrider.job j
        where j.lane_id = r.lane_id and j.job_id >= r.head
          and j.state in ('available', 'scheduled', 'waiting', 'retryable', 'running')
        order by j.job_id limit 1) j on true
), g as (
    update postrider.job j
    set state = 'running', run_no = j.run_no + 1, started_at = coalesce(j.started_at, postrider.now())
    where j.job_id = any(array(select job_id from x where job_id is not null))
    returning j.job_id, j.lane_id, j.conversation_id, j.arrival, j.run_no, j.lost, j.kind, j.input
)
select (select i from t), x.lane_id, x.epoch, x.edits, x.head, g.*
from x left join g on g.job_id = x.job_id
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
        lanes.clear();
        for (auto const& row : returned.front()) {
            claimed_lane one;
            one.lease = {row.id<lane_id>(1), row.id<lane_epoch>(2), row.int64(3)};
            one.head = row.id<job_id>(4);
            if (!row.null(5)) one.job = read_job(row, 5);
            lanes.push_back(std::move(one));
        }
        return {};
    }

    std::vector<claimed_lane> lanes;

private:
    node_id node_;
    int count_;
};

} // namespace

base::awaitable<base::result<std::vector<claimed_lane>>> claim_lanes(
    storage::batcher& quick, node_id node, int count, base::duration deadline
) {
    auto unit = std::make_shared<claim_unit>(node, count);
    auto done = co_await quick.commit(unit, deadline);
    if (!done) co_return done.error();
    co_return std::move(unit->lanes);
}

} // namespace postrider::queue
