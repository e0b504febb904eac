#include "storage/stores/poll_leases.hpp"

#include "storage/execute.hpp"

namespace postrider::storage {

namespace {

constexpr statement lease{"poll_lease.take", R"(
insert into postrider.poll_lease (bot_id, node_id) values ($1, $2)
on conflict (bot_id) do update set node_id = excluded.node_id
where poll_lease.node_id = excluded.node_id
   or not exists (select from postrider.node n where n.node_id = poll_lease.node_id
                  and n.beat_at >= postrider.now() - $3::bigint * interval '1 ms')
returning 1
)"};

constexpr statement release{
    "poll_lease.release", "delete from postrider.poll_lease where bot_id = $1 and node_id = $2"};

// After the heartbeat itself, which travels in the same transaction.
constexpr statement holders{
    "poll_lease.holders",
    R"(
select t.i, l.bot_id, l.node_id
from json_to_recordset($1::json) as t(i int, silence_ms bigint)
cross join postrider.poll_lease l join postrider.node n on n.node_id = l.node_id
where n.beat_at >= postrider.now() - t.silence_ms * interval '1 ms'
)",
    2};

} // namespace

base::awaitable<base::result<bool>> lease_poll(
    database& db, poll_holder holder, base::duration deadline
) {
    std::vector<param> params{holder.bot, holder.node, std::int64_t{poll_silence.count()}};
    auto taken = co_await db.query(lease, std::move(params), deadline);
    if (!taken) co_return taken.error();
    co_return !taken->empty();
}

base::awaitable<base::result<void>> release_poll(
    database& db, poll_holder holder, base::duration deadline
) {
    std::vector<param> params{holder.bot, holder.node};
    return execute(db, release, std::move(params), deadline);
}

write read_poll_holders() {
    return {&holders, "{\"silence_ms\":" + std::to_string(poll_silence.count()) + "}"};
}

poll_holder poll_holder_from(row const& found) {
    return {found.id<bot_id>(1), found.id<node_id>(2)};
}

} // namespace postrider::storage
