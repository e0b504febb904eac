// What jobs paid: the sum of their steps, each counted once.
#include "queue/admin/operations.hpp"
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::payment_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::operation;
using queue::operation_result;
using queue::outcome;
using queue::step_value;
using queue::workflow;
namespace json = boost::json;

awaitable<step_value> pay(workflow& flow, std::string name) {
    flow.spend(name, {.tokens_in = 10, .tokens_out = 1, .cost_micro = 7});
    return queue::give(json::value(name));
}

// Pays twice, and waits between when it is told to.
awaitable<outcome> paying(workflow& flow, bool& waits) {
    (void)co_await flow.run("first", {}, [&] { return pay(flow, "first"); });
    if (waits) co_await flow.sleep("night", 1h);
    (void)co_await flow.run("second", {}, [&] { return pay(flow, "second"); });
    co_return outcome::completed("done");
}

class payment : public engine_fixture {
protected:
    node& start() {
        return w.start_node({{"paying", [this](workflow& flow) { return paying(flow, waits); }}});
    }
    operation_result operate(job_id job, queue::job_operation operation) {
        operation_result result;
        w.in_transaction([&](storage::transaction& tx) {
            result = queue::operate(tx, job, operation);
        });
        return result;
    }
    void until_state(job_id job, std::string state) {
        w.until("select state from postrider.job where job_id = " + base::to_string(job), state);
    }

    bool waits = true;
};

TEST_F(payment, is_counted_once_in_all_lives_and_forks) {
    waits = false;
    auto& node = start();
    auto const job = w.enqueue(node, w.make_lane("a"), "paying").id;
    until_state(job, "completed");
    auto const paid = [this](job_id by) {
        return w.value(
            "select tokens_in || ' ' || tokens_out || ' ' || cost_micro from postrider.job where "
            "job_id = " +
            base::to_string(by)
        );
    };
    EXPECT_EQ(paid(job), "20 2 14");

    auto const fork = operate(job, {.operation = operation::fork, .from_step = "second"});
    until_state(fork.job.value(), "completed");
    (void)operate(job, {.operation = operation::restart, .from_step = "second"});
    w.until("select restarts || state from postrider.job order by job_id limit 1", "1completed");
    EXPECT_EQ(paid(*fork.job), "10 1 7") << "the first step's money is the original's";
    EXPECT_EQ(paid(job), "30 3 21");
    EXPECT_EQ(
        w.value("select tokens_in || ' ' || (cost = 0.000028) from postrider.cost_daily"), "40 true"
    );
}

TEST_F(payment, of_a_cancelled_job_is_what_its_steps_paid) {
    auto& node = start();
    auto const parked = w.enqueue(node, w.make_lane("a"), "paying").id;
    until_state(parked, "waiting");

    (void)operate(parked, {.operation = operation::cancel});

    EXPECT_EQ(
        w.value(
            "select state || ' ' || tokens_in from postrider.job where job_id = " +
            base::to_string(parked)
        ),
        "cancelled 10"
    );
}

} // namespace
} // namespace postrider::tests::payment_test
