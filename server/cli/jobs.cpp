// `jobs list` and `jobs show`: read-only, over the documented views.
#include "base/clock.hpp"
#include "server/cli/command.hpp"
#include "server/cli/job_report.hpp"
#include "server/cli/table.hpp"
#include "server/local_database.hpp"

#include <boost/json/serialize.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

using storage::statement;

// Newest first. $1 state and $2 lane key, each "" = any; $3 how many.
constexpr statement list_jobs{"cli.list_jobs", R"sql(
select job_id, lane_key, kind, state, run_no, lost,
       to_char(created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       (extract(epoch from age) * 1000000)::bigint,
       tokens_in, tokens_out, error_class, error
from postrider.job_overview
where ($1 = '' or state = $1) and ($2 = '' or lane_key = $2)
order by job_id desc
limit $3::int)sql"};

constexpr statement one_job{"cli.one_job", R"sql(
select o.job_id, o.lane_key, o.kind, o.state, o.run_no, o.lost,
       to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'),
       (extract(epoch from o.age) * 1000000)::bigint,
       o.tokens_in, o.tokens_out, o.error_class, o.error,
       j.input::text, j.output::text, w.reason
from postrider.job_overview o
join postrider.job j using (job_id)
left join postrider.waiting_jobs w using (job_id)
where o.job_id = $1::bigint)sql"};

// Times count from the job's creation, in microseconds.
constexpr statement job_steps{"cli.job_steps", R"sql(
select t.seq, t.key, t.attempt, t.outcome,
       (extract(epoch from t.started_at - j.created_at) * 1000000)::bigint,
       (extract(epoch from t.took) * 1000000)::bigint,
       (extract(epoch from t.next_at - j.created_at) * 1000000)::bigint,
       t.error_class, t.error, t.result::text
from postrider.step_timeline t
join postrider.job_overview j using (job_id)
where t.job_id = $1::bigint
order by t.seq, t.attempt)sql"};

constexpr statement job_effects{"cli.job_effects", R"sql(
select e.key, e.kind, e.class, e.state, e.flagged, e.request::text, e.result::text
from postrider.effect e
where e.job_id = $1::bigint
order by e.planned_at, e.key)sql"};

boost::json::value json_or_null(storage::row const& r, std::size_t column) {
    return r.null(column) ? boost::json::value{} : r.json(column);
}

job_line line_of(storage::row const& r) {
    job_line job;
    job.id = r.int64(0);
    job.lane = r.text(1);
    job.kind = r.text(2);
    job.state = r.text(3);
    job.runs = r.int64(4);
    job.lost = r.int64(5);
    job.created_at = r.text(6);
    job.age = std::chrono::microseconds{r.int64(7)};
    job.tokens_in = r.optional_int64(8);
    job.tokens_out = r.optional_int64(9);
    job.error_class = r.optional_text(10).value_or("");
    job.error = r.optional_text(11).value_or("");
    return job;
}

step_line step_of(storage::row const& r) {
    step_line step;
    step.number = r.int64(0);
    step.key = r.text(1);
    step.attempt = r.int64(2);
    step.outcome = r.text(3);
    step.begins = std::chrono::microseconds{r.int64(4)};
    step.took = std::chrono::microseconds{r.int64(5)};
    if (auto next = r.optional_int64(6)) step.next = std::chrono::microseconds{*next};
    step.error_class = r.optional_text(7).value_or("");
    step.error = r.optional_text(8).value_or("");
    step.result = json_or_null(r, 9);
    return step;
}

effect_line effect_of(storage::row const& r) {
    return {
        r.text(0),
        r.text(1),
        r.text(2),
        r.text(3),
        r.boolean(4),
        json_or_null(r, 5),
        json_or_null(r, 6)};
}

job_report report_of(storage::transaction& tx, storage::row const& r) {
    job_report report;
    report.job = line_of(r);
    report.input = json_or_null(r, 12);
    report.output = json_or_null(r, 13);
    report.waits_for = r.optional_text(14).value_or("");
    for (auto const& step : tx.query(job_steps, {report.job.id}))
        report.steps.push_back(step_of(step));
    for (auto const& effect : tx.query(job_effects, {report.job.id}))
        report.effects.push_back(effect_of(effect));
    return report;
}

} // namespace

int jobs_list(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider jobs");
    if (!db) return fail(in, "open the database", db.error());
    std::vector<job_line> jobs;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        for (auto const& r : tx.query(list_jobs, {in.args.state, in.args.lane, in.args.limit}))
            jobs.push_back(line_of(r));
    });
    if (!read) return fail(in, "read the jobs", read.error());
    if (in.args.json)
        in.out << boost::json::serialize(to_json(jobs)) << '\n';
    else if (jobs.empty())
        in.err << "No job matches.\n";
    else
        in.out << to_text(jobs);
    return 0;
}

int jobs_show(context const& in) {
    auto db = server::open_local_database(in.configured.values, "postrider jobs");
    if (!db) return fail(in, "open the database", db.error());
    std::optional<job_report> report;
    auto read = storage::run_blocking(db->options, [&](storage::transaction& tx) {
        auto found = tx.query(one_job, {in.args.job});
        if (!found.empty()) report = report_of(tx, found.front());
    });
    if (!read) return fail(in, "read the job", read.error());
    if (!report) {
        in.err << fmt::format(
            "postrider: there is no job {}; `postrider jobs list` shows the newest.\n", in.args.job
        );
        return 1;
    }
    in.out << (in.args.json ? boost::json::serialize(to_json(*report)) + "\n" : to_text(*report));
    return 0;
}

} // namespace postrider::cli
