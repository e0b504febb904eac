#include "tests/integration/queue/world.hpp"

#include "queue/store/enqueue_turn.hpp"
#include "queue/store/sql.hpp"
#include "storage/query.hpp"

#include <utility>

namespace postrider::tests {

namespace {

using namespace std::chrono_literals;

constexpr base::duration zombie_heartbeat = 1h; // longer than any test

storage::batcher_options named(std::string name) {
    storage::batcher_options options;
    options.name = std::move(name);
    return options;
}

storage::batcher_options checkpoints_with_a_fault() {
    auto options = named("checkpoints");
    options.fault_after = "checkpoint.after_commit";
    return options;
}

storage::database_options at(std::string url) {
    storage::database_options options;
    options.url = std::move(url);
    return options;
}

} // namespace

node::node(boost::asio::any_io_executor executor, std::string url, queue::engine_options options)
    : intake(storage::make_batcher(executor, at(url), named("intake"))),
      checkpoints(storage::make_batcher(executor, at(url), checkpoints_with_a_fault())),
      quick(storage::make_batcher(executor, at(url), named("quick"))),
      beats(storage::make_batcher(executor, at(url), named("beats"))),
      db(storage::open_database(executor, at(url))),
      limits(queue::make_limiter(executor, *quick, base::system_clock())),
      engine(queue::make_engine(
          executor,
          {*checkpoints,
           *quick,
           *beats,
           *db,
           base::system_clock(),
           base::system_random(),
           limits.get(),
           {},
           &measures},
          std::move(options)
      )) {}

world::world() {
    defaults.trial = 1h;
    defaults.min_node_age = 0ms;
    defaults.cancel_grace = 50ms;
}

world::~world() {
    stop();
}

void world::stop() {
    if (std::exchange(stopped_, true)) return;
    for (auto& node : nodes_) {
        try {
            io.run(node->engine->drain(0s));
            io.run(node->limits->stop());
        } catch (std::exception const&) {
            ADD_FAILURE() << "an engine did not drain";
        }
    }
}

node& world::start(std::vector<queue::job_kind> kinds, int slots, base::duration heartbeat) {
    auto options = defaults;
    options.slots = slots;
    options.version = "test";
    options.heartbeat = heartbeat;
    options.longest_poll = options.idle_poll = 50ms;
    // It claims when it is woken, and takes back nothing that others have rescued of it.
    if (heartbeat >= zombie_heartbeat) options.shortest_poll = options.longest_poll = 1h;
    options.silence = 60s;
    auto& started_node = *nodes_.emplace_back(
        std::make_unique<node>(io.executor(), database_.url(), std::move(options))
    );
    for (auto& kind : kinds) started_node.engine->add(std::move(kind));
    if (!io.run(started_node.limits->start({}))) throw std::runtime_error("no limits");
    auto started = io.run(started_node.engine->start());
    if (!started) throw std::runtime_error(base::to_string(started.error()));
    return started_node;
}

node& world::start_node(std::vector<queue::job_kind> kinds, int slots, base::duration heartbeat) {
    return start(std::move(kinds), slots, heartbeat);
}

node& world::start_zombie(std::vector<queue::job_kind> kinds) {
    return start(std::move(kinds), 16, zombie_heartbeat);
}

lane_id world::make_lane(std::string key) {
    return lane_id{std::stoll(
        value("insert into postrider.lane (lane_key) values ('" + key + "') returning lane_id")
    )};
}

queue::enqueued world::enqueue(node& by, lane_id lane, std::string kind, boost::json::value input) {
    return io.run(enqueue_async(by, lane, std::move(kind), std::move(input)));
}

queue::enqueued world::enqueue(node& by, queue::new_job wanted) {
    return io.run(enqueue_async(by, std::move(wanted)));
}

base::awaitable<queue::enqueued> world::enqueue_async(
    node& by, lane_id lane, std::string kind, boost::json::value input
) {
    queue::new_job job{lane, std::move(kind), std::move(input), {}};
    return enqueue_async(by, std::move(job));
}

base::awaitable<queue::enqueued> world::enqueue_async(node& by, queue::new_job wanted) {
    auto stored = co_await store(by, std::move(wanted));
    if (!stored) throw std::runtime_error(base::to_string(stored.error()));
    co_return *stored;
}

base::result<queue::enqueued> world::try_enqueue(node& by, queue::new_job wanted) {
    return io.run(store(by, std::move(wanted)));
}

base::awaitable<base::result<queue::enqueued>> world::store(node& by, queue::new_job wanted) {
    wanted.lease_to = by.engine->try_reserve();
    auto turn = queue::enqueue_turn(wanted, wanted.lane, {});
    auto rows = co_await storage::query(*by.intake, std::move(turn), 10s);
    if (!rows) {
        if (wanted.lease_to) by.engine->release();
        co_return rows.error();
    }
    auto const enqueued = queue::read_enqueued(rows->front());
    if (enqueued.leased)
        by.engine->start_leased(queue::leased_job(wanted, enqueued), enqueued);
    else if (wanted.lease_to)
        by.engine->release();
    if (enqueued.interrupts) by.engine->beat_now();
    co_return enqueued;
}

void world::pass(std::string interval) {
    auto const by = " - interval '" + interval + "' ";
    execute("update postrider.step set next_at = next_at" + by + "where next_at is not null");
    execute("update postrider.wait set until_at = until_at" + by);
    execute(
        "update postrider.job set due_at = due_at" + by + ", deadline_at = deadline_at" + by +
        "where finished_at is null"
    );
    execute("update postrider.lane_run set ready_at = ready_at" + by + "where node_id is null");
    for (auto& node : nodes_) node->engine->wake();
}

std::string world::value(std::string sql) {
    std::string found;
    auto done = storage::run_blocking(at(database_.url()), [&](storage::transaction& tx) {
        auto rows = tx.query(storage::statement{"test", sql});
        if (!rows.empty() && rows.front().size() > 0)
            found = rows.front().optional_text(0).value_or("");
    });
    if (!done) throw std::runtime_error(base::to_string(done.error()));
    return found;
}

void world::execute(std::string sql) {
    value(std::move(sql));
}

void world::in_transaction(std::function<void(storage::transaction&)> work) {
    auto done = try_in_transaction(std::move(work));
    if (!done) throw std::runtime_error(base::to_string(done.error()));
}

base::result<void> world::try_in_transaction(std::function<void(storage::transaction&)> work) {
    return storage::run_blocking(at(database_.url()), std::move(work));
}

void world::until(std::string sql, std::string wanted, base::duration limit) {
    auto last = std::make_shared<std::string>();
    auto arrived = [this, sql, wanted, last] { return (*last = value(sql)) == wanted; };
    try {
        until(arrived, limit);
    } catch (std::runtime_error const&) {
        throw std::runtime_error("still '" + *last + "', not '" + wanted + "': " + sql);
    }
}

void world::until(std::function<bool()> condition, base::duration limit) {
    io.run(poll(std::move(condition)), limit);
}

base::awaitable<void> world::poll(std::function<bool()> condition) {
    while (!condition()) co_await base::sleep_for(5ms);
}

void world::silence_oldest() {
    execute("update postrider.node set beat_at = postrider.now() - interval '1 hour' "
            "where node_id = (select min(node_id) from postrider.node)");
}

} // namespace postrider::tests
