#include "queue/admin/job_views.hpp"

#include "base/json/cut.hpp"
#include "base/json/error_data.hpp"
#include "base/sort_by.hpp"
#include "base/utf8.hpp"
#include "queue/store/sql.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>
#include <limits>
#include <set>
#include <tuple>
#include <utility>

namespace postrider::queue {

namespace {

using std::chrono::microseconds;
using namespace std::chrono_literals;

constexpr microseconds overlap = 2s;
constexpr std::size_t deepest_value = 1'000; // Postgres has accepted it
using storage::statement;

#define POSTRIDER_INSTANT(column)                                                                  \
    "to_char(" column " at time zone 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')"

constexpr statement job_summaries{
    "job_summaries",
    "select o.job_id, o.lane_key, o.kind, o.state, o.run_no, o.lost, " //
    POSTRIDER_INSTANT("o.created_at") ", "                             //
    POSTRIDER_INSTANT("o.started_at") ", "                             //
    POSTRIDER_INSTANT("o.finished_at") ", "                            //
    POSTRIDER_INSTANT("o.due_at") ", "                                 //
    POSTRIDER_INSTANT("o.deadline_at")                                 //
    R"sql(, (extract(epoch from o.age) * 1000000)::bigint, o.priority, o.restarts, o.forked_from, o.asked,
       o.waiting_for, o.tokens_in, o.tokens_out, o.error_class, o.error, o.tokens_cached,
       coalesce(o.degraded, false), o.degraded_reason, o.lane_name,
       case when length(o.said) > 200 then left(o.said, 199) || '…' else o.said end, (o.cost * 1000000)::bigint,
       (extract(epoch from o.took) * 1000000)::bigint
from unnest($1::bigint[]) n(job_id)
cross join lateral (select * from postrider.job_overview o where o.job_id = n.job_id offset 0) o
order by o.job_id desc)sql"};

// A value is its beginning, $2 characters of its text at most (null = all of it), and the bytes of the whole.
#define POSTRIDER_CUT(text) "left(" text ", coalesce($2::int, 2147483647)), octet_length(" text ")"

constexpr statement job_values{
    "job_values",
    "select o.said, o.said_by::text, " POSTRIDER_CUT("v.input") ", " POSTRIDER_CUT("v.output")
        R"sql(
from postrider.job j
join postrider.job_overview o using (job_id)
cross join lateral (select j.input::text as input, j.output::text as output offset 0) v
where j.job_id = $1::bigint)sql"};

constexpr statement job_output{
    "job_output", "select output::text from postrider.job where job_id = $1::bigint"};

// Times count from the job's creation, in microseconds; $3 likewise: only what ended after it. Steps
// are numbered as they begin: their times tell the same only as exactly as two clocks meet.
constexpr statement job_steps{"job_steps", R"sql(
select t.seq, t.key, t.attempt, t.outcome,
       (extract(epoch from t.started_at - j.created_at) * 1000000)::bigint,
       (extract(epoch from t.took) * 1000000)::bigint,
       (extract(epoch from t.next_at - j.created_at) * 1000000)::bigint,
       t.error_class, t.error,
       t.model, t.tokens_in, t.tokens_out, t.tokens_cached, (t.cost * 1000000)::bigint, t.error_data,
       )sql" POSTRIDER_CUT("v.result") R"sql(
from postrider.step_timeline t
join postrider.job_overview j using (job_id)
cross join lateral (select t.result::text as result offset 0) v
where t.job_id = $1::bigint
  and ($3::bigint is null or t.ended_at > j.created_at + $3::bigint * interval '1 microsecond')
order by t.seq, t.attempt)sql"};

constexpr statement job_counts{"job_counts", R"sql(
select (select count(*) from postrider.step s where s.job_id = $1::bigint),
       (select count(*) from postrider.effect e where e.job_id = $1::bigint))sql"};

constexpr statement job_effects{
    "job_effects",
    R"sql(
select e.key, e.kind, e.class, e.state, e.flagged, )sql" POSTRIDER_CUT("v.request"
    ) ", " POSTRIDER_CUT("v.result") R"sql(
from postrider.effect e
join postrider.job j using (job_id)
cross join lateral (select e.request::text as request, e.result::text as result offset 0) v
where e.job_id = $1::bigint
  and ($3::bigint is null or e.planned_at > j.created_at + $3::bigint * interval '1 microsecond')
order by e.planned_at, e.key)sql"};

