// Sleeps, deadlines, and steps that are tried again later, on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::sleep_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;

awaitable<outcome> nap(workflow& flow, diary& book, std::chrono::milliseconds length) {
    co_await step(flow, book, "before");
    co_await flow.sleep("nap", length);
    co_await step(flow, book, "after");
    co_return outcome::completed();
}

// covers: E.07
TEST(sleep, parks_the_job_without_a_slot_and_goes_on_after_it) {
    world w;
    diary book;
    auto& node = w.start_node({{"nap", [&](workflow& f) { return nap(f, book, 1h); }}});

    w.enqueue(node, w.make_lane("a"), "nap");
    w.until("select state from postrider.job", "waiting");
    w.until([&] { return node.engine->counts().busy == 0; });

    EXPECT_EQ(w.value("select wait_reason from postrider.job"), "sleep nap");
    EXPECT_EQ(
        w.value("select due_at = ready_at and due_at > now() + interval '59 min' "
                "from postrider.job join postrider.busy_lane using (lane_id)"),
        "t"
    );
    w.pass("61 min");
    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(book, ElementsAre("before", "after"));
    EXPECT_EQ(
        w.value("select string_agg(key, ' ' order by seq) from postrider.step"), "before nap after"
    );
}

// covers: E.07
TEST(sleep, is_not_shortened_when_something_else_wakes_the_job) {
    world w;
    diary book;
    auto& node = w.start_node({{"nap", [&](workflow& f) { return nap(f, book, 1h); }}});
    w.enqueue(node, w.make_lane("a"), "nap");
    w.until("select state from postrider.job", "waiting");
    auto const end = w.value("select next_at from postrider.step where key = 'nap'");

    w.execute("update postrider.lane_run set ready_at = postrider.now()");
    node.engine->wake();
    w.until("select state || run_no from postrider.job", "waiting2");

    EXPECT_THAT(book, ElementsAre("before"));
    EXPECT_EQ(w.value("select next_at from postrider.step where key = 'nap'"), end);
    EXPECT_EQ(w.value("select due_at > now() + interval '59 min' from postrider.job"), "t");
}

awaitable<outcome> sleeps_till(workflow& flow, base::sys_time when) {
    co_await flow.sleep_until("night", when);
    co_return outcome::completed();
}

// covers: E.07
TEST(sleep, until_an_instant_ends_at_that_instant) {
    world w;
    auto const when = *base::from_iso8601("2100-01-02T03:04:05Z");
    auto& node = w.start_node({{"till", [&](workflow& f) { return sleeps_till(f, when); }}});

    w.enqueue(node, w.make_lane("a"), "till");
    w.until("select state from postrider.job", "waiting");

    EXPECT_EQ(
        w.value(
            "select to_char(due_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI:SS') from postrider.job"
        ),
        "2100-01-02 03:04:05"
    );
    w.pass("100 years");
    w.until("select state from postrider.job", "completed");
}

TEST(sleep, until_an_instant_that_has_passed_is_none) {
    world w;
    auto const when = *base::from_iso8601("2000-01-01T00:00:00Z");
    auto& node = w.start_node({{"till", [&](workflow& f) { return sleeps_till(f, when); }}});

    w.enqueue(node, w.make_lane("a"), "till");
    w.until("select state || run_no from postrider.job", "completed1");
}

// covers: E.07
TEST(sleep, of_milliseconds_keeps_the_coroutine_and_costs_no_commit) {
    world w;
    diary book;
    auto& node = w.start_node({{"nap", [&](workflow& f) { return nap(f, book, 5ms); }}});
    auto const before = node.checkpoints->counts().commits;

    w.enqueue(node, w.make_lane("a"), "nap");
    w.until("select state || run_no from postrider.job", "completed1");
    w.until([&] { return node.engine->counts().busy == 0; }); // its last commit was counted

    EXPECT_EQ(node.checkpoints->counts().commits - before, 3u)
        << "before, after with the nap, the end";
    EXPECT_EQ(w.value("select count(*) from postrider.step where key = 'nap'"), "1");
}

awaitable<outcome> only_nap(workflow& flow) {
    co_await flow.sleep("nap", 20ms);
    co_return outcome::completed();
}

// It is written with what comes after it, which may be long after.
TEST(sleep, of_milliseconds_stands_in_the_record_as_it_was) {
    world w;
    auto& node = w.start_node({{"nap", [&](workflow& f) { return only_nap(f); }}});

    w.enqueue(node, w.make_lane("a"), "nap");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(
        w.value("select s.started_at >= j.started_at and s.next_at <= j.finished_at and "
                "s.next_at - s.started_at >= interval '20 ms' "
                "from postrider.step s join postrider.job j using (job_id)"),
        "t"
    );
}

awaitable<void> nap_in_a_branch(workflow& flow, latch& slept) {
    co_await flow.sleep("nap", 100ms);
    slept.let_go();
}

awaitable<void> work_in_a_branch(workflow& flow, diary& book, latch& slept) {
    co_await step(flow, book, "during");
    co_await flow.run("after", {}, [&] { return pass_through(slept, 1); });
}

awaitable<outcome> nap_beside_work(workflow& flow, diary& book, latch& slept) {
    std::vector<queue::branch> branches;
    branches.push_back([&] { return nap_in_a_branch(flow, slept); });
    branches.push_back([&] { return work_in_a_branch(flow, book, slept); });
    co_await flow.parallel(std::move(branches));
    co_return outcome::completed();
}

