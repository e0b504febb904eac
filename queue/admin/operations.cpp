#include "queue/admin/operations.hpp"

#include "base/json/nul.hpp"
#include "base/names.hpp"
#include "queue/store/sql.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace postrider::queue {

namespace {

namespace json = boost::json;

// $1 the jobs, the rest is the operation's. The lanes' order is the order of locks.
#define POSTRIDER_ON_JOBS(call)                                                                    \
    "select r.job_id, r.scope, r.done, r.state, r.code, r.detail "                                 \
    "from (select n.job_id from unnest($1::bigint[]) n(job_id) "                                   \
    "left join lateral (select j.lane_id from postrider.job j where j.job_id = n.job_id offset 0)" \
    " j on true order by j.lane_id, n.job_id) n "                                                  \
    "cross join lateral " call " r"

constexpr storage::statement cancel_jobs{
    "cancel_jobs", POSTRIDER_ON_JOBS("postrider.job_cancel(n.job_id)")};
constexpr storage::statement roll_back_jobs{
    "roll_back_jobs", POSTRIDER_ON_JOBS("postrider.job_cancel(n.job_id, true)")};
constexpr storage::statement retry_jobs{
    "retry_jobs", POSTRIDER_ON_JOBS("postrider.job_retry(n.job_id, $2::text)")};
constexpr storage::statement restart_jobs{
    "restart_jobs", POSTRIDER_ON_JOBS("postrider.job_restart(n.job_id, $2::text, $3::text)")};
constexpr storage::statement fork_jobs{
    "fork_jobs",
    POSTRIDER_ON_JOBS("postrider.job_fork(n.job_id, $2::text, $3::jsonb, $4::text, $5::boolean)")};
constexpr storage::statement pause_jobs{
    "pause_jobs", POSTRIDER_ON_JOBS("postrider.job_pause(n.job_id)")};
constexpr storage::statement resume_jobs{
    "resume_jobs", POSTRIDER_ON_JOBS("postrider.job_resume(n.job_id)")};
constexpr storage::statement send_events{
    "send_events",
    POSTRIDER_ON_JOBS("postrider.job_send_event(n.job_id, $2::text, $3::jsonb, $4::text)")};

#undef POSTRIDER_ON_JOBS

constexpr storage::statement bound_transaction{
    "bound_transaction", "select postrider.bound_transaction()"};

// All lanes before the first of their rows in lane_run, as an arrival that changes lanes has them.
constexpr storage::statement lock_lanes_of_jobs{"lock_lanes_of_jobs", R"(
select from postrider.lane l
where l.lane_id = any(array(
    select j.lane_id from unnest($1::bigint[]) n(job_id)
    cross join lateral (select j.lane_id from postrider.job j where j.job_id = n.job_id offset 0) j))
order by l.lane_id for no key update
)"};

#define POSTRIDER_RESULT "select job_id, scope, done, state, code, detail from postrider."

constexpr storage::statement lane_forget{"lane_forget", POSTRIDER_RESULT "lane_forget($1)"};
constexpr storage::statement lane_pause{"lane_pause", POSTRIDER_RESULT "lane_pause($1)"};
constexpr storage::statement lane_resume{"lane_resume", POSTRIDER_RESULT "lane_resume($1)"};
constexpr storage::statement lane_send_event{
    "lane_send_event", POSTRIDER_RESULT "lane_send_event($1, $2, $3::jsonb, $4)"};
constexpr storage::statement bot_pause{"bot_pause", POSTRIDER_RESULT "bot_pause($1)"};
constexpr storage::statement bot_resume{"bot_resume", POSTRIDER_RESULT "bot_resume($1)"};
constexpr storage::statement all_pause{"pause_all", POSTRIDER_RESULT "pause_all()"};
constexpr storage::statement all_resume{"resume_all", POSTRIDER_RESULT "resume_all()"};
constexpr storage::statement job_try{
    "job_try", POSTRIDER_RESULT "job_try($1::bigint, $2, $3::jsonb)"};
constexpr storage::statement effect_settle{
    "effect_settle", POSTRIDER_RESULT "effect_settle($1::bigint, $2, $3)"};

#undef POSTRIDER_RESULT

constexpr base::names<operation, 8> operations{{
    {operation::cancel, "cancel"},
    {operation::roll_back, "rollback"},
    {operation::retry, "retry"},
    {operation::restart, "restart"},
    {operation::fork, "fork"},
    {operation::pause, "pause"},
    {operation::resume, "resume"},
    {operation::send_event, "send-event"},
}};

constexpr base::names<effect_settlement, 3> settlements{{
    {effect_settlement::done, "done"},
    {effect_settlement::resend, "resend"},
    {effect_settlement::drop, "drop"},
}};

storage::statement const& statement_of(operation operation) {
    switch (operation) {
    case operation::cancel:
        return cancel_jobs;
    case operation::roll_back:
        return roll_back_jobs;
    case operation::retry:
        return retry_jobs;
    case operation::restart:
        return restart_jobs;
    case operation::fork:
        return fork_jobs;
    case operation::pause:
        return pause_jobs;
    case operation::resume:
        return resume_jobs;
    case operation::send_event:
        return send_events;
    }
    throw std::logic_error("no such operation");
}

storage::param text_or_null(std::optional<std::string> const& text) {
    return text ? storage::param(base::storable(*text)) : storage::param(std::nullopt);
}

storage::param json_param(json::value const& value) {
    if (value.is_null()) return std::nullopt;
    return base::storable_json(value);
}

// What the operation's statement takes behind the jobs.
std::vector<storage::param> details_of(job_operation const& operation) {
    switch (operation.operation) {
    case operation::retry:
        return {text_or_null(operation.version)};
    case operation::restart:
        return {text_or_null(operation.from_step), text_or_null(operation.version)};
    case operation::fork:
        return {
            text_or_null(operation.from_step),
            operation.input ? storage::param(base::storable_json(*operation.input))
                            : storage::param(std::nullopt),
            text_or_null(operation.version),
            operation.answer};
    case operation::send_event:
        return {
            base::storable(operation.event.type),
            json_param(operation.event.payload),
            text_or_null(operation.event.match)};
    default:
        return {};
    }
}

operation_result result_of(storage::row const& r) {
    operation_result result;
    if (auto job = r.optional_int64(0)) result.job = job_id{*job};
    result.scope = r.optional_text(1).value_or("");
    result.done = r.boolean(2);
    result.state = r.optional_text(3).value_or("");
    result.code = r.text(4);
    result.detail = r.optional_text(5).value_or("");
    return result;
}

operation_result result_of(
    storage::transaction& tx,
    storage::statement const& statement,
    std::vector<storage::param> const& parameters
) {
    return result_of(tx.query(statement, parameters).at(0));
}

storage::rows run_on(
    storage::transaction& tx, std::span<job_id const> jobs, job_operation const& operation
) {
    std::vector<storage::param> with{to_array(jobs)};
    if (jobs.size() > 1) {
        tx.query(bound_transaction);
        tx.query(lock_lanes_of_jobs, with);
    }
    std::ranges::move(details_of(operation), std::back_inserter(with));
    return tx.query(statement_of(operation.operation), with);
}

} // namespace

