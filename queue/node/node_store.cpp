#include "queue/node/node_store.hpp"

#include "base/log.hpp"
#include "queue/store/sql.hpp"
#include "storage/query.hpp"

#include <algorithm>

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
using base::raw;
namespace json = boost::json;

constexpr storage::statement join_node{
    "join_node",
    R"(
with n as (
    insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, host, version, slots)
    select nextval('postrider.number'), pid, pid_started, boot_id, pid_space, host, version, slots
    from json_to_recordset($1::json) as t(i int, pid int, pid_started bigint, boot_id text, pid_space text,
         host text, version text, slots int)
    returning node_id
)
select 0, node_id from n
)",
    0};

// A heartbeat that is lost with the server's power is none: it need not wait for the disk. With it
// comes the last number drawn: where a sequence was set to begin at a number, that is still to come.
constexpr storage::statement beat_node{
    "beat_node",
    R"(
with t as materialized (
    select *, set_config('synchronous_commit', 'off', true)
    from json_to_recordset($1::json) as t(i int, node_id bigint, busy int)
), b as (
    update postrider.node n set beat_at = postrider.now(), busy = t.busy, several_suspects = false
    from t where n.node_id = t.node_id returning n.node_id
)
select t.i, (select last_value - (not is_called)::int from postrider.number) from t join b on b.node_id = t.node_id
)",
    0};

// The last row of a node has no lease. See lease_look.hpp: `older` are the epochs to ask for beside
// those above `floor`.
constexpr storage::statement my_leases{
    "my_leases",
    R"(
select t.i, pg_current_xact_id()::text::bigint, pg_snapshot_xmin(pg_current_snapshot())::text::bigint,
       r.lane_id, r.epoch, r.asked is not null
from json_to_recordset($1::json) as t(i int, node_id bigint, floor bigint, older jsonb)
cross join lateral (
    (select r.lane_id, r.epoch, r.asked from postrider.lane_run r
     where r.epoch > t.floor and r.node_id = t.node_id offset 0)
    union all
    (select r.lane_id, r.epoch, r.asked from postrider.lane_run r
     where r.epoch = any(array(select e::bigint from jsonb_array_elements_text(t.older) e))
       and r.node_id = t.node_id offset 0)
    union all
    select null, null, null) r
)",
    1};

// Nodes to look at: the silent, the neighbours on this machine, and leases of nodes that have left
// (those have no row, and no pid; they come of commits that were under way then, so a heartbeat
// looks for them above its floor too). It travels with every heartbeat, and reads no table that the
// heartbeat does not need anyway.
constexpr storage::statement find_nodes{
    "nodes_to_look_at",
    R"(
with t as materialized (
    select * from json_to_recordset($1::json)
    as t(i int, node_id bigint, boot_id text, pid_space text, silence_ms bigint, floor bigint)
)
select t.i, n.node_id, n.pid, n.pid_started, n.beat_at < postrider.now() - t.silence_ms * interval '1 ms'
from t join postrider.node n on n.node_id <> t.node_id
 and (n.beat_at < postrider.now() - t.silence_ms * interval '1 ms'
      or (n.boot_id = t.boot_id and n.pid_space = t.pid_space))
union all
select t.i, r.node_id, 0, 0, true
from t cross join lateral (select distinct node_id from postrider.lane_run
                           where epoch > t.floor and node_id is not null offset 0) r
where not exists (select from postrider.node n where n.node_id = r.node_id)
)",
    2};

// What another session has locked is passed over, here and below: its turn comes with the next
// look, and everything else need not wait for it. A node may have beaten since it was found silent:
// only those whose process is gone ($2) are taken whatever their row says.
constexpr storage::statement lock_dead_nodes{"lock_dead_nodes", R"(
select node_id from postrider.node
where node_id = any($1::bigint[])
  and (node_id = any($2::bigint[]) or beat_at < postrider.now() - $3::bigint * interval '1 ms')
for update skip locked
)"};

