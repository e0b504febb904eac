#include "tests/integration/queue/operations_world.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace postrider::tests {

namespace {

bool live(std::string const& state) {
    return state == "available" || state == "running" || state == "waiting" || state == "retryable";
}

bool over(std::string const& state) {
    return state == "completed" || state == "failed" || state == "cancelled";
}

} // namespace

lane_id operations_world::lane(std::string const& key) {
    execute("insert into postrider.bot (bot_id, name) overriding system value values (1, 'main') "
            "on conflict do nothing");
    execute(
        "insert into postrider.lane (lane_key, bot_id) values ('" + key +
        "', 1) on conflict do nothing"
    );
    return lane_id{
        std::stoll(value("select lane_id from postrider.lane where lane_key = '" + key + "'"))};
}

job_id operations_world::job(lane_id in, std::string const& state) {
    auto const id = std::stoll(value("select nextval('postrider.number')"));
    if (live(state))
        execute(fmt::format(
            "update postrider.lane_run set ready_at = coalesce(ready_at, postrider.now()),"
            " node_id = coalesce(node_id, {2}), epoch = nextval('postrider.number'), arrivals = "
            "{3},"
            " head = coalesce(head, {1}), priority = 2 where lane_id = {0}",
            base::raw(in),
            id,
            state == "running" ? "7" : "null",
            ++arrivals_
        ));
    bool const has_run = state != "scheduled";
    execute(fmt::format(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, "
        "started_at, finished_at, state, kind, run_no, error_class, error, due_at, paused_at, "
        "input)"
        " values ({}, {}, 1, {}, postrider.now() - interval '1 min', {}, {}, '{}', 'work', {}, {}, "
        "{}, {}, {}, '{{\"a\": 1}}')",
        id,
        base::raw(in),
        has_run ? arrivals_ : 0,
        has_run ? "postrider.now()" : "null",
        over(state) ? "postrider.now()" : "null",
        state,
        has_run ? 1 : 0,
        state == "failed" ? "'invalid'" : "null",
        state == "failed" ? "'no'" : "null",
        state == "scheduled" || state == "waiting" || state == "retryable"
            ? "postrider.now() + interval '1 h'"
            : "null",
        state == "paused" ? "postrider.now()" : "null"
    ));
    auto const job = job_id{id};
    if (!has_run) {
        execute(
            "insert into postrider.timer select job_id, due_at from postrider.job "
            "where job_id = " +
            base::to_string(job)
        );
        return job;
    }
    step(job, 1, "first", "done");
    step(job, 2, "second", state == "failed" ? "failed" : state == "retryable" ? "retry" : "done");
    execute(
        "select postrider.lane_refresh(lane_id) from postrider.busy_lane where lane_id = " +
        base::to_string(in)
    );
    return job;
}

queue::operation_result operations_world::operate(job_id job, queue::job_operation const& request) {
    return get<queue::operation_result>([&](storage::transaction& tx) {
        return queue::operate(tx, job, request);
    });
}

void operations_world::in_transaction(std::function<void(storage::transaction&)> work) {
    auto done = storage::run_blocking(database.options(), std::move(work));
    if (!done) throw std::runtime_error(base::to_string(done.error()));
}

std::string operations_world::of(job_id job, std::string const& expression) {
    return value(
        "select " + expression + " from postrider.job where job_id = " + base::to_string(job)
    );
}

std::string operations_world::steps(job_id job) {
    return value(
        "select string_agg(key || ' ' || outcome, ', ' order by seq, key) from postrider.step "
        "where job_id = " +
        base::to_string(job)
    );
}

std::string operations_world::effects(job_id job) {
    return value(
        "select string_agg(key || ' ' || state, ', ' order by key) from postrider.effect "
        "where job_id = " +
        base::to_string(job)
    );
}

// A second apart, in the order of their numbers.
void operations_world::step(
    job_id job, int seq, std::string const& key, std::string const& outcome
) {
    execute(fmt::format(
        "insert into postrider.step (job_id, seq, started_at, ended_at, next_at, node_id, key, "
        "outcome, error_class, error, result)"
        " select {0}, {1}, t, t + interval '100 ms', {4}, 7, '{2}', '{3}', {5}, {6}, '\"{2}\"'"
        " from (select created_at + {1} * interval '1 s' as t from postrider.job where job_id = "
        "{0}) x",
        base::raw(job),
        seq,
        key,
        outcome,
        outcome == "retry" ? "postrider.now() + interval '1 h'" : "null",
        outcome == "done" ? "null" : "'invalid'",
        outcome == "done" ? "null" : "'no'"
    ));
}

// Planned with step "first".
void operations_world::effect(
    job_id job, std::string const& key, std::string const& effect_class, std::string const& state
) {
    execute(fmt::format(
        "insert into postrider.effect (job_id, planned_at, key, kind, class, state, request)"
        " select {0}, created_at + interval '1.2 s', '{1}', 'test.send', '{2}', '{3}', '{{}}'"
        " from postrider.job where job_id = {0}",
        base::raw(job),
        key,
        effect_class,
        state
    ));
}

} // namespace postrider::tests