#undef POSTRIDER_CUT

constexpr statement job_waits{
    "job_waits",
    "select w.key, w.type, w.match, " POSTRIDER_INSTANT("w.since"
    ) ", " POSTRIDER_INSTANT("w.until_at"
    ) R"sql(, (extract(epoch from w.since - j.created_at) * 1000000)::bigint
from postrider.wait w
join postrider.job j using (job_id)
where w.job_id = $1::bigint
order by w.until_at, w.key)sql"};

constexpr statement lost_attempts{
    "lost_attempts",
    "select a.run_no, a.key, a.node_id, a.host, " POSTRIDER_INSTANT("a.since"
    ) ", " POSTRIDER_INSTANT("a.beat_at") ", " POSTRIDER_INSTANT("a.lost_at") R"sql(
from postrider.lost_attempts a
where a.job_id = $1::bigint
order by a.lost_at)sql"};

constexpr statement doubtful_effects{
    "doubtful_effects",
    "select e.job_id, e.lane_key, " POSTRIDER_INSTANT("e.planned_at") R"sql(, e.job_state,
       e.key, e.kind, e.class, e.state, e.flagged, e.request::text, e.result::text, e.lane_name
from postrider.effects_in_doubt e
where $1::bigint is null or e.job_id < $1::bigint
order by e.job_id desc, e.key
limit $2::bigint)sql"};

#undef POSTRIDER_INSTANT

storage::param filter_param(std::optional<job_id> job) {
    return job ? storage::param(*job) : storage::param(std::nullopt);
}

std::string text_or_empty(storage::row const& r, std::size_t column) {
    return r.optional_text(column).value_or("");
}

// What cannot be read is told in its place: one value does not hide the rest of its job.
boost::json::value json_at(storage::row const& r, std::size_t column) {
    std::string problem;
    auto value = readable_json(r, column, "this", problem);
    return problem.empty() ? std::move(value) : boost::json::value(problem);
}

using byte_limit = std::optional<std::int64_t>;

// A value's beginning and the bytes of the whole, from `column` on. Where the limit cuts, the rest has
// not left Postgres.
boost::json::value bounded_json(
    storage::row const& r, std::size_t column, byte_limit most, bool& is_cut
) {
    if (!most || r.null(column) || r.int64(column + 1) <= *most) return json_at(r, column);
    is_cut = true;
    auto const text = r.text(column);
    auto const beginning = base::cut_at_character(text, static_cast<std::size_t>(*most));
    auto const whole = static_cast<std::size_t>(r.int64(column + 1));
    boost::json::parse_options limits;
    limits.max_depth = deepest_value;
    return boost::json::parse(base::closed_json(beginning, whole), {}, limits);
}

storage::param limit_param(byte_limit most) {
    if (!most) return std::nullopt;
    return std::min<std::int64_t>(*most, std::numeric_limits<std::int32_t>::max());
}

job_summary summary_of(storage::row const& r) {
    job_summary job;
    job.id = r.int64(0);
    job.lane = r.text(1);
    job.kind = r.text(2);
    job.state = r.text(3);
    job.runs = r.int64(4);
    job.lost = r.int64(5);
    job.created_at = r.text(6);
    job.started_at = text_or_empty(r, 7);
    job.finished_at = text_or_empty(r, 8);
    job.due_at = text_or_empty(r, 9);
    job.deadline_at = text_or_empty(r, 10);
    job.age = microseconds{r.int64(11)};
    job.priority = r.int64(12);
    job.restarts = r.int64(13);
    job.forked_from = r.optional_int64(14);
    job.asked = text_or_empty(r, 15);
    job.waiting_for = text_or_empty(r, 16);
    job.tokens_in = r.optional_int64(17);
    job.tokens_out = r.optional_int64(18);
    job.error_class = text_or_empty(r, 19);
    job.error = text_or_empty(r, 20);
    job.tokens_cached = r.optional_int64(21);
    job.degraded = r.boolean(22);
    job.degraded_reason = text_or_empty(r, 23);
    job.lane_name = r.text(24);
    job.said = r.optional_text(25);
    job.cost_micro = r.optional_int64(26);
    job.took = microseconds{r.int64(27)};
    return job;
}

