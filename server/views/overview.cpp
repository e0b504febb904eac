#include "server/views/overview.hpp"

#include "queue/job.hpp"
#include "server/views/json_values.hpp"

#include <algorithm>
#include <cmath>

namespace postrider::server {

namespace json = boost::json;

namespace {

// Jobs are read one by one as long as there are no more of them. Of more, those that ended come from
// Postgres' statistics, the others from the lanes with work.
// One more is asked for, which tells whether there are more.
constexpr std::int64_t most_jobs_read = 2'000;
constexpr std::int64_t most_lanes_read = 1'000;
constexpr double seconds_in_a_minute = 60;
constexpr double seconds_in_an_hour = 3'600;

// The last column: seconds since the oldest of them was created.
constexpr storage::statement newest_job_counts{"overview.newest_jobs", R"sql(
with newest as materialized (
    select j.state, j.created_at, j.finished_at from postrider.job j order by j.job_id desc limit $1::bigint)
select n.state, count(*),
       count(*) filter (where n.finished_at > postrider.now() - interval '1 minute'),
       count(*) filter (where n.finished_at > postrider.now() - interval '1 hour'),
       extract(epoch from postrider.now() - min(n.created_at))::float8
from newest n group by n.state)sql"};

// Of lanes that a node leases, and of the others with work.
constexpr storage::statement live_job_counts{"overview.live_jobs", R"sql(
with busy as materialized (
    (select r.lane_id, r.head, true as leased from postrider.lane_run r where r.node_id is not null limit $1::bigint)
    union all
    (select r.lane_id, r.head, false from postrider.lane_run r
     where r.node_id is null and r.ready_at is not null limit $1::bigint))
select j.leased, j.state, count(*)
from (select b.leased, l.state from busy b cross join lateral postrider.live_jobs(b.lane_id, b.head) l
      limit $2::bigint) j
group by j.leased, j.state)sql"};

constexpr storage::statement estimated_job_counts{
    "overview.jobs_about",
    "select state, jobs from postrider.jobs_about where state in ('completed', 'cancelled')"};

constexpr storage::statement lane_counts{"overview.lanes", R"sql(
select (select count(*) from (select from postrider.lane_run where node_id is not null limit $1::bigint) x),
       (select count(*) from (select from postrider.lane_run where node_id is null and ready_at is not null limit $1::bigint) x),
       (select count(*) from postrider.pause)
           + (select count(*) from (select from postrider.lane where paused_at is not null limit $1::bigint) x),
       (select (extract(epoch from postrider.now() - min(x.ready_at)) * 1000)::bigint
        from generate_series(0, 3) p cross join lateral (
            select r.ready_at from postrider.lane_run r
            where r.node_id is null and r.priority = p and r.ready_at <= postrider.now()
            order by r.ready_at limit 1) x))sql"};

constexpr storage::statement time_and_nodes{"overview.nodes", R"sql(
select postrider.iso(postrider.now()),
       count(*), coalesce(sum(n.slots), 0)::bigint, coalesce(sum(n.busy), 0)::bigint
from postrider.node n where n.beat_at > postrider.now() - interval '8 s')sql"};

std::map<std::string, std::int64_t> no_jobs() {
    std::map<std::string, std::int64_t> counts;
    for (auto const state : queue::job_state_names()) counts[std::string(state)] = 0;
    return counts;
}

struct newest_jobs {
    std::map<std::string, std::int64_t> by_state = no_jobs();
    std::int64_t total = 0;
    ended_jobs last_minute;
    ended_jobs last_hour;
    double seconds = 0; // that they reach back
};

newest_jobs read_newest(storage::transaction& tx) {
    newest_jobs newest;
    for (auto const& row : tx.query(newest_job_counts, {most_jobs_read + 1})) {
        auto const state = row.text(0);
        newest.by_state[state] = row.int64(1);
        newest.total += row.int64(1);
        newest.last_minute.finished += row.int64(2);
        newest.last_hour.finished += row.int64(3);
        if (state == "failed") newest.last_minute.failed = row.int64(2);
        if (state == "failed") newest.last_hour.failed = row.int64(3);
        newest.seconds = std::max(newest.seconds, std::stod(row.text(4)));
    }
    return newest;
}

// Of a time that the jobs which were read do not reach back to: as many as if all of it had been so.
ended_jobs extended(ended_jobs const& ended, double seconds, double wanted_seconds) {
    if (seconds <= 0 || seconds >= wanted_seconds) return ended;
    auto const extend = [&](std::int64_t count) {
        return std::llround(static_cast<double>(count) * wanted_seconds / seconds);
    };
    return {extend(ended.finished), extend(ended.failed)};
}

// From the lanes with work, and for more lanes than are read as if the others were like them.
void count_live_jobs(
    storage::transaction& tx, std::int64_t leased_lanes, std::int64_t other_lanes, overview& counted
) {
    auto const share_of = [](std::int64_t lanes) {
        return std::max(1.0, static_cast<double>(lanes) / static_cast<double>(most_lanes_read));
    };
    for (auto const& row : tx.query(live_job_counts, {most_lanes_read, most_counted})) {
        auto const share = share_of(row.boolean(0) ? leased_lanes : other_lanes);
        counted.jobs[row.text(1)] += std::llround(static_cast<double>(row.int64(2)) * share);
    }
}

} // namespace

overview read_overview(storage::transaction& tx) {
    overview counted;
    auto const newest = read_newest(tx);
    counted.total_is_estimate = newest.total > most_jobs_read;
    counted.jobs = counted.total_is_estimate ? no_jobs() : newest.by_state;
    counted.last_minute = newest.last_minute;
    counted.last_hour = newest.last_hour;
    auto const lanes = tx.query(lane_counts, {most_counted}).front();
    counted.paused = lanes.int64(2);
    counted.oldest_wait = lanes.optional_int64(3);
    counted.exceptions = count_exceptions(tx);
    if (counted.total_is_estimate) {
        counted.last_minute = extended(newest.last_minute, newest.seconds, seconds_in_a_minute);
        counted.last_hour = extended(newest.last_hour, newest.seconds, seconds_in_an_hour);
        for (auto const& row : tx.query(estimated_job_counts))
            counted.jobs[row.text(0)] = row.int64(1);
        count_live_jobs(tx, lanes.int64(0), lanes.int64(1), counted);
        counted.jobs["failed"] = counted.exceptions.failed;
        counted.jobs["paused"] = counted.exceptions.paused;
        counted.jobs["scheduled"] = counted.exceptions.scheduled;
    }
    auto const nodes = tx.query(time_and_nodes).front();
    counted.time = nodes.text(0);
    counted.nodes = nodes.int64(1);
    counted.slots = nodes.int64(2);
    counted.running = nodes.int64(3);
    return counted;
}

json::object overview_json(overview const& overview) {
    json::object jobs;
    for (auto const& [state, count] : overview.jobs) jobs[state] = count;
    return {
        {"time", overview.time},
        {"jobs", std::move(jobs)},
        {"total_is_estimate", overview.total_is_estimate},
        {"oldest_wait_ms", or_null(overview.oldest_wait)},
        {"rates",
         {{"finished_last_minute", overview.last_minute.finished},
          {"finished_last_hour", overview.last_hour.finished},
          {"failed_last_minute", overview.last_minute.failed},
          {"failed_last_hour", overview.last_hour.failed}}},
        {"approvals", overview.exceptions.approvals},
        {"questions", overview.exceptions.questions},
        {"effects_in_doubt", overview.exceptions.effects_in_doubt},
        {"undelivered", overview.exceptions.undelivered},
        {"paused", overview.paused},
        {"nodes",
         {{"alive", overview.nodes}, {"slots", overview.slots}, {"running", overview.running}}}};
}

} // namespace postrider::server
