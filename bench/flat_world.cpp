#include "bench/flat_world.hpp"

#include "base/random.hpp"
#include "queue/store/enqueue_turn.hpp"
#include "storage/migrations.hpp"
#include "storage/pg/connection.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <sys/resource.h>
#include <unistd.h>

namespace postrider::bench {

namespace {

using namespace std::chrono_literals;
using base::awaitable;

constexpr int lanes = 1000;

template<class T>
T must(base::result<T> from) {
    if (!from) throw std::runtime_error(base::to_string(from.error()));
    if constexpr (!std::is_void_v<T>) return std::move(*from);
}

class enqueue_unit final : public storage::unit {
public:
    explicit enqueue_unit(queue::new_job job) : job_(std::move(job)) {}

    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& returned)
        override {
        if (number == 0) return {queue::enqueue_turn(job_, job_.lane, {})};
        enqueued = queue::read_enqueued(returned.at(0).at(0));
        return {};
    }

    queue::enqueued enqueued;

private:
    queue::new_job job_;
};

awaitable<queue::step_value> one_result() {
    co_return "done";
}

// A step with a record, as any useful job has.
awaitable<queue::outcome> job(queue::workflow& flow) {
    auto result = co_await flow.run("step", {}, [] { return one_result(); });
    co_return queue::outcome::completed(*result);
}

// Own time, that of ended children, and the parent, of a process; clock ticks.
struct ticks {
    std::int64_t own = 0;
    std::int64_t children = 0;
    int parent = 0;
};

std::optional<ticks> ticks_of(std::string const& pid) {
    std::ifstream file("/proc/" + pid + "/stat");
    std::stringstream all;
    all << file.rdbuf();
    auto const text = all.str();
    auto const end = text.rfind(')');
    if (end == text.npos) return std::nullopt;
    std::istringstream fields(text.substr(end + 2));
    std::string skip;
    ticks found;
    fields >> skip >> found.parent;
    for (int i = 5; i < 14; ++i) fields >> skip;
    std::int64_t user = 0, system = 0, children_user = 0, children_system = 0;
    fields >> user >> system >> children_user >> children_system;
    found.own = user + system;
    found.children = children_user + children_system;
    return found;
}

base::duration postgres_time(int postmaster) {
    std::int64_t total = 0;
    for (auto const& entry : std::filesystem::directory_iterator("/proc")) {
        auto const pid = entry.path().filename().string();
        if (pid.find_first_not_of("0123456789") != pid.npos) continue;
        auto const found = ticks_of(pid);
        if (!found) continue;
        if (pid == std::to_string(postmaster)) total += found->own + found->children;
        if (found->parent == postmaster) total += found->own;
    }
    return std::chrono::nanoseconds{total * (1'000'000'000 / sysconf(_SC_CLK_TCK))};
}

base::duration own_time() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    auto span = [](timeval t) {
        return std::chrono::seconds{t.tv_sec} + std::chrono::microseconds{t.tv_usec};
    };
    return span(used.ru_utime) + span(used.ru_stime);
}

storage::database_options make_database(std::string const& cluster, std::string const& name) {
    storage::database_options options;
    options.url = cluster;
    storage::pg::connect(options, storage::pg::purpose::general)->script("create database " + name);
    options.url = cluster.substr(0, cluster.rfind("dbname=")) + "dbname=" + name;
    options.statement_timeout = 30min; // filling takes minutes
    must(storage::migrate(options));
    return options;
}

int postmaster_of(std::filesystem::path const& folder) {
    std::ifstream file(folder / "data" / "postmaster.pid");
    int pid = 0;
    file >> pid;
    return pid;
}

} // namespace

cost operator-(cost const& later, cost const& sooner) {
    return {later.wall - sooner.wall, later.own - sooner.own, later.postgres - sooner.postgres};
}

flat_world::flat_world(
    std::string const& cluster_url, std::filesystem::path folder, std::string name
)
    : options_(make_database(cluster_url, name)),
      postmaster_(postmaster_of(folder)),
      postgres_(storage::connect(context_.get_executor(), options_)) {
    execute(fmt::format(
        "insert into postrider.lane (lane_key) select 'fed ' || n from generate_series(1, {}) n",
        lanes
    ));
}

void flat_world::add_ready_lanes(std::int64_t count) {
    execute(fmt::format(
        R"sql(
with l as (
    insert into postrider.lane (lane_key) select 'ready ' || n from generate_series(1, {}) n returning lane_id
), j as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind)
    select nextval('postrider.number'), lane_id, 1, 1, 'available', 'flat' from l returning job_id, lane_id
)
select from j)sql",
        count
    ));
    begin_lanes(
        "ready_at = postrider.now() - interval '1 hour' + j.head * interval '1 us'", "ready %"
    );
}

// What an arrival does to the lanes' rows, for lanes that were filled by hand.
void flat_world::begin_lanes(std::string const& ready_at, std::string const& keys) {
    execute(fmt::format(
        R"sql(
with j as (
    select j.lane_id, min(j.job_id) as head, count(*) as arrivals
    from postrider.job j join postrider.lane l using (lane_id) where l.lane_key like '{}' group by j.lane_id
)
update postrider.lane_run r
set {}, epoch = j.head, arrivals = j.arrivals, head = j.head, priority = 2
from j where r.lane_id = j.lane_id)sql",
        keys,
        ready_at
    ));
}