step_summary step_of(storage::row const& r, byte_limit most = std::nullopt) {
    step_summary step;
    step.number = r.int64(0);
    step.key = r.text(1);
    step.attempt = r.int64(2);
    step.outcome = r.text(3);
    step.begins = microseconds{r.int64(4)};
    step.took = microseconds{r.int64(5)};
    if (auto next = r.optional_int64(6)) step.next = microseconds{*next};
    step.error_class = text_or_empty(r, 7);
    step.error = text_or_empty(r, 8);
    step.model = text_or_empty(r, 9);
    step.paid = payment_of(r, 10);
    step.error_data = json_at(r, 14);
    step.result = bounded_json(r, 15, most, step.result_cut);
    return step;
}

// From the column `first` on, without its values.
effect_summary effect_of(storage::row const& r, std::size_t first) {
    effect_summary effect;
    effect.key = r.text(first);
    effect.kind = r.text(first + 1);
    effect.effect_class = r.text(first + 2);
    effect.state = r.text(first + 3);
    effect.flagged = r.boolean(first + 4);
    return effect;
}

effect_summary effect_of_job(storage::row const& r, byte_limit most = std::nullopt) {
    auto effect = effect_of(r, 0);
    effect.request = bounded_json(r, 5, most, effect.request_cut);
    effect.result = bounded_json(r, 7, most, effect.result_cut);
    return effect;
}

doubtful_effect doubtful_effect_of(storage::row const& r) {
    doubtful_effect doubtful{
        r.int64(0), r.text(1), effect_of(r, 4), r.text(2), r.text(3), r.text(11)};
    doubtful.effect.request = json_at(r, 9);
    doubtful.effect.result = json_at(r, 10);
    return doubtful;
}

wait_summary wait_of(storage::row const& r) {
    auto const begins = microseconds{r.int64(5)};
    return {r.text(0), r.text(1), r.optional_text(2), r.text(3), r.text(4), begins};
}

lost_attempt lost_attempt_of(storage::row const& r) {
    return {
        r.int64(0),
        text_or_empty(r, 1),
        r.int64(2),
        text_or_empty(r, 3),
        text_or_empty(r, 4),
        text_or_empty(r, 5),
        text_or_empty(r, 6)};
}

} // namespace

base::error failure_of(step_summary const& step) {
    auto const code = base::errc_from_string(step.error_class);
    base::error failure(code.value_or(base::errc::internal), step.error);
    base::add_data(failure, step.error_data);
    return failure;
}

std::optional<model_payment> payment_of(storage::row const& r, std::size_t first) {
    if (r.null(first)) return std::nullopt;
    model_payment paid;
    paid.tokens_in = r.int64(first);
    paid.tokens_out = r.optional_int64(first + 1).value_or(0);
    paid.tokens_cached = r.optional_int64(first + 2).value_or(0);
    paid.cost_micro = r.optional_int64(first + 3);
    return paid;
}

job_page list_jobs(
    storage::transaction& tx, job_filter const& filter, std::optional<job_id> before, int limit
) {
    auto ids =
        matching_jobs(tx, filter, before, limit + 1); // one more tells whether there are more
    job_page page;
    if (ids.size() > static_cast<std::size_t>(limit)) {
        ids.pop_back();
        page.continues = ids.back();
    }
    page.jobs = summaries_of(tx, ids);
    return page;
}

std::vector<job_summary> summaries_of(storage::transaction& tx, std::span<job_id const> jobs) {
    std::vector<job_summary> all;
    if (jobs.empty()) return all;
    for (auto const& r : tx.query(job_summaries, {to_array(jobs)})) all.push_back(summary_of(r));
    return all;
}