// The suspects first: whether one was alone is judged while all of them are still leased.
constexpr storage::statement lock_dead_lanes{"lock_dead_lanes", R"(
select lane_id from postrider.lane_run where node_id = any($1::bigint[])
order by suspect desc limit $2::int for update skip locked
)"};

// In a statement of its own: it must see what the dead node's last commit left. A job that died as
// the only suspect of its node has used up one of its lost runs. Where there were several, the
// node's row remembers it: one that is locked now is rescued later, when no other is left. All that
// were in flight are suspects now, but for those whose lost runs ($2) are used up: a worker ends
// them without running them, and one that died nevertheless is counted on, so that its failure
// function is not called again. What a running job's process was doing is a lost attempt, which its
// row tells. With $3 = 0 the node has put its work back by itself, and nothing is suspect or lost.
constexpr storage::statement rescue_lanes{"rescue_lanes", R"(
with n as materialized (
    select r.node_id, count(*) > 1 as several from postrider.lane_run r
    where r.node_id = any(array(select o.node_id from postrider.lane_run o where o.lane_id = any($1::bigint[]))) and r.suspect > 0
    group by r.node_id
), m as (
    update postrider.node set several_suspects = true
    where node_id = any(array(select node_id from n where several)) and $3::int = 1
), l as materialized (
    select r.lane_id, r.node_id, r.head, $3::int = 1 and r.suspect > 0
           and r.node_id <> all(array(select node_id from n where several))
           and not exists (select from postrider.node d where d.node_id = r.node_id and d.several_suspects) as alone
    from postrider.lane_run r where r.lane_id = any($1::bigint[])
), x as materialized (
    select l.lane_id, l.alone, j.job_id, j.lost, j.run_no, l.node_id, d.host, d.beat_at from l
    left join postrider.node d on d.node_id = l.node_id
    left join lateral (select j.job_id, j.lost, j.run_no from postrider.job j
                       where j.lane_id = l.lane_id and j.job_id >= l.head and j.state = 'running'
                       order by j.job_id limit 1) j on true
), k as materialized (
    select job_id from postrider.job where job_id = any(array(select job_id from x)) for update skip locked
), y as materialized (
    select x.lane_id, x.job_id, x.lost + x.alone::int >= $2::int as spent,
           (x.alone or $3::int = 1 and x.lost >= $2::int)::int as died,
           case when $3::int = 1 then jsonb_build_object('run', x.run_no, 'node_id', x.node_id, 'host', x.host,
                                                         'beat_at', x.beat_at, 'lost_at', postrider.now()) end as attempt
    from x where x.job_id is null or x.job_id in (select job_id from k)
), j as (
    update postrider.job j
    set lost = j.lost + y.died, state = 'available',
        lost_attempts = case when y.attempt is null then j.lost_attempts
                             when jsonb_array_length(j.lost_attempts) >= 20 then (j.lost_attempts - 0) || y.attempt
                             else coalesce(j.lost_attempts, '[]') || y.attempt end
    from y where j.job_id = any(array(select job_id from y)) and j.job_id + 0 = y.job_id
), f as (
    update postrider.lane_run r
    set node_id = null, epoch = nextval('postrider.number'), ready_at = postrider.now(), wait_reason = null,
        suspect = case when $3::int = 0 then r.suspect when y.job_id is null or y.spent then 0 else least(r.suspect + 1, 10) end
    from y where r.lane_id = any(array(select lane_id from y)) and r.lane_id + 0 = y.lane_id and r.node_id is not null
)
select count(*), count(*) filter (where spent), count(*) filter (where job_id is not null and not spent) from y
)"};

// One whose lanes could not all be taken stays until they can.
constexpr storage::statement forget_nodes{"forget_nodes", R"(
delete from postrider.node n
where n.node_id = any($1::bigint[]) and not exists (select from postrider.lane_run r where r.node_id = n.node_id)
)"};