TEST(sleep, of_milliseconds_that_is_recorded_meanwhile_ends_when_it_does) {
    world w;
    diary book;
    latch slept(w.io);
    auto& node =
        w.start_node({{"nap", [&](workflow& f) { return nap_beside_work(f, book, slept); }}});

    w.enqueue(node, w.make_lane("a"), "nap");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(
        w.value("select nap.ended_at >= during.ended_at and nap.next_at > nap.ended_at and "
                "nap.next_at - nap.started_at between interval '100 ms' and interval '101 ms' "
                "from postrider.step nap, postrider.step during "
                "where nap.key = 'nap' and during.key = 'during'"),
        "t"
    );
}

// covers: E.07
TEST(sleep, goes_on_after_its_node_has_died) {
    world w;
    diary book;
    auto kind = [&](workflow& f) { return nap(f, book, 1h); };
    auto& zombie = w.start_zombie({{"nap", kind}});
    w.enqueue(zombie, w.make_lane("a"), "nap");
    w.until("select state from postrider.job", "waiting");
    w.start_node({{"nap", kind}});
    w.silence_oldest();
    w.until("select count(*) from postrider.node", "1");

    w.pass("61 min");
    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(book, ElementsAre("before", "after"));
    EXPECT_EQ(w.value("select lost from postrider.job"), "0");
}

awaitable<outcome> endless(workflow& flow, latch& door) {
    auto value = co_await flow.run("wait", {}, [&] { return pass_through(door, 1); });
    co_return outcome::completed(*value);
}

queue::new_job limited(lane_id lane, std::string kind, std::chrono::milliseconds limit) {
    queue::new_job job{lane, std::move(kind), nullptr, {}};
    job.deadline = limit;
    return job;
}

// covers: E.07
TEST(deadline, ends_a_running_job) {
    world w;
    latch door(w.io);
    auto& node = w.start_node({{"endless", [&](workflow& f) { return endless(f, door); }}});

    w.enqueue(node, limited(w.make_lane("a"), "endless", 50ms));
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(
        w.value("select error_class || ': ' || error from postrider.job"),
        "timeout: its deadline has passed"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
    EXPECT_EQ(door.arrived, 1);
}

// covers: E.07
TEST(deadline, wakes_and_ends_a_parked_job) {
    world w;
    diary book;
    auto& node = w.start_node({{"nap", [&](workflow& f) { return nap(f, book, 10h); }}});
    w.enqueue(node, limited(w.make_lane("a"), "nap", 1h));
    w.until("select state from postrider.job", "waiting");
    EXPECT_EQ(w.value("select due_at = deadline_at from postrider.job"), "t");

    w.pass("61 min");
    w.until("select state from postrider.job", "failed");

    EXPECT_THAT(book, ElementsAre("before"));
    EXPECT_EQ(w.value("select error_class from postrider.job"), "timeout");
}

TEST(deadline, does_not_touch_a_job_that_ends_in_time) {
    world w;
    diary book;
    auto& node = w.start_node({{"nap", [&](workflow& f) { return nap(f, book, 1ms); }}});
    w.enqueue(node, limited(w.make_lane("a"), "nap", 60s));
    w.until("select state from postrider.job", "completed");
}

awaitable<queue::step_value> fail_once(int& calls) {
    if (++calls == 1) co_return base::error(base::errc::unavailable, "not now");
    co_return boost::json::value(calls);
}

awaitable<outcome> try_twice(workflow& flow, int& calls) {
    base::retry_policy policy;
    policy.delay = 3min;
    auto value = co_await flow.run("try", policy, [&] { return fail_once(calls); });
    co_return outcome::completed(*value);
}

// covers: E.07
TEST(retry, parks_a_job_that_waits_long_and_holds_no_slot_for_it) {
    world w;
    int calls = 0;
    auto& node = w.start_node({{"job", [&](workflow& flow) { return try_twice(flow, calls); }}});

    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "retryable");
    w.until([&] { return node.engine->counts().busy == 0; });

    EXPECT_EQ(
        w.value("select reason from postrider.waiting_jobs"),
        "step try is tried again (unavailable)"
    );
    EXPECT_EQ(w.value("select ready_at > now() + interval '2 min' from postrider.busy_lane"), "t")
        << "three minutes, less the jitter";

    w.pass("4 min");
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(calls, 2);
    EXPECT_EQ(w.value("select run_no || '/' || lost from postrider.job"), "2/0");
}

// A message, an event or another branch may wake the job.
// covers: E.07
TEST(retry, comes_no_sooner_for_what_wakes_its_job) {
    world w;
    int calls = 0;
    auto& node = w.start_node({{"job", [&](workflow& flow) { return try_twice(flow, calls); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "retryable");

    w.execute("update postrider.lane_run set ready_at = postrider.now()");
    node.engine->wake();
    w.until("select state || ' ' || run_no from postrider.job", "retryable 2");

    EXPECT_EQ(calls, 1);
    EXPECT_EQ(w.value("select ready_at > now() + interval '2 min' from postrider.busy_lane"), "t");
}

} // namespace

} // namespace postrider::tests::sleep_test
