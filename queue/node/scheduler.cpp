#include "queue/node/scheduler.hpp"

#include "base/fault.hpp"
#include "base/log.hpp"
#include "queue/schedule_plan.hpp"
#include "storage/reachability.hpp"
#include "storage/transact.hpp"

namespace postrider::queue {

namespace {

using namespace std::chrono_literals;
using base::sys_time;
using std::chrono::microseconds;

constexpr auto pause_after_failure = 1s;
// Just after a due time, so that the database's clock has it behind too.
constexpr auto margin = 2ms;
constexpr auto schedule_deadline = 20s;
constexpr int schedules_at_once = 50;
constexpr int timers_at_once = 250;
constexpr auto between_prunes = 1min;
constexpr int keys_per_prune = 2000;

// Microseconds since 1970. A next_at that somebody set to -infinity is due like any other.
constexpr storage::statement take_due{"take_due_schedules", R"(
select name, cron, (extract(epoch from at) * 1000000)::bigint, timezone, missed,
       (extract(epoch from case when next_at is not null then greatest(next_at, 'epoch') end) * 1000000)::bigint,
       (extract(epoch from last_at) * 1000000)::bigint,
       (extract(epoch from postrider.now()) * 1000000)::bigint
from postrider.schedule
where paused_at is null and error is null and (next_at is null or next_at <= postrider.now())
  and ($2::text is null or name = $2)
order by next_at nulls first, name
limit $1::int
for update skip locked
)"};

// A row that another session has locked holds up its own schedule alone, so it is not waited for:
// the others run meanwhile, and it is due again with the next pass.
constexpr storage::statement pass_over_locks{
    "pass_over_locks", "select set_config('lock_timeout', '100ms', true)"};

// A page of what is due, behind a time and a name: rows that stay locked must not fill every page.
constexpr storage::statement due_names{"due_schedules", R"(
select name, coalesce(next_at, '-infinity')
from postrider.schedule
where paused_at is null and error is null and (next_at is null or next_at <= postrider.now())
  and (coalesce(next_at, '-infinity'), name) > ($2::timestamptz, $3)
order by coalesce(next_at, '-infinity'), name
limit $1::int
)"};

constexpr storage::statement run_schedule{"run_schedule", R"(
select postrider.schedule_run($1,
    array(select 'epoch'::timestamptz + t * interval '1 us' from unnest($2::bigint[]) with ordinality as u(t, n) order by n),
    'epoch'::timestamptz + $3::bigint * interval '1 us')
)"};

constexpr storage::statement refuse_schedule{
    "refuse_schedule", "update postrider.schedule set error = $2 where name = $1"};

constexpr storage::statement admit_timers{
    "admit_timers",
    "select ended, last_due, last_job "
    "from postrider.timers_admit($1::int, $2::timestamptz, $3::bigint)"};

constexpr storage::statement prune_job_keys{
    "prune_job_keys", "select last from postrider.job_keys_prune($1, $2::int)"};

// Milliseconds until the next due time within an hour.
constexpr storage::statement next_due{
    "next_due",
    R"(
select t.i, ceil(extract(epoch from least(
    (select case when min(due_at) < 'epoch' then 'epoch' else min(due_at) end from postrider.timer
     where due_at < postrider.now() + interval '1 hour'),
    (select min(greatest(coalesce(next_at, postrider.now()), 'epoch')) from postrider.schedule
     where paused_at is null and error is null
       and (next_at is null or next_at < postrider.now() + interval '1 hour')))
    - postrider.now()) * 1000)::bigint
from json_to_recordset($1::json) as t(i int)
)",
    2};

base::result<schedule_plan> plan_of(storage::row const& due) {
    auto const missed = missed_policy_from_string(due.text(4));
    if (!missed)
        return base::error(base::errc::invalid, "no policy for missed times: " + due.text(4));
    plan_question question;
    question.recurrence = {due.optional_text(1), due.optional_time(2), due.text(3)};
    question.missed = *missed;
    question.next_at = due.optional_time(5);
    question.last_at = due.optional_time(6);
    question.now = due.time(7);
    return plan_schedule(question);
}

std::string time_array(std::vector<sys_time> const& times) {
    std::string text = "{";
    for (auto t : times)
        text += (text.size() > 1 ? "," : "") + std::to_string(t.time_since_epoch().count());
    return text + "}";
}

// One locked schedule. A fault of it is noted in its row and stops no other schedule; a machine
// without zones is no fault of the schedule.
void run_schedule_row(storage::transaction& tx, storage::row const& due, scheduler_pass& pass) {
    auto const& name = due.text(0);
    auto const plan = plan_of(due);
    if (!plan) {
        base::log::warn("schedule.refused", {{"schedule", name}, {"error", plan.error()}});
        if (plan.error() == base::errc::unavailable) {
            ++pass.put_off;
            return;
        }
        tx.query(refuse_schedule, {name, plan.error().detail});
    } else {
        if (plan->missed)
            base::log::warn("schedule.missed", {{"schedule", name}, {"runs", plan->runs.size()}});
        storage::param next = std::nullopt;
        if (plan->next) next = storage::param(plan->next->time_since_epoch().count());
        tx.query(run_schedule, {name, time_array(plan->runs), next});
        pass.runs += static_cast<std::int64_t>(plan->runs.size());
    }
    ++pass.schedules;
}

// What may be wrong with one of a batch's rows, and not with the others.
bool may_be_one_row(base::error const& error) {
    return error == base::errc::poison || error == base::errc::conflict ||
           error == base::errc::timeout;
}

} // namespace

