#include "queue/admin/schedules.hpp"

#include "base/json/nul.hpp"
#include "base/names.hpp"
#include "queue/store/sql.hpp"

namespace postrider::queue {

namespace {

using base::sys_time;
using std::chrono::microseconds;

constexpr base::names<overlap_policy, 2> overlap_policies{{
    {overlap_policy::queue, "queue"},
    {overlap_policy::skip, "skip"},
}};

// Times in microseconds since 1970; $1 a name and $2 a kind, null = any; behind the name $3; $4 null = all of them.
constexpr storage::statement read_schedules{"read_schedules", R"(
select name, kind, input::text, lane_key, cron, (extract(epoch from at) * 1000000)::bigint, timezone, missed, overlap,
       (extract(epoch from nullif(next_at, 'infinity')) * 1000000)::bigint, coalesce(next_at = 'infinity', false),
       (extract(epoch from last_at) * 1000000)::bigint, last_job, runs,
       (extract(epoch from paused_at) * 1000000)::bigint, error, time_limit_ms,
       postrider.lane_name(lane_key)
from postrider.schedule
where ($1::text is null or name = $1) and ($2::text is null or kind = $2) and name > $3
order by name limit $4::bigint
)"};

constexpr storage::statement lock_definition{
    "lock_schedule", "select from postrider.schedule where name = $1 for update"};

// $11 true: only where there is none of that name.
constexpr storage::statement write_schedule{"write_schedule", R"(
insert into postrider.schedule (name, kind, input, lane_key, cron, at, timezone, missed, overlap, time_limit_ms)
values ($1, $2, $3::jsonb, $4, $5, 'epoch'::timestamptz + $6::bigint * interval '1 us', $7, $8, $9, $10::bigint)
on conflict (name) do update
set kind = excluded.kind, input = excluded.input, lane_key = excluded.lane_key, cron = excluded.cron,
    at = excluded.at, timezone = excluded.timezone, missed = excluded.missed, overlap = excluded.overlap,
    time_limit_ms = excluded.time_limit_ms
where not $11::boolean
returning name
)"};

constexpr storage::statement lane_exists{
    "lane_exists", "select from postrider.lane where lane_key = $1"};

constexpr storage::statement delete_schedule{
    "delete_schedule", "delete from postrider.schedule where name = $1 returning name"};

constexpr storage::statement set_paused{"set_schedule_paused", R"(
update postrider.schedule
set paused_at = case when $2::boolean then coalesce(paused_at, postrider.now()) end
where name = $1 returning name
)"};

schedule read_schedule(storage::row const& row) {
    queue::schedule schedule;
    schedule.name = row.text(0);
    schedule.kind = row.text(1);
    schedule.input = readable_json(row, 2, "its input", schedule.error);
    schedule.lane_key = row.optional_text(3);
    schedule.recurrence = {row.optional_text(4), row.optional_time(5), row.text(6)};
    schedule.missed = missed_policy_from_string(row.text(7)).value();
    schedule.overlap = overlap_policy_from_string(row.text(8)).value();
    schedule.next_at = row.optional_time(9);
    schedule.ended = row.boolean(10);
    schedule.last_at = row.optional_time(11);
    if (!row.null(12)) schedule.last_job = row.id<job_id>(12);
    schedule.runs = row.int64(13);
    schedule.paused_at = row.optional_time(14);
    if (auto const error = row.optional_text(15)) schedule.error = *error;
    if (auto const limit = row.optional_int64(16))
        schedule.deadline = std::chrono::milliseconds{*limit};
    schedule.lane_name = row.optional_text(17).value_or("");
    return schedule;
}

std::vector<schedule> read(storage::transaction& tx, storage::param name) {
    std::vector<schedule> schedules;
    for (auto const& row :
         tx.query(read_schedules, {std::move(name), std::nullopt, "", std::nullopt}))
        schedules.push_back(read_schedule(row));
    return schedules;
}

storage::param name_param(std::optional<std::string> const& text) {
    return text ? storage::param(*text) : storage::param(std::nullopt);
}

base::error invalid(std::string reason) {
    return {base::errc::invalid, std::move(reason)};
}

// The bounds are those of the table's constraints.
base::result<void> check(schedule const& schedule) {
    if (schedule.name.empty() || schedule.name.size() > 200)
        return invalid("a schedule's name has 1 to 200 bytes");
    if (schedule.kind.empty() || schedule.kind.size() > 200)
        return invalid("a kind of job has 1 to 200 bytes");
    if (schedule.recurrence.cron.has_value() == schedule.recurrence.at.has_value())
        return invalid("a schedule has either a cron expression or one time");
    auto times = next_times(schedule.recurrence, sys_time{}, 1);
    if (!times) return times.error();
    return {};
}

} // namespace

std::string_view to_string(overlap_policy p) noexcept {
    return base::name_of(overlap_policies, p);
}

std::optional<overlap_policy> overlap_policy_from_string(std::string_view name) noexcept {
    return base::named(overlap_policies, name);
}

base::result<void> put_schedule(storage::transaction& tx, schedule const& schedule, bool only_new) {
    if (auto fits = check(schedule); !fits) return fits.error();
    auto const& lane = schedule.lane_key;
    if (lane && !lane->starts_with("schedule:") && tx.query(lane_exists, {*lane}).empty())
        return base::error(
            base::errc::not_found,
            "there is no lane " + *lane + "; a key schedule:… is made when need be"
        );
    std::vector<storage::param> row{
        schedule.name,
        schedule.kind,
        base::storable_json(schedule.input),
        name_param(lane),
        name_param(schedule.recurrence.cron),
        std::nullopt,
        schedule.recurrence.timezone,
        to_string(schedule.missed),
        to_string(schedule.overlap),
        std::nullopt,
        only_new};
    if (schedule.recurrence.at)
        row[5] = storage::param(schedule.recurrence.at->time_since_epoch().count());
    if (schedule.deadline) row[9] = storage::param(std::int64_t{schedule.deadline->count()});
    if (tx.query(write_schedule, row).empty())
        return base::error(
            base::errc::conflict, "there is a schedule " + schedule.name + " already"
        );
    return {};
}

bool remove_schedule(storage::transaction& tx, std::string const& name) {
    return !tx.query(delete_schedule, {name}).empty();
}

bool pause_schedule(storage::transaction& tx, std::string const& name) {
    return !tx.query(set_paused, {name, true}).empty();
}

bool resume_schedule(storage::transaction& tx, std::string const& name) {
    return !tx.query(set_paused, {name, false}).empty();
}

std::optional<schedule> find_schedule(storage::transaction& tx, std::string const& name) {
    auto current = read(tx, name);
    if (current.empty()) return std::nullopt;
    return std::move(current.front());
}

std::optional<schedule> lock_schedule(storage::transaction& tx, std::string const& name) {
    tx.query(lock_definition, {name});
    return find_schedule(tx, name);
}

std::vector<schedule> list_schedules(storage::transaction& tx) {
    return read(tx, std::nullopt);
}

std::vector<schedule> list_schedules(
    storage::transaction& tx,
    std::optional<std::string> const& kind,
    std::string_view after,
    int limit
) {
    std::vector<schedule> schedules;
    for (auto const& row : tx.query(read_schedules, {std::nullopt, name_param(kind), after, limit}))
        schedules.push_back(read_schedule(row));
    return schedules;
}

} // namespace postrider::queue
