#pragma once
// Jobs written by hand in any state, in a database of its own, and the operations on them.
#include "queue/admin/operations.hpp"
#include "tests/support/postgres.hpp"

#include <functional>
#include <string>

namespace postrider::tests {

class operations_world {
public:
    // A lane of bot 1 ("main") with that key.
    lane_id lane(std::string const& key);
    // A job as the engine leaves one in that state; its lane's row is there when it is live.
    // Those that have run have the steps "first" (done) and "second" (failed where the job has
    // failed, retried where it is retryable, else done).
    job_id job(lane_id in, std::string const& state);
    job_id job(std::string const& state) { return job(lane("1:5:0"), state); }

    queue::operation_result operate(job_id job, queue::job_operation const& request);
    queue::operation_result operate(job_id job, queue::operation operation) {
        return operate(
            job, queue::job_operation{.operation = operation, .event = {"go", nullptr, {}}}
        );
    }
    // Anything else, in a transaction of its own.
    void in_transaction(std::function<void(storage::transaction&)> work);

    template<class Result>
    Result get(std::function<Result(storage::transaction&)> work) {
        Result result;
        in_transaction([&](storage::transaction& tx) { result = work(tx); });
        return result;
    }

    void execute(std::string const& sql) { database.execute(sql); }
    std::string value(std::string const& sql) { return database.value(sql); }
    // A column, or any expression, of the job's row.
    std::string of(job_id job, std::string const& expression);
    // "key outcome, …" in order, and "key state, …"
    std::string steps(job_id job);
    std::string effects(job_id job);
    void step(job_id job, int seq, std::string const& key, std::string const& outcome);
    void effect(
        job_id job,
        std::string const& key,
        std::string const& effect_class,
        std::string const& state
    );

    test_database database;

private:
    int arrivals_ = 0;
};

} // namespace postrider::tests
