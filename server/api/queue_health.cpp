#include "server/api/queue_health.hpp"

#include "server/api/database_bounds.hpp"
#include "storage/transact.hpp"

namespace postrider::api {

namespace {

using namespace std::chrono_literals;

constexpr auto pause = 15s; // as often as metrics are usually asked for

constexpr storage::statement select_health{"metrics.queue_health", R"sql(
select nodes, lanes_running, lanes_ready, lanes_parked,
       coalesce(extract(epoch from oldest_ready), 0), coalesce(extract(epoch from oldest_transaction), 0),
       coalesce(dead_tuples, 0), partitions_ahead, events, paused
from postrider.queue_health)sql"};

constexpr storage::statement waiting_approvals{
    "metrics.approvals",
    "select count(*) from postrider.approval where state = 'waiting' and expires_at > "
    "postrider.now()"};

constexpr storage::statement about{
    "metrics.jobs_about", "select state, jobs from postrider.jobs_about"};

} // namespace

base::awaitable<base::result<queue_health>> read_queue_health(storage::database& db) {
    auto work = [](storage::transaction& tx) {
        queue_health health;
        auto const rows = tx.query(select_health);
        auto const& row = rows.at(0);
        health.nodes = row.int64(0);
        health.lanes_running = row.int64(1);
        health.lanes_ready = row.int64(2);
        health.lanes_parked = row.int64(3);
        health.oldest_ready = std::stod(row.text(4));
        health.oldest_transaction = std::stod(row.text(5));
        health.dead_tuples = row.int64(6);
        health.partitions_ahead = row.int64(7);
        health.events = row.int64(8);
        health.paused = row.int64(9);
        health.approvals = tx.query(waiting_approvals).at(0).int64(0);
        for (auto const& state : tx.query(about)) health.jobs_about[state.text(0)] = state.int64(1);
        return health;
    };
    co_return co_await storage::transact(
        db, select_health.name, std::move(work), database_waits.health
    );
}

base::awaitable<void> watch_queue(storage::database& db, std::optional<queue_health>& latest) {
    while (true) {
        auto read = co_await read_queue_health(db);
        if (read)
            latest = std::move(*read);
        else
            latest.reset();
        co_await base::sleep_for(pause);
    }
}

} // namespace postrider::api
