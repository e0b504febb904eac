#include "storage/stores/poll_leases.hpp"

namespace postrider::storage {

namespace {

constexpr statement lease{"poll_lease.take", R"(
insert into postrider.poll_lease (bot_id, holder, until_at)
values ($1, $2, postrider.now() + $3::bigint * interval '1 ms')
on conflict (bot_id) do update set holder = excluded.holder, until_at = excluded.until_at
where poll_lease.holder = excluded.holder or poll_lease.until_at <= postrider.now()
returning 1
)"};

constexpr statement release{
    "poll_lease.release", "delete from postrider.poll_lease where bot_id = $1 and holder = $2"};

} // namespace

base::awaitable<base::result<bool>> lease_poll(
    database& db, poll_holder holder, std::chrono::milliseconds length, base::duration deadline
) {
    std::vector<param> params{holder.bot, holder.process, std::int64_t{length.count()}};
    auto taken = co_await db.query(lease, std::move(params), deadline);
    if (!taken) co_return taken.error();
    co_return !taken->empty();
}

base::awaitable<base::result<void>> release_poll(
    database& db, poll_holder holder, base::duration deadline
) {
    std::vector<param> params{holder.bot, holder.process};
    auto released = co_await db.query(release, std::move(params), deadline);
    if (!released) co_return released.error();
    co_return base::result<void>{};
}

} // namespace postrider::storage
