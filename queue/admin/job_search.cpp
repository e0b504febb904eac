// Which jobs a filter means. A page is full soon where many match; the rare ones are found by an index, or by the
// lanes that have work.
#include "base/json/nul.hpp"
#include "queue/admin/created_ids.hpp"
#include "queue/admin/operations.hpp"
#include "queue/store/sql.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

namespace postrider::queue {

namespace {

// $1 states, $2 kind, $3 error class, $4 and $5 created from and before, $6 below this id, $7 how
// many, $8 flow, $9 why it is degraded; null and {} do not restrict. $10 from this id on. Bounds of
// ids stand alone: a plan that serves all values reads no further only then.
#define POSTRIDER_MATCHES                                                                          \
    " and ($1::text[] = '{}' or j.state = any($1::text[])"                                         \
    " or (j.degraded and 'degraded' = any($1::text[])))"                                           \
    " and ($2::text is null or j.kind = $2)"                                                       \
    " and ($3::text is null or j.error_class = $3)"                                                \
    " and ($4::timestamptz is null or j.created_at >= $4::timestamptz)"                            \
    " and ($5::timestamptz is null or j.created_at < $5::timestamptz)"                             \
    " and j.job_id < $6::bigint and j.job_id >= $10::bigint"                                       \
    " and ($8::text is null or j.input ->> 'flow' = $8)"                                           \
    " and ($9::text is null or j.degraded_reason = $9)"                                            \
    " order by j.job_id desc limit $7::bigint"

constexpr storage::statement jobs_of_all_lanes{
    "jobs_of_all_lanes", "select j.job_id from postrider.job j where true" POSTRIDER_MATCHES};
// Where no other state is asked for.
constexpr storage::statement failed_jobs{
    "failed_jobs", "select j.job_id from postrider.job j where j.failed" POSTRIDER_MATCHES};
constexpr storage::statement paused_jobs{
    "paused_jobs",
    "select j.job_id "
    "from (select * from postrider.job where paused_at is not null offset 0) j "
    "where true" POSTRIDER_MATCHES};
constexpr storage::statement degraded_jobs{
    "degraded_jobs", "select j.job_id from postrider.job j where j.degraded" POSTRIDER_MATCHES};
constexpr storage::statement jobs_of_error_class{
    "jobs_of_error_class",
    "select j.job_id from postrider.job j where j.error_class = $3" POSTRIDER_MATCHES};
constexpr storage::statement jobs_of_flow{
    "jobs_of_flow",
    "select j.job_id from postrider.job j where j.input ->> 'flow' = $8" POSTRIDER_MATCHES};
// $11 the lane's key.
constexpr storage::statement jobs_of_lane{
    "jobs_of_lane",
    "select j.job_id from postrider.job j "
    "where j.lane_id = (select l.lane_id from postrider.lane l where l.lane_key = "
    "$11)" POSTRIDER_MATCHES};
// $11 a part of the lane's key, which is looked at last.
constexpr storage::statement jobs_of_lanes{
    "jobs_of_lanes",
    "select j.job_id from postrider.job j where (select position($11 in l.lane_key) from "
    "postrider.lane l where l.lane_id = j.lane_id) > 0" POSTRIDER_MATCHES};
// The same where they are few. $11 their ids.
constexpr std::size_t few_lanes = 100;
constexpr storage::statement lanes_by_part{
    "lanes_by_part",
    "select l.lane_id from postrider.lane l where position($1 in l.lane_key) > 0 limit 101"};
constexpr storage::statement jobs_of_few_lanes{
    "jobs_of_few_lanes",
    "select j.job_id from unnest($11::bigint[]) l(lane_id) cross join lateral "
    "(select j.job_id from postrider.job j where j.lane_id = l.lane_id" POSTRIDER_MATCHES
    ") j order by j.job_id desc limit $7::bigint"};
// A page of those that many are of is among the newest.
constexpr storage::statement newest_jobs{
    "newest_jobs",
    "select j.job_id from (select * from postrider.job n where n.job_id < $6::bigint "
    "order by n.job_id desc limit 5000) j "
    "where true" POSTRIDER_MATCHES};
// Where only states before the end are asked for.
constexpr storage::statement unfinished_jobs{
    "unfinished_jobs",
    "select j.job_id from postrider.unfinished_jobs() u cross join lateral "
    "(select * from postrider.job j where j.job_id = u.job_id offset 0) j where "
    "true" POSTRIDER_MATCHES};

#undef POSTRIDER_MATCHES

constexpr storage::statement force_custom_plans{
    "force_custom_plans", "select set_config('plan_cache_mode', 'force_custom_plan', true)"};

storage::param searched_text(std::string const& text) {
    return text.empty() ? storage::param(std::nullopt) : storage::param(base::storable(text));
}

storage::param searched_time(std::optional<base::sys_time> const& time) {
    return time ? storage::param(base::to_iso8601(*time, true)) : storage::param(std::nullopt);
}

std::vector<job_id> ids_found_by(
    storage::transaction& tx,
    storage::statement const& statement,
    std::vector<storage::param> const& with
) {
    std::vector<job_id> jobs;
    for (auto const& r : tx.query(statement, with)) jobs.push_back(r.id<job_id>(0));
    return jobs;
}

std::vector<job_id> jobs_by_lane_text(
    storage::transaction& tx, std::string const& text, std::vector<storage::param> with
) {
    std::string lanes;
    auto const found = tx.query(lanes_by_part, {searched_text(text)});
    for (auto const& r : found) lanes.append(lanes.empty() ? "{" : ",").append(r.text(0));
    if (found.empty()) return {};
    bool const few = found.size() <= few_lanes;
    with.push_back(few ? storage::param(lanes + "}") : searched_text(text));
    return ids_found_by(tx, few ? jobs_of_few_lanes : jobs_of_lanes, with);
}

} // namespace

void plan_for_values(storage::transaction& tx) {
    tx.query(force_custom_plans);
}

std::vector<job_id> newest_or_rare(
    storage::transaction& tx,
    storage::statement const& newest,
    storage::statement const& rare,
    std::vector<storage::param> const& with,
    int limit
) {
    auto const most = static_cast<std::size_t>(limit);
    auto jobs = ids_found_by(tx, newest, with);
    if (jobs.size() >= most) return jobs;
    std::ranges::copy(ids_found_by(tx, rare, with), std::back_inserter(jobs));
    std::ranges::sort(jobs, std::greater{});
    jobs.erase(std::unique(jobs.begin(), jobs.end()), jobs.end());
    if (jobs.size() > most) jobs.resize(most);
    return jobs;
}

bool are_unfinished(std::vector<job_state> const& states) {
    using enum job_state;
    return !states.empty() && std::ranges::none_of(states, [](job_state state) {
        return state == completed || state == failed || state == cancelled;
    });
}

std::string state_words(std::vector<job_state> const& states, bool degraded) {
    std::string text = "{";
    for (auto state : states) text.append(text.size() > 1 ? "," : "").append(to_string(state));
    if (degraded) text += text.size() > 1 ? ",degraded" : "degraded";
    return text + "}";
}

std::vector<job_id> matching_jobs(
    storage::transaction& tx, job_filter const& filter, std::optional<job_id> before, int limit
) {
    plan_for_values(tx);
    auto const ids = ids_created_between(tx, filter.created_after, filter.created_before);
    if (!ids) return {};
    std::vector<storage::param> with{
        state_words(filter.states, filter.degraded),
        searched_text(filter.kind),
        searched_text(filter.error_class),
        searched_time(filter.created_after),
        searched_time(filter.created_before),
        before ? std::min(*before, ids->end) : ids->end,
        limit,
        searched_text(filter.flow),
        searched_text(filter.degraded_reason),
        ids->first};
    if (!filter.lane.empty()) {
        if (filter.lane.find(filter.lane_text) == filter.lane.npos) return {};
        with.push_back(searched_text(filter.lane));
        return ids_found_by(tx, jobs_of_lane, with);
    }
    if (!filter.lane_text.empty()) return jobs_by_lane_text(tx, filter.lane_text, std::move(with));
    if (!filter.degraded && are_unfinished(filter.states))
        return filter.states == std::vector{job_state::paused}
                   ? ids_found_by(tx, paused_jobs, with)
                   : newest_or_rare(tx, newest_jobs, unfinished_jobs, with, limit);
    if (!filter.error_class.empty()) return ids_found_by(tx, jobs_of_error_class, with);
    if (filter.states.empty() && (filter.degraded || !filter.degraded_reason.empty()))
        return ids_found_by(tx, degraded_jobs, with);
    if (!filter.degraded && filter.states == std::vector{job_state::failed})
        return ids_found_by(tx, failed_jobs, with);
    if (!filter.flow.empty()) return ids_found_by(tx, jobs_of_flow, with);
    return ids_found_by(tx, jobs_of_all_lanes, with);
}

} // namespace postrider::queue