// This process lives: what it was running has not killed it.
constexpr storage::statement clear_suspects{"clear_suspects", R"(
with t as materialized (select * from json_to_recordset($1::json) as t(i int, lanes jsonb)),
l as materialized (
    select lane_id from postrider.lane_run
    where lane_id = any(array(select e::bigint from t, jsonb_array_elements_text(t.lanes) e))
      and suspect = 1 and node_id is null
    for update skip locked
)
update postrider.lane_run set suspect = 0 where lane_id = any(array(select lane_id from l))
)"};

constexpr storage::statement lock_lane{"lock_lane", R"(
select head from postrider.lane_run where lane_id = $1::bigint and node_id = $2::bigint and epoch = $3::bigint for update skip locked
)"};

constexpr storage::statement release_job{"release_job", R"(
update postrider.job set state = 'available'
where lane_id = $1::bigint and job_id >= $2::bigint and state = 'running'
)"};

constexpr storage::statement release_lane{"release_lane", R"(
update postrider.lane_run set node_id = null, epoch = nextval('postrider.number'), ready_at = postrider.now()
where lane_id = $1::bigint and node_id is not null
)"};

constexpr auto node_patience = 5s;
// More than a node's slots: normally one transaction rescues a node whole.
constexpr int lanes_at_once = 1000;

std::int64_t in_milliseconds(base::duration silence) {
    return std::chrono::duration_cast<std::chrono::milliseconds>(silence).count();
}

std::string row_of(
    node_id me, node_identity const& self, base::duration silence, std::int64_t floor
) {
    return json::serialize(json::object{
        {"node_id", raw(me)},
        {"boot_id", self.boot_id},
        {"pid_space", self.pid_space},
        {"silence_ms", in_milliseconds(silence)},
        {"floor", floor}});
}

std::string row_of(node_id me, lease_look const& look) {
    json::array older;
    for (auto epoch : look.older()) older.push_back(raw(epoch));
    return json::serialize(json::object{
        {"node_id", raw(me)}, {"floor", look.floor()}, {"older", std::move(older)}});
}

// Of the rows of my_leases.
void read_leases(beat_result& result, storage::rows const& leases) {
    for (auto const& lease : leases) {
        result.horizon.transaction = lease.int64(1);
        result.horizon.oldest = lease.int64(2);
        if (lease.null(3)) continue;
        held_lane const held{lease.id<lane_id>(3), lease.id<lane_epoch>(4)};
        result.lanes.emplace_back(held, lease.boolean(5));
    }
}

// A row of find_nodes.
bool has_died(storage::row const& node) {
    bool const silent = node.boolean(4);
    return silent || !process_lives(static_cast<int>(node.int64(2)), node.int64(3));
}

std::string id_array(std::vector<node_id> const& nodes) {
    std::string text = "{";
    for (auto node : nodes) text += (text.size() > 1 ? "," : "") + base::to_string(node);
    return text + "}";
}

} // namespace

base::awaitable<base::result<node_id>> node_store::join(node_identity const& identity, int slots) {
    json::object row{
        {"pid", identity.pid},
        {"pid_started", identity.pid_started},
        {"boot_id", identity.boot_id},
        {"pid_space", identity.pid_space},
        {"host", identity.host},
        {"version", identity.version},
        {"slots", slots},
    };
    storage::write joining{&join_node, json::serialize(row)};
    auto joined = co_await query(beats_, std::move(joining), node_patience);
    if (!joined) co_return joined.error();
    co_return joined->at(0).id<node_id>(1);
}

base::awaitable<base::result<beat_result>> node_store::beat(
    node_id me,
    node_identity const& self,
    int busy,
    base::duration silence,
    lease_look const& look,
    bool everywhere,
    std::vector<storage::write> reads
) {
    auto row = json::serialize(json::object{{"node_id", raw(me)}, {"busy", busy}});
    auto const floor = everywhere ? 0 : look.floor_of_others();
    std::vector<storage::write> writes{
        {&beat_node, std::move(row)},
        {&my_leases, row_of(me, look)},
        {&find_nodes, row_of(me, self, silence, floor)}};
    auto const own = writes.size();
    writes.insert(writes.end(), reads.begin(), reads.end());
    auto done = co_await query(beats_, std::move(writes), node_patience);
    if (!done) co_return done.error();
    beat_result result;
    result.known = !done->at(0).empty();
    if (result.known) result.horizon.drawn = done->at(0).front().int64(1);
    read_leases(result, done->at(1));
    result.others_died = std::ranges::any_of(done->at(2), has_died);
    for (auto n = own; n < done->size(); ++n) result.reads.push_back(std::move((*done)[n]));
    co_return result;
}

