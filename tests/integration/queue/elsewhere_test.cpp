// Jobs that this node cannot run, because it lacks something that they need, on a real Postgres.
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::elsewhere_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;

awaitable<outcome> runs_nowhere(workflow&) {
    throw queue::not_here{"cannot be done anywhere"};
    co_return outcome::completed(nullptr);
}

TEST(jobs_of_elsewhere, end_at_their_deadline_also_here) {
    world w;
    auto& node = w.start_node({{"job", [](workflow& f) { return runs_nowhere(f); }}});
    queue::new_job job;
    job.lane = w.make_lane("a");
    job.kind = "job";
    job.deadline = 100ms;
    w.enqueue(node, job);
    w.until(
        "select state || ' ' || coalesce(error_class, '') from postrider.job", "failed timeout"
    );
}

awaitable<outcome> runs_elsewhere(workflow&, bool const& here) {
    if (!here) throw queue::not_here{"cannot be done here yet"};
    co_return outcome::completed("done");
}

TEST(jobs_of_elsewhere, are_put_back_unharmed) {
    world w;
    bool here = false;
    auto& node = w.start_node({{"job", [&here](workflow& f) { return runs_elsewhere(f, here); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select coalesce(wait_reason, '') from postrider.busy_lane", "cannot be done here yet");
    EXPECT_EQ(w.value("select state || ' ' || run_no from postrider.job"), "available 0");
    // From the second time on it waits for longer than five seconds; then ten more are the others'.
    w.pass("16 s");
    w.until("select ready_at > postrider.now() + interval '6 s' from postrider.busy_lane", "t");
    here = true;
    w.pass("21 s");
    w.until("select state from postrider.job", "completed");
}

TEST(jobs_of_elsewhere, are_left_to_others_first) {
    world w;
    int tries = 0;
    bool here = false;
    bool const anywhere = true;
    auto run = [&](workflow& f) {
        ++tries;
        return runs_elsewhere(f, here);
    };
    auto& without = w.start_node({{"job", run}, {"quick", [&](workflow& f) {
                                                     return runs_elsewhere(f, anywhere);
                                                 }}});
    auto const left = w.enqueue(without, w.make_lane("a"), "job").id;
    w.until("select coalesce(wait_reason, '') from postrider.busy_lane", "cannot be done here yet");

    w.pass("6 s");
    queue::new_job later;
    later.lane = w.make_lane("b");
    later.kind = "quick";
    w.in_transaction([&](storage::transaction& tx) { queue::enqueue(tx, later); });
    w.until("select count(*) from postrider.job where state = 'completed'", "1");
    EXPECT_EQ(tries, 1) << "the claim that found the job after it passed it over";

    here = true;
    w.start_node({{"job", [&](workflow& f) { return runs_elsewhere(f, here); }}});
    w.until("select state from postrider.job where job_id = " + base::to_string(left), "completed");
    EXPECT_EQ(tries, 1);
}

} // namespace
} // namespace postrider::tests::elsewhere_test
