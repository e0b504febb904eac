#include "server/api/queue_health.hpp"

#include "server/api/database_bounds.hpp"

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
    auto found = std::make_shared<queue_health>();
    auto work = [found](storage::transaction& tx) {
        *found = {};
        auto const rows = tx.query(select_health);
        auto const& row = rows.at(0);
        found->nodes = row.int64(0);
        found->lanes_running = row.int64(1);
        found->lanes_ready = row.int64(2);
        found->lanes_parked = row.int64(3);
        found->oldest_ready = std::stod(row.text(4));
        found->oldest_transaction = std::stod(row.text(5));
        found->dead_tuples = row.int64(6);
        found->partitions_ahead = row.int64(7);
        found->events = row.int64(8);
        found->paused = row.int64(9);
        found->approvals = tx.query(waiting_approvals).at(0).int64(0);
        for (auto const& state : tx.query(about)) found->jobs_about[state.text(0)] = state.int64(1);
    };
    auto done = co_await db.run(select_health.name, std::move(work), database_waits.health);
    if (!done) co_return done.error();
    co_return *found;
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
