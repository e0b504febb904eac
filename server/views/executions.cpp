#include "server/views/executions.hpp"

#include "base/json/nul.hpp"
#include "queue/admin/created_ids.hpp"
#include "queue/admin/operations.hpp"
#include "queue/store/sql.hpp"

#include <algorithm>
#include <map>

namespace postrider::server {

namespace {

#define POSTRIDER_MATCHES                                                                          \
    "($1::text is null or e.flow = $1) and ($2::bigint is null or e.version = $2)"                 \
    " and ($3::text[] = '{}' or e.state = any($3) or (e.degraded and 'degraded' = any($3)))"       \
    " and ($4::text is null or e.kind = $4)"                                                       \
    " and ($5::text is null or e.error_class = $5)"                                                \
    " and ($6::timestamptz is null or e.created_at >= $6)"                                         \
    " and ($7::timestamptz is null or e.created_at < $7)"                                          \
    " and e.job_id < $8::bigint and e.job_id >= $11::bigint"                                       \
    " and ($10::text is null or e.degraded_reason = $10)"                                          \
    " order by e.job_id desc limit $9::bigint"

constexpr storage::statement matching_executions{
    "matching_executions", "select e.job_id from postrider.executions e where " POSTRIDER_MATCHES};
constexpr storage::statement executions_of_flow{
    "executions_of_flow",
    "select e.job_id from postrider.executions e where e.flow = $1 and " POSTRIDER_MATCHES};
constexpr storage::statement executions_of_error_class{
    "executions_of_error_class",
    "select e.job_id from postrider.executions e where e.error_class = $5 and " POSTRIDER_MATCHES};
// Where no other state is asked for.
constexpr storage::statement failed_executions{
    "failed_executions",
    "select e.job_id from postrider.executions e where e.failed and " POSTRIDER_MATCHES};

// Where only states before the end are asked for: many of them are among the newest jobs.
constexpr storage::statement newest_executions{
    "newest_executions",
    "select e.job_id from (select n.job_id, n.state from postrider.job n where n.job_id < "
    "$8::bigint order by n.job_id desc limit 5000) n "
    "cross join lateral (select * from postrider.executions e where e.job_id = n.job_id offset 0) "
    "e "
    "where n.state = any($3::text[]) and " POSTRIDER_MATCHES};
constexpr storage::statement unfinished_executions{
    "unfinished_executions",
    "select e.job_id from (select j.job_id from postrider.unfinished_jobs() u cross join lateral "
    "(select s.job_id, s.state from postrider.job s where s.job_id = u.job_id offset 0) j "
    "where j.state = any($3::text[]) offset 0) n "
    "cross join lateral (select * from postrider.executions e where e.job_id = n.job_id offset 0) "
    "e where " POSTRIDER_MATCHES};

#undef POSTRIDER_MATCHES

constexpr storage::statement executions_of{
    "executions_of",
    "select e.job_id, e.flow, e.version, e.current_version, e.trigger, e.trial, "
    "coalesce(j.state = 'failed' and j.error_class = 'refused' "
    "and j.output #>> '{error,data,reason}' = 'stopped', false) "
    "from unnest($1::bigint[]) n(job_id) "
    "cross join lateral (select * from postrider.executions e where e.job_id = n.job_id offset 0) "
    "e cross join lateral (select j.state, j.error_class, j.output from postrider.job j "
    "where j.job_id = n.job_id offset 0) j"};

storage::param filter_param(std::string const& text) {
    return text.empty() ? storage::param(std::nullopt) : storage::param(base::storable(text));
}

storage::param filter_param(std::optional<std::int64_t> number) {
    return number ? storage::param(*number) : storage::param(std::nullopt);
}

storage::param filter_param(std::optional<base::sys_time> const& when) {
    return when ? storage::param(base::to_iso8601(*when, true)) : storage::param(std::nullopt);
}

std::vector<execution_summary> summaries_of(
    storage::transaction& tx, std::vector<job_id> const& jobs
) {
    std::map<std::int64_t, execution_summary> by_job;
    for (auto const& r : tx.query(executions_of, {queue::to_array(jobs)})) {
        auto& execution = by_job[r.int64(0)];
        execution.flow = r.text(1);
        execution.version = r.optional_int64(2);
        execution.current_version = r.optional_int64(3);
        execution.trigger = r.text(4);
        execution.trial = r.boolean(5);
        execution.stopped = r.boolean(6);
    }
    std::vector<execution_summary> summaries;
    for (auto& job : queue::summaries_of(tx, jobs)) {
        auto const execution = by_job.find(job.id);
        if (execution == by_job.end()) continue;
        execution->second.job = std::move(job);
        summaries.push_back(std::move(execution->second));
    }
    return summaries;
}

storage::statement const& search_of(execution_filter const& filter) {
    if (!filter.error_class.empty()) return executions_of_error_class;
    if (!filter.degraded && filter.states == std::vector{queue::job_state::failed})
        return failed_executions;
    return filter.flow.empty() ? matching_executions : executions_of_flow;
}

} // namespace

execution_page list_executions(
    storage::transaction& tx,
    execution_filter const& filter,
    std::optional<job_id> before,
    int limit
) {
    queue::plan_for_values(tx);
    auto const ids = queue::ids_created_between(tx, filter.created_after, filter.created_before);
    if (!ids) return {};
    std::vector<storage::param> const with{
        filter_param(filter.flow),
        filter_param(filter.version),
        queue::state_words(filter.states, filter.degraded),
        filter_param(filter.kind),
        filter_param(filter.error_class),
        filter_param(filter.created_after),
        filter_param(filter.created_before),
        before ? std::min(*before, ids->end) : ids->end,
        limit + 1, // one more tells whether there are more
        filter_param(filter.degraded_reason),
        ids->first};
    std::vector<job_id> jobs;
    if (!filter.degraded && queue::are_unfinished(filter.states))
        jobs = queue::newest_or_rare(tx, newest_executions, unfinished_executions, with, limit + 1);
    else
        for (auto const& r : tx.query(search_of(filter), with)) jobs.push_back(r.id<job_id>(0));
    execution_page page;
    if (jobs.size() > static_cast<std::size_t>(limit)) {
        jobs.pop_back();
        page.continues = jobs.back();
    }
    page.executions = summaries_of(tx, jobs);
    return page;
}

std::optional<execution_summary> find_execution(storage::transaction& tx, job_id job) {
    auto summaries = summaries_of(tx, {job});
    if (summaries.empty()) return std::nullopt;
    return std::move(summaries.front());
}

} // namespace postrider::server
