#include "server/upkeep.hpp"

#include "base/log.hpp"

namespace postrider::server {

namespace {

using namespace std::chrono_literals;

constexpr auto pause = 10min;
constexpr auto deadline = 20s;

// $1 and $2 in seconds. Bounded, and past rows that another node is deleting.
constexpr storage::statement prune{"upkeep.prune_inbox", R"sql(
with due as (
    select bot_id, update_id from postrider.inbox
    where received_at < postrider.now() - make_interval(secs => case disposition
              when 'rejected' then $2::float8 else $1::float8 end)
    limit 5000
    for update skip locked),
gone as (
    delete from postrider.inbox i using due
    where i.bot_id = due.bot_id and i.update_id = due.update_id
    returning 1)
select count(*) from gone)sql"};

std::int64_t seconds(base::duration d) {
    return std::chrono::duration_cast<std::chrono::seconds>(d).count();
}

} // namespace

base::awaitable<base::result<std::int64_t>> prune_inbox(storage::database& db, retention keep) {
    std::int64_t total = 0;
    while (true) {
        std::vector<storage::param> ages{seconds(keep.inbox), seconds(keep.rejected)};
        auto gone = co_await db.query(prune, std::move(ages), deadline);
        if (!gone) co_return gone.error();
        auto const count = gone->front().int64(0);
        total += count;
        if (count == 0) co_return total;
    }
}

base::awaitable<void> keep_tidy(storage::database& db, retention keep) {
    while (true) {
        auto pruned = co_await prune_inbox(db, keep);
        if (!pruned)
            base::log::warn("upkeep.failed", {{"error", pruned.error()}});
        else if (*pruned > 0)
            base::log::info("upkeep.inbox_pruned", {{"updates", *pruned}});
        co_await base::sleep_for(pause);
    }
}

} // namespace postrider::server