scheduler_pass& scheduler_pass::operator+=(scheduler_pass const& other) {
    schedules += other.schedules;
    put_off += other.put_off;
    runs += other.runs;
    admitted += other.admitted;
    return *this;
}

scheduler::scheduler(
    boost::asio::any_io_executor executor,
    storage::database& db,
    base::clock& clock,
    std::function<void()> admitted
)
    : db_(db),
      clock_(clock),
      wake_(std::move(executor)),
      admitted_(std::move(admitted)) {}

void scheduler::follow(poll& reads) {
    reads_ = &reads;
    reads.add(next_due, {}, [this](storage::rows const& due) { note_next(due); });
}

void scheduler::note_next(storage::rows const& due) {
    due_.reset();
    if (auto left = due.front().optional_int64(1))
        due_ = clock_.steady() + std::max(0ms, std::chrono::milliseconds{*left}) + margin;
    wake_.notify();
}

base::awaitable<void> scheduler::run() {
    auto prune_at = clock_.steady();
    while (true) {
        auto const now = clock_.steady();
        if (due_ && *due_ <= now) {
            due_.reset();
            auto pass = co_await run_due();
            if (pass)
                note_success();
            else
                note_failure(pass.error());
            if (!pass || pass->put_off > 0) due_ = clock_.steady() + pause_after_failure;
            // A row that was due and not found is locked by another session: the next poll tells.
            else if (!pass->idle())
                reads_->now();
        } else if (prune_at <= now) {
            prune_at = now + between_prunes;
            co_await prune_keys();
        } else {
            co_await wake_.wait_for(std::min(prune_at, due_.value_or(prune_at)) - now);
        }
    }
}

base::awaitable<base::result<scheduler_pass>> scheduler::run_due() {
    scheduler_pass pass;
    auto ran = co_await run_schedules(pass);
    // Due jobs are admitted whatever became of the schedules.
    auto admitted = co_await admit(pass);
    if (!ran) co_return ran.error();
    if (!admitted) co_return admitted.error();
    co_return pass;
}

// Normally all that is due in one commit. Where that fails for one of the rows, each by itself, so
// that the row which cannot run stops nobody else.
base::awaitable<base::result<void>> scheduler::run_schedules(scheduler_pass& pass) {
    while (true) {
        auto batch = co_await run_batch(schedules_at_once, std::nullopt);
        if (!batch && may_be_one_row(batch.error())) co_return co_await run_apart(pass);
        if (!batch) co_return batch.error();
        put_off_.clear();
        pass += *batch;
        if (batch->schedules < schedules_at_once) co_return base::result<void>{};
    }
}