std::optional<job_details> read_job_details(
    storage::transaction& tx, job_id job, std::optional<std::int64_t> most_bytes
) {
    auto summaries = summaries_of(tx, {&job, 1});
    if (summaries.empty()) return std::nullopt;
    job_details details;
    details.job = std::move(summaries.front());
    auto const most = limit_param(most_bytes);
    for (auto const& r : tx.query(job_values, {job, most})) {
        details.said = r.optional_text(0);
        details.said_by = json_at(r, 1);
        details.input = bounded_json(r, 2, most_bytes, details.input_cut);
        details.output = bounded_json(r, 4, most_bytes, details.output_cut);
    }
    for (auto const& r : tx.query(job_steps, {job, most, std::nullopt}))
        details.steps.push_back(step_of(r, most_bytes));
    for (auto const& r : tx.query(job_effects, {job, most, std::nullopt}))
        details.effects.push_back(effect_of_job(r, most_bytes));
    for (auto const& r : tx.query(job_waits, {job})) details.waits.push_back(wait_of(r));
    for (auto const& r : tx.query(lost_attempts, {job}))
        details.lost_attempts.push_back(lost_attempt_of(r));
    return details;
}

job_summary with_payments(job_details const& job) {
    auto sum = job.job;
    if (!sum.finished_at.empty()) return sum;
    // The row may still have the totals of its ending before a retry.
    sum.tokens_in = sum.tokens_out = sum.tokens_cached = sum.cost_micro = std::nullopt;
    auto const add = [](std::optional<std::int64_t>& total, std::optional<std::int64_t> more) {
        if (more) total = total.value_or(0) + *more;
    };
    for (auto const& step : job.steps) {
        if (!step.paid) continue;
        add(sum.tokens_in, step.paid->tokens_in);
        add(sum.tokens_out, step.paid->tokens_out);
        add(sum.tokens_cached, step.paid->tokens_cached);
        add(sum.cost_micro, step.paid->cost_micro);
    }
    return sum;
}

std::optional<std::size_t> update_job_details(
    storage::transaction& tx, job_id job, job_details& details
) {
    auto const now = summaries_of(tx, {&job, 1});
    if (now.empty() || now.front().restarts != details.job.restarts) return std::nullopt;
    details.job = now.front();
    auto const counts = tx.query(job_counts, {job}).at(0);
    std::size_t read = 0;

    microseconds last{0};
    std::set<std::pair<std::string, std::int64_t>> steps;
    for (auto const& step : details.steps) {
        last = std::max(last, step.begins + step.took);
        steps.emplace(step.key, step.attempt);
    }
    // Steps that ended at about the same time may be committed in another order.
    auto const since = (last - overlap).count();
    for (auto const& r : tx.query(job_steps, {job, std::nullopt, since})) {
        ++read;
        auto step = step_of(r);
        if (steps.emplace(step.key, step.attempt).second) details.steps.push_back(std::move(step));
    }
    base::stable_sort_by(details.steps, [](step_summary const& step) {
        return std::tuple(step.begins, step.number, step.attempt);
    });

    std::set<std::string> effects;
    for (auto const& effect : details.effects) effects.insert(effect.key);
    if (effects.size() < static_cast<std::size_t>(counts.int64(1)))
        for (auto const& r : tx.query(job_effects, {job, std::nullopt, since})) {
            ++read;
            auto effect = effect_of_job(r);
            if (effects.insert(effect.key).second) details.effects.push_back(std::move(effect));
        }

    details.waits.clear();
    for (auto const& r : tx.query(job_waits, {job})) details.waits.push_back(wait_of(r));
    if (auto const output = tx.query(job_output, {job}); !output.empty())
        details.output = json_at(output.front(), 0);
    bool const complete = details.steps.size() >= static_cast<std::size_t>(counts.int64(0)) &&
                          details.effects.size() >= static_cast<std::size_t>(counts.int64(1));
    return complete ? std::optional(read) : std::nullopt;
}

doubtful_effects_page list_effects_in_doubt(
    storage::transaction& tx, std::optional<job_id> before, int limit
) {
    constexpr int most_of_one_job = 200;
    doubtful_effects_page page;
    auto& effects = page.effects;
    for (auto const& r :
         tx.query(doubtful_effects, {filter_param(before), limit + most_of_one_job}))
        effects.push_back(doubtful_effect_of(r));
    auto end = effects.begin() + std::min<std::ptrdiff_t>(limit, std::ssize(effects));
    while (end != effects.begin() && end != effects.end() && end->job == std::prev(end)->job) ++end;
    if (end != effects.end()) page.continues = job_id{std::prev(end)->job};
    effects.erase(end, effects.end());
    return page;
}

} // namespace postrider::queue
