#include "queue/node/node_store.hpp"

#include "base/log.hpp"
#include "queue/store/sql.hpp"

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <unistd.h>

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
    from jsonb_to_recordset($1::jsonb) as t(i int, pid int, pid_started bigint, boot_id text, pid_space text,
         host text, version text, slots int)
    returning node_id
)
select 0, node_id from n
)",
    0};

// A heartbeat that is lost with the server's power is none: it need not wait for the disk.
constexpr storage::statement beat_node{
    "beat_node",
    R"(
with t as materialized (
    select *, set_config('synchronous_commit', 'off', true)
    from jsonb_to_recordset($1::jsonb) as t(i int, node_id bigint, busy int)
), b as (
    update postrider.node n set beat_at = postrider.now(), busy = t.busy
    from t where n.node_id = t.node_id returning n.node_id
)
select t.i from t join b on b.node_id = t.node_id
)",
    0};

constexpr storage::statement my_leases{
    "my_leases",
    R"(
select t.i, r.lane_id, r.epoch, r.asked is not null
from jsonb_to_recordset($1::jsonb) as t(i int, node_id bigint)
cross join lateral (select lane_id, epoch, asked from postrider.lane_run r where r.node_id = t.node_id) r
)",
    1};

// Nodes to look at: the silent, the neighbours on this machine, and leases of nodes that have left.
constexpr storage::statement suspects{"suspect_nodes", R"(
select node_id, pid, pid_started, beat_at < postrider.now() - $3::bigint * interval '1 ms'
from postrider.node
where node_id <> $4::bigint
  and (beat_at < postrider.now() - $3::bigint * interval '1 ms' or (boot_id = $1 and pid_space = $2))
union all
select r.node_id, 0, 0, true
from (select distinct node_id from postrider.lane_run where node_id is not null) r
where not exists (select from postrider.node n where n.node_id = r.node_id)
)"};

// In a statement of its own: what follows must see what the dead node's last commit left, whatever
// it was when we began to wait for its locks.
constexpr storage::statement lock_dead{"lock_dead_nodes", R"(
select node_id from postrider.node where node_id = any($1::bigint[]) order by node_id for update
)"};

constexpr storage::statement lock_dead_lanes{"lock_dead_lanes", R"(
select lane_id from postrider.lane_run where node_id = any($1::bigint[]) order by lane_id for update
)"};

constexpr storage::statement rescue_lanes{"rescue_lanes", R"(
with l as materialized (
    select lane_id, arrivals, head from postrider.lane_run where node_id = any($1::bigint[])
), x as materialized (
    select l.lane_id, l.arrivals, j.job_id, j.arrival, j.lost + $3::int >= $2::int as spent
    from l cross join lateral (select * from postrider.job j where j.lane_id = l.lane_id and j.job_id >= l.head
                                                             and j.state = 'running' order by j.job_id limit 1) j
), j as (
    update postrider.job j
    set lost = j.lost + $3::int, state = case when x.spent then 'failed' else 'available' end,
        finished_at = case when x.spent then postrider.now() end,
        error_class = case when x.spent then 'lost' end,
        error = case when x.spent then 'its process died in ' || j.lost + $3::int || ' runs' end
    from x where j.job_id = any(array(select job_id from x)) and j.job_id + 0 = x.job_id
), e as (
    update postrider.effect
    set state = case state when 'started' then 'unknown' else 'failed' end, settled_at = postrider.now(),
        flagged = flagged or state = 'started' -- each of the runs may have done it
    where job_id = any(array(select job_id from x where spent)) and state in ('started', 'planned')
), gone as (
    delete from postrider.lane_run
    where lane_id = any(array(select lane_id from x where spent and arrival = arrivals))
), f as (
    update postrider.lane_run r
    set node_id = null, epoch = nextval('postrider.number'), ready_at = postrider.now(), wait_reason = null
    where r.lane_id = any(array(select lane_id from l except select lane_id from x where spent and arrival = arrivals))
), n as (
    delete from postrider.node where node_id = any($1::bigint[])
)
select (select count(*) from l), (select count(*) from x where spent)
)"};

constexpr storage::statement lock_lane{"lock_lane", R"(
select head from postrider.lane_run where lane_id = $1::bigint and node_id = $2::bigint and epoch = $3::bigint for update
)"};

constexpr storage::statement release_job{"release_job", R"(
update postrider.job set state = 'available'
where lane_id = $1::bigint and job_id >= $2::bigint and state = 'running'
)"};

constexpr storage::statement release_lane{"release_lane", R"(
update postrider.lane_run set node_id = null, epoch = nextval('postrider.number'), ready_at = postrider.now()
where lane_id = $1::bigint
)"};

constexpr auto patience = 5s;

std::string first_line(char const* path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

// Field 22 of /proc/PID/stat; the command name before it may hold anything, so count from its last
// ')'.
std::optional<std::int64_t> start_of(int pid) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
    std::stringstream all;
    all << file.rdbuf();
    auto text = all.str();
    auto end = text.rfind(')');
    if (end == text.npos) return std::nullopt;
    std::istringstream fields(text.substr(end + 2));
    std::string skip;
    std::string state;
    fields >> state;
    for (int i = 4; i < 22; ++i) fields >> skip;
    std::int64_t started = 0;
    if (!(fields >> started) || state == "Z" || state == "X") return std::nullopt;
    return started;
}

