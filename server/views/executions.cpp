#include "server/views/executions.hpp"

#include "base/json/nul.hpp"
#include "queue/store/sql.hpp"

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
    " and ($8::bigint is null or e.job_id < $8)"                                                   \
    " and ($10::text is null or e.degraded_reason = $10)"                                          \
    " order by e.job_id desc limit $9::bigint"

constexpr storage::statement matching_executions{
    "matching_executions", "select e.job_id from postrider.executions e where " POSTRIDER_MATCHES};
// Where no other state is asked for.
constexpr storage::statement failed_executions{
    "failed_executions",
    "select e.job_id from postrider.executions e where e.failed and " POSTRIDER_MATCHES};

#undef POSTRIDER_MATCHES

constexpr storage::statement executions_of{
    "executions_of",
    "select e.job_id, e.flow, e.version, e.current_version, e.trigger, e.trial "
    "from unnest($1::bigint[]) n(job_id) "
    "cross join lateral (select * from postrider.executions e where e.job_id = n.job_id offset 0) "
    "e"};

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

} // namespace

execution_page list_executions(
    storage::transaction& tx,
    execution_filter const& filter,
    std::optional<job_id> before,
    int limit
) {
    bool const failed = !filter.degraded && filter.states == std::vector{queue::job_state::failed};
    std::vector<job_id> jobs;
    for (auto const& r : tx.query(
             failed ? failed_executions : matching_executions,
             {filter_param(filter.flow),
              filter_param(filter.version),
              queue::state_words(filter.states, filter.degraded),
              filter_param(filter.kind),
              filter_param(filter.error_class),
              filter_param(filter.created_after),
              filter_param(filter.created_before),
              before ? storage::param(*before) : storage::param(std::nullopt),
              limit + 1, // one more tells whether there are more
              filter_param(filter.degraded_reason)}
         ))
        jobs.push_back(r.id<job_id>(0));
    execution_page page;
    if (jobs.size() > static_cast<std::size_t>(limit)) {
        jobs.pop_back();
        page.continues = jobs.back();
    }
    page.executions = summaries_of(tx, jobs);
    return page;
}

std::optional<execution_summary> find_execution(storage::transaction& tx, job_id job) {
    auto found = summaries_of(tx, {job});
    if (found.empty()) return std::nullopt;
    return std::move(found.front());
}

} // namespace postrider::server