void flat_world::add_partitions(int count) {
    auto const connection = storage::pg::connect(options_, storage::pg::purpose::general);
    // A transaction each: one for all would hold locks on thousands of tables.
    for (int n = 0; n < count; ++n)
        connection->script("select postrider.make_partitions();"
                           "select setval('postrider.number', max(low)) from postrider.partitions()"
        );
    // A finished job in each, as nothing is emptier than it would be.
    connection->script(R"sql(
with l as (insert into postrider.lane (lane_key) values ('before') returning lane_id)
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, finished_at)
select p.low, l.lane_id, 1, 1, 'completed', 'flat', postrider.now() from l, postrider.partitions() p
where p.low > 0 and p.low < (select last_value from postrider.number))sql");
}

void flat_world::add_parked_lanes(std::int64_t count) {
    execute(fmt::format(
        R"sql(
with l as (
    insert into postrider.lane (lane_key) select 'parked ' || n from generate_series(1, {}) n returning lane_id
), j as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, due_at)
    select nextval('postrider.number'), lane_id, 1, 0, 'scheduled', 'flat', postrider.now() + interval '1 hour'
    from l returning job_id, lane_id
)
select from j)sql",
        count
    ));
    begin_lanes(
        "ready_at = postrider.now() + interval '1 hour' + j.head * interval '1 us'", "parked %"
    );
}

void flat_world::add_long_lane(std::int64_t jobs) {
    execute(fmt::format(
        R"sql(
with l as (
    insert into postrider.lane (lane_key) values ('long') returning lane_id
), j as (
    insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind)
    select nextval('postrider.number'), lane_id, 1, n, 'available', 'flat' from l, generate_series(1, {0}) n
    returning job_id, lane_id
)
select from j)sql",
        jobs
    ));
    begin_lanes("ready_at = postrider.now() - interval '1 hour'", "long");
}

void flat_world::start(int slots) {
    // As autovacuum and the checkpointer leave it after such a fill: both count as time of Postgres.
    auto const cleaning = storage::pg::connect(options_, storage::pg::purpose::general);
    cleaning->query({"vacuum", "vacuum analyze"}, {});
    cleaning->query({"checkpoint", "checkpoint"}, {});
    queue::engine_options options;
    options.slots = slots;
    options.version = "bench";
    queue::engine_services with{
        *postgres_.checkpoints,
        *postgres_.quick,
        *postgres_.beats,
        *postgres_.db,
        base::system_clock(),
        base::system_random()};
    engine_ = queue::make_engine(context_.get_executor(), with, std::move(options));
    engine_->add({"flat", job});
    base::result<void> started;
    boost::asio::co_spawn(
        context_,
        engine_->start(),
        [&](std::exception_ptr e, base::result<void> outcome) {
            started = e ? base::error(base::errc::internal, "start threw") : outcome;
            context_.stop();
        }
    );
    context_.restart();
    context_.run();
    must(started);
}

void flat_world::stop() {
    boost::asio::co_spawn(context_, engine_->drain(10s), [&](std::exception_ptr) {
        context_.stop();
    });
    context_.restart();
    context_.run();
    postgres_.close();
}

void flat_world::run_until_completed(std::uint64_t jobs) {
    context_.restart();
    while (completed() < jobs) context_.run_one_for(10ms);
}

void flat_world::feed(std::uint64_t jobs, int at_once, base::duration most) {
    auto const end = base::system_clock().steady() + most;
    fed_ = 0;
    int running = at_once;
    for (int n = 0; n < at_once; ++n)
        boost::asio::co_spawn(
            context_,
            feed_lanes(n, at_once, jobs, end),
            [&](std::exception_ptr e) {
                --running;
                if (e) std::rethrow_exception(e);
            }
        );
    context_.restart();
    while (running > 0) context_.run_one();
}

base::awaitable<void> flat_world::feed_lanes(
    int first, int step, std::uint64_t jobs, base::steady_time end
) {
    // Lanes are numbered from one, in the order in which they were made.
    for (int lane = first; fed_ < jobs && base::system_clock().steady() < end; lane += step) {
        ++fed_;
        co_await one_job(lane_id{1 + lane % lanes}, static_cast<std::uint64_t>(step));
    }
}

base::awaitable<void> flat_world::one_job(lane_id lane, std::uint64_t at_once) {
    queue::new_job job;
    job.lane = lane;
    job.kind = "flat";
    job.lease_to = engine_->try_reserve();
    auto unit = std::make_shared<enqueue_unit>(job);
    ++enqueued_;
    auto committed = co_await postgres_.intake->commit(unit, 60s);
    must(committed);
    if (unit->enqueued.leased)
        engine_->start_leased(queue::leased_job(job, unit->enqueued), unit->enqueued);
    else if (job.lease_to)
        engine_->release();
    if (queue::needs_claim(unit->enqueued)) engine_->wake();
    // A closed loop: no more are in flight than there are feeders.
    while (enqueued_ - completed() >= at_once) co_await base::sleep_for(500us);
}

std::uint64_t flat_world::completed() const {
    return engine_ ? engine_->counts().completed : 0;
}

cost flat_world::spent() const {
    return {
        base::system_clock().steady().time_since_epoch(), own_time(), postgres_time(postmaster_)};
}

std::string flat_world::value(std::string const& sql) const {
    auto found =
        storage::pg::connect(options_, storage::pg::purpose::general)->query({"value", sql}, {});
    return found.empty() ? "" : found.front().optional_text(0).value_or("");
}

void flat_world::execute(std::string const& sql) const {
    storage::pg::connect(options_, storage::pg::purpose::general)->script(sql);
}

} // namespace postrider::bench
