#include "server/views/flow_runs.hpp"

#include "server/views/json_values.hpp"

namespace postrider::server {

namespace {

constexpr storage::statement newest_run_of_each{"flows.last_runs", R"sql(
select distinct on (n.flow) n.flow, n.job_id, n.state, postrider.iso(n.created_at), postrider.iso(n.finished_at), n.degraded
from (select j.input ->> 'flow' as flow, j.job_id, j.state, j.created_at, j.finished_at, coalesce(j.degraded, false) as degraded
      from postrider.job j order by j.job_id desc limit $1::bigint) n
where n.flow is not null
order by n.flow, n.job_id desc)sql"};

} // namespace

std::map<std::string, flow_run, std::less<>> last_flow_runs(storage::transaction& tx) {
    std::map<std::string, flow_run, std::less<>> runs;
    for (auto const& row : tx.query(newest_run_of_each, {jobs_looked_through}))
        runs.emplace(
            row.text(0),
            flow_run{
                row.int64(1),
                row.text(2),
                row.text(3),
                row.optional_text(4).value_or(""),
                row.boolean(5)}
        );
    return runs;
}

boost::json::object flow_run_json(flow_run const& run) {
    return {
        {"job_id", run.job},
        {"state", run.state},
        {"created_at", run.created_at},
        {"finished_at", text_or_null(run.finished_at)},
        {"degraded", run.degraded}};
}

} // namespace postrider::server