namespace {

// Frees what these nodes lease and nobody else has locked, and forgets those that lease nothing.
rescue_result take_lanes(
    storage::transaction& tx, std::vector<node_id> const& nodes, int lost_budget, bool died
) {
    std::string lanes = "{";
    for (auto const& row : tx.query(lock_dead_lanes, {id_array(nodes), lanes_at_once}))
        lanes += (lanes.size() > 1 ? "," : "") + row.text(0);
    lanes += "}";
    auto const counts = tx.query(rescue_lanes, {lanes, lost_budget, died ? 1 : 0}).at(0);
    tx.query(forget_nodes, {id_array(nodes)});
    return {
        .nodes = static_cast<std::int64_t>(nodes.size()),
        .lanes = counts.int64(0),
        .spent = counts.int64(1),
        .suspects = counts.int64(2)};
}

} // namespace

base::awaitable<base::result<rescue_result>> node_store::rescue(
    node_id me, node_identity const& identity, base::duration silence, int lost_budget
) {
    // The work may outlive this wait, so it owns what it uses.
    auto result = std::make_shared<rescue_result>();
    auto const question = "[" + row_of(me, identity, silence, 0) + "]";
    auto work = [=](storage::transaction& tx) {
        *result = {};
        std::vector<node_id> dead;
        std::vector<node_id> registered;
        std::vector<node_id> ended; // of those, the ones whose process is gone
        for (auto const& node : tx.query(find_nodes, {question})) {
            if (!has_died(node)) continue;
            auto const id = node.id<node_id>(1);
            (node.int64(2) == 0 ? dead : registered).push_back(id);
            if (!node.boolean(4)) ended.push_back(id);
        }
        if (dead.empty() && registered.empty()) return;
        std::vector<storage::param> const found{
            id_array(registered), id_array(ended), in_milliseconds(silence)};
        for (auto const& row : tx.query(lock_dead_nodes, found)) dead.push_back(row.id<node_id>(0));
        if (dead.empty()) return;
        *result = take_lanes(tx, dead, lost_budget, true);
    };
    auto done = co_await db_.run("rescue", work, node_patience);
    if (!done) co_return done.error();
    co_return *result;
}

base::awaitable<base::result<void>> node_store::clear_suspects(std::vector<lane_id> const& lanes) {
    json::array ids;
    for (auto lane : lanes) ids.push_back(raw(lane));
    auto row = json::serialize(json::object{{"lanes", std::move(ids)}});
    storage::write clearing{&queue::clear_suspects, std::move(row)};
    auto done = co_await query(beats_, std::move(clearing), node_patience);
    if (!done) co_return done.error();
    co_return base::result<void>{};
}

base::awaitable<base::result<void>> node_store::release(node_id me, held_lane held) {
    auto work = [=](storage::transaction& tx) {
        auto lane = tx.query(lock_lane, {held.lane, me, held.epoch});
        if (lane.empty()) return;
        tx.query(release_job, {held.lane, lane.front().int64(0)});
        tx.query(release_lane, {held.lane});
    };
    co_return co_await db_.run("release", work, node_patience);
}

// Twice: a lease that is committed between the first one's last look and its end was seen by other
// nodes while this one's row was still there, and they do not look for it again. A lease that comes
// after the second was not seen before the row was gone: they find it.
base::awaitable<base::result<void>> node_store::leave(node_id me) {
    auto const work = [=](storage::transaction& tx) { take_lanes(tx, {me}, 0, false); };
    auto left = co_await db_.run("leave", work, node_patience);
    if (!left) co_return left.error();
    co_return co_await db_.run("leave", work, node_patience);
}

} // namespace postrider::queue