base::awaitable<base::result<void>> scheduler::run_apart(scheduler_pass& pass) {
    std::string last_time = "-infinity";
    std::string last_name;
    while (true) {
        std::vector<storage::param> page{schedules_at_once, last_time, last_name};
        auto due = co_await db_.query(due_names, std::move(page), schedule_deadline);
        if (!due) co_return due.error();
        for (auto const& row : *due) {
            last_name = row.text(0);
            last_time = row.text(1);
            auto ran = co_await run_alone(last_name, pass);
            if (!ran) co_return ran.error();
        }
        if (due->size() < schedules_at_once) co_return base::result<void>{};
    }
}

base::awaitable<base::result<void>> scheduler::run_alone(std::string name, scheduler_pass& pass) {
    auto ran = co_await run_batch(1, name);
    if (ran) {
        put_off_.erase(name);
        pass += *ran;
        co_return base::result<void>{};
    }
    if (!may_be_one_row(ran.error())) co_return ran.error();
    if (ran.error() != base::errc::poison) {
        if (put_off_.insert(name).second)
            base::log::warn("schedule.put_off", {{"schedule", name}, {"error", ran.error()}});
        ++pass.put_off;
        co_return base::result<void>{};
    }
    base::log::warn("schedule.refused", {{"schedule", name}, {"error", ran.error()}});
    std::vector<storage::param> refusal{name, ran.error().detail};
    auto refused = co_await db_.query(refuse_schedule, std::move(refusal), schedule_deadline);
    if (!refused) co_return refused.error();
    ++pass.schedules;
    co_return base::result<void>{};
}

// poison: a row that cannot be run, whatever refuses it. conflict: one that is locked.
base::awaitable<base::result<scheduler_pass>> scheduler::run_batch(
    int most, std::optional<std::string> name
) {
    auto work = [most, name](storage::transaction& tx) {
        scheduler_pass batch;
        tx.query(pass_over_locks);
        storage::param const only = name ? storage::param(*name) : storage::param(std::nullopt);
        for (auto const& due : tx.query(take_due, {most, only})) run_schedule_row(tx, due, batch);
        if (batch.schedules > 0) base::fault::point("schedule.before_commit");
        return batch;
    };
    try {
        co_return co_await storage::transact(db_, "schedules", std::move(work), schedule_deadline);
    } catch (storage::database_error const& e) {
        co_return base::error(base::errc::poison, e.what());
    }
}

base::awaitable<base::result<void>> scheduler::admit(scheduler_pass& pass) {
    std::string last_due = "-infinity";
    std::int64_t last_job = 0;
    while (true) {
        std::vector<storage::param> page{timers_at_once, last_due, last_job};
        auto admitted = co_await db_.query(admit_timers, std::move(page), schedule_deadline);
        if (!admitted) co_return admitted.error();
        auto const& row = admitted->front();
        auto const count = row.int64(0);
        pass.admitted += count;
        if (count > 0) admitted_();
        if (row.null(2)) co_return base::result<void>{};
        last_due = row.text(1);
        last_job = row.int64(2);
    }
}

base::awaitable<void> scheduler::prune_keys() {
    std::vector<storage::param> parameters{keys_pruned_to_, keys_per_prune};
    auto pruned = co_await db_.query(prune_job_keys, std::move(parameters), schedule_deadline);
    if (pruned) keys_pruned_to_ = pruned->front().text(0);
    if (!pruned) note_failure(pruned.error());
}

void scheduler::note_failure(base::error const& error) {
    if (outage_.failed(clock_.steady(), storage::tolerated(error)))
        base::log::warn("scheduler.failed", {{"error", error}});
}

void scheduler::note_success() {
    if (auto const lasted = outage_.over(clock_.steady()))
        base::log::info("scheduler.resumed", {{"after", *lasted}});
}

} // namespace postrider::queue
