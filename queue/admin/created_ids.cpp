#include "queue/admin/created_ids.hpp"

namespace postrider::queue {

namespace {

// From the oldest block and from the newest one to the first that has a job of the time: a look into
// the index job_created for each. $1 from, $2 until. Both are null where there is no such job.
constexpr storage::statement created_ids{"created_ids", R"sql(
with recursive older(block) as (
    (select j.job_id / 8000 from postrider.job j order by j.job_id desc limit 1)
    union all
    select (select j.job_id / 8000 from postrider.job j where j.job_id < o.block * 8000 order by j.job_id desc limit 1)
    from older o where o.block is not null
), newer(block) as (
    (select j.job_id / 8000 from postrider.job j order by j.job_id limit 1)
    union all
    select (select j.job_id / 8000 from postrider.job j where j.job_id >= (n.block + 1) * 8000 order by j.job_id limit 1)
    from newer n where n.block is not null
)
select (select n.block * 8000 from newer n
        where exists (select from postrider.job j
                      where j.job_id / 8000 = n.block and j.job_id >= n.block * 8000 and j.job_id < (n.block + 1) * 8000
                        and j.created_at >= $1::timestamptz and j.created_at < $2::timestamptz) limit 1),
       (select (o.block + 1) * 8000 from older o
        where exists (select from postrider.job j
                      where j.job_id / 8000 = o.block and j.job_id >= o.block * 8000 and j.job_id < (o.block + 1) * 8000
                        and j.created_at >= $1::timestamptz and j.created_at < $2::timestamptz) limit 1))sql"};

} // namespace

std::optional<id_range> ids_created_between(
    storage::transaction& tx,
    std::optional<base::sys_time> const& from,
    std::optional<base::sys_time> const& until
) {
    id_range range;
    if (!from && !until) return range;
    auto const found = tx.query(
        created_ids,
        {from ? base::to_iso8601(*from, true) : "-infinity",
         until ? base::to_iso8601(*until, true) : "infinity"}
    );
    auto const& bounds = found.front();
    // One statement, one snapshot: both are there, or neither.
    if (bounds.null(0)) return std::nullopt;
    range.first = bounds.id<job_id>(0);
    range.end = bounds.id<job_id>(1);
    return range;
}

} // namespace postrider::queue