class rows_unit final : public storage::unit {
public:
    explicit rows_unit(std::vector<storage::write> writes) : writes_(std::move(writes)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) return writes_;
        result = returned;
        return {};
    }

    std::vector<storage::rows> result;

private:
    std::vector<storage::write> writes_;
};

std::string array_of(std::vector<node_id> const& nodes) {
    std::string text = "{";
    for (auto node : nodes) text += (text.size() > 1 ? "," : "") + base::to_string(node);
    return text + "}";
}

} // namespace

node_identity this_process(std::string version) {
    node_identity who;
    who.version = std::move(version);
    who.pid = getpid();
    char host[256] = {};
    gethostname(host, sizeof host - 1);
    who.host = host;
    who.boot_id = first_line("/proc/sys/kernel/random/boot_id");
    char space[128] = {};
    auto n = readlink("/proc/self/ns/pid", space, sizeof space - 1);
    who.pid_space = n > 0 ? std::string(space, static_cast<std::size_t>(n)) : std::string();
    auto started = start_of(who.pid);
    if (who.boot_id.empty() || who.pid_space.empty() || !started)
        throw std::runtime_error("/proc is not readable: a node cannot tell who it is");
    who.pid_started = *started;
    return who;
}

bool process_lives(int pid, std::int64_t pid_started) {
    return start_of(pid) == pid_started;
}

base::awaitable<base::result<node_id>> node_store::join(node_identity const& who, int slots) {
    auto unit = std::make_shared<rows_unit>(std::vector<storage::write>{{
        &join_node,
        json::serialize(json::object{
            {"pid", who.pid},
            {"pid_started", who.pid_started},
            {"boot_id", who.boot_id},
            {"pid_space", who.pid_space},
            {"host", who.host},
            {"version", who.version},
            {"slots", slots},
        }),
    }});
    auto done = co_await beats_.commit(unit, patience);
    if (!done) co_return done.error();
    co_return unit->result.at(0).at(0).id<node_id>(1);
}

base::awaitable<base::result<beat_result>> node_store::beat(node_id me, int busy) {
    auto row = json::serialize(json::object{{"node_id", raw(me)}, {"busy", busy}});
    auto unit = std::make_shared<rows_unit>(std::vector<storage::write>{
        {&beat_node, row}, {&my_leases, row}});
    auto done = co_await beats_.commit(unit, patience);
    if (!done) co_return done.error();
    beat_result result;
    result.known = !unit->result.at(0).empty();
    for (auto const& lane : unit->result.at(1)) {
        held_lane const which{lane.id<lane_id>(1), lane.id<lane_epoch>(2)};
        result.lanes.emplace_back(which, lane.boolean(3));
    }
    co_return result;
}

base::awaitable<base::result<rescue_result>> node_store::rescue(
    node_id me, node_identity const& who, base::duration silence, int lost_budget
) {
    // The work may outlive this wait, so it owns what it uses.
    auto result = std::make_shared<rescue_result>();
    auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(silence).count();
    auto work = [=](storage::transaction& tx) {
        *result = {};
        std::vector<node_id> dead;
        for (auto const& row : tx.query(suspects, {who.boot_id, who.pid_space, millis, me}))
            if (row.boolean(3) || !process_lives(static_cast<int>(row.int64(1)), row.int64(2)))
                dead.push_back(row.id<node_id>(0));
        if (dead.empty()) return;
        tx.query(lock_dead, {array_of(dead)});
        tx.query(lock_dead_lanes, {array_of(dead)});
        auto counts = tx.query(rescue_lanes, {array_of(dead), lost_budget, 1}).at(0);
        *result = {static_cast<std::int64_t>(dead.size()), counts.int64(0), counts.int64(1)};
    };
    auto done = co_await db_.run("rescue", work, patience);
    if (!done) co_return done.error();
    co_return *result;
}

base::awaitable<base::result<void>> node_store::release(node_id me, held_lane what) {
    auto work = [=](storage::transaction& tx) {
        auto lane = tx.query(lock_lane, {what.lane, me, what.epoch});
        if (lane.empty()) return;
        tx.query(release_job, {what.lane, lane.front().int64(0)});
        tx.query(release_lane, {what.lane});
    };
    co_return co_await db_.run("release", work, patience);
}

base::awaitable<base::result<void>> node_store::leave(node_id me) {
    // Leaving costs no job anything: no run is counted as lost.
    auto work = [=](storage::transaction& tx) {
        tx.query(lock_dead, {array_of({me})});
        tx.query(lock_dead_lanes, {array_of({me})});
        tx.query(rescue_lanes, {array_of({me}), 1'000'000, 0});
    };
    co_return co_await db_.run("leave", work, patience);
}

} // namespace postrider::queue