std::string_view to_string(operation operation) noexcept {
    return base::name_of(operations, operation);
}

std::string_view to_string(effect_settlement settlement) noexcept {
    return base::name_of(settlements, settlement);
}

std::vector<job_state> usual_states(operation operation) {
    using enum job_state;
    switch (operation) {
    case operation::retry:
        return {failed};
    case operation::resume:
        return {paused};
    case operation::pause:
        return {available, scheduled, running, waiting, retryable};
    case operation::cancel:
    case operation::roll_back:
        return {available, scheduled, running, waiting, retryable, paused};
    case operation::restart:
    case operation::fork:
    case operation::send_event:
        return {};
    }
    return {};
}

operation_result operate(storage::transaction& tx, job_id job, job_operation const& operation) {
    return result_of(run_on(tx, {&job, 1}, operation).at(0));
}

operation_result try_again(
    storage::transaction& tx,
    job_id job,
    std::string_view from_step,
    boost::json::object const& changes
) {
    return result_of(
        tx, job_try, {job, base::storable(std::string(from_step)), json_param(json::value(changes))}
    );
}

operation_result pause_lane(storage::transaction& tx, std::string_view lane_key) {
    return result_of(tx, lane_pause, {base::storable(std::string(lane_key))});
}

operation_result forget_lane(storage::transaction& tx, std::string_view lane_key) {
    return result_of(tx, lane_forget, {base::storable(std::string(lane_key))});
}

operation_result resume_lane(storage::transaction& tx, std::string_view lane_key) {
    return result_of(tx, lane_resume, {base::storable(std::string(lane_key))});
}

operation_result send_lane_event(
    storage::transaction& tx, std::string_view lane_key, new_event const& event
) {
    return result_of(
        tx,
        lane_send_event,
        {base::storable(std::string(lane_key)),
         base::storable(event.type),
         json_param(event.payload),
         text_or_null(event.match)}
    );
}

operation_result pause_bot(storage::transaction& tx, std::string_view name) {
    return result_of(tx, bot_pause, {base::storable(std::string(name))});
}

operation_result resume_bot(storage::transaction& tx, std::string_view name) {
    return result_of(tx, bot_resume, {base::storable(std::string(name))});
}

operation_result pause_all(storage::transaction& tx) {
    return result_of(tx, all_pause, {});
}

operation_result resume_all(storage::transaction& tx) {
    return result_of(tx, all_resume, {});
}

operation_result settle_effect(
    storage::transaction& tx, job_id job, std::string_view key, effect_settlement settlement
) {
    return result_of(
        tx, effect_settle, {job, base::storable(std::string(key)), to_string(settlement)}
    );
}

std::string to_array(std::span<job_id const> jobs) {
    std::string text = "{";
    for (auto job : jobs) text += (text.size() > 1 ? "," : "") + base::to_string(job);
    return text + "}";
}

bulk_result& bulk_result::operator+=(bulk_result other) {
    done += other.done;
    asked += other.asked;
    std::ranges::move(other.refused, std::back_inserter(refused));
    return *this;
}

bulk_result operate_on(
    storage::transaction& tx, std::span<job_id const> jobs, job_operation const& operation
) {
    bulk_result bulk;
    for (auto const& r : run_on(tx, jobs, operation)) {
        auto result = result_of(r);
        if (!result.done) {
            bulk.refused.push_back(std::move(result));
            continue;
        }
        ++bulk.done;
        if (result.code == "asked") ++bulk.asked;
    }
    return bulk;
}

bulk_result try_on(
    storage::transaction& tx, std::span<job_id const> jobs, job_operation const& operation
) {
    tx.script("savepoint tried");
    bulk_result tried;
    tried.refused = operate_on(tx, jobs, operation).refused;
    tx.script("rollback to savepoint tried");
    return tried;
}

} // namespace postrider::queue
