// Branches side by side on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::parallel_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::UnorderedElementsAre;

awaitable<void> write_both(workflow& flow, diary& book, std::string scope) {
    (void)co_await step(flow, book, scope + "/one");
    (void)co_await step(flow, book, scope + "/two");
}

awaitable<void> nap_and_write(
    workflow& flow, diary& book, std::string scope, std::chrono::milliseconds length
) {
    co_await flow.sleep(scope + "/nap", length);
    (void)co_await step(flow, book, scope + "/up");
}

awaitable<void> listen_and_write(workflow& flow, diary& book, std::string scope) {
    queue::awaited_event awaited{scope, std::nullopt, 1h};
    auto heard = co_await flow.wait_for_event(scope + "/heard", std::move(awaited));
    book.push_back(scope + " " + (heard ? "heard" : "missed"));
}

awaitable<queue::step_value> fail_once(int& calls) {
    if (++calls == 1) co_return base::error(base::errc::unavailable, "not now");
    co_return boost::json::value(calls);
}

awaitable<void> try_again_later(workflow& flow, int& calls, std::string scope) {
    base::retry_policy policy;
    policy.delay = 3min;
    (void)co_await flow.run(scope + "/try", policy, [&] { return fail_once(calls); });
}

awaitable<void> pass_and_write(workflow& flow, latch& door, diary& book, std::string scope) {
    (void)co_await flow.run(scope + "/door", {}, [&] { return pass_through(door, 1); });
    (void)co_await step(flow, book, scope + "/after");
}

awaitable<void> fail_as(std::string reason) {
    throw std::runtime_error(reason);
    co_return;
}

awaitable<outcome> side_by_side(workflow& flow, std::vector<queue::branch> branches) {
    co_await flow.parallel(std::move(branches));
    co_return outcome::completed("all");
}

void deliver(world& w, std::string type) {
    w.execute(
        "select postrider.deliver_event(lane_id, null, '" + type +
        "', '1', null) from postrider.lane"
    );
}

// covers: E.07
TEST(parallel, runs_each_branch_to_its_end_and_records_all) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node({{"job", [&](workflow& f) {
                                    return side_by_side(
                                        f,
                                        {[&] { return pass_and_write(f, door, book, "slow"); },
                                         [&] { return write_both(f, book, "quick"); }}
                                    );
                                }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select count(*) from postrider.step", "2");
    EXPECT_THAT(book, ElementsAre("quick/one", "quick/two")) << "while the other still waits";
    door.let_go();
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(w.value("select count(*) from postrider.step where outcome = 'done'"), "4");
    EXPECT_EQ(w.value("select output from postrider.job"), "\"all\"");
}

// covers: E.07
TEST(parallel, parks_the_job_for_the_branch_that_is_due_first) {
    world w;
    diary book;
    auto& node = w.start_node({{"job", [&](workflow& f) {
                                    return side_by_side(
                                        f,
                                        {[&] { return nap_and_write(f, book, "long", 1h); },
                                         [&] { return write_both(f, book, "quick"); },
                                         [&] { return nap_and_write(f, book, "short", 10min); }}
                                    );
                                }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "waiting");
    EXPECT_EQ(w.value("select wait_reason from postrider.job"), "sleep short/nap");
    EXPECT_THAT(book, ElementsAre("quick/one", "quick/two"));

    w.pass("11 minutes");
    w.until("select wait_reason from postrider.job", "sleep long/nap");
    EXPECT_THAT(book, ElementsAre("quick/one", "quick/two", "short/up"));

    w.pass("1 hour");
    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(book, ElementsAre("quick/one", "quick/two", "short/up", "long/up"));
}

// covers: E.07
TEST(parallel, waits_for_several_events_in_any_order) {
    world w;
    diary book;
    auto& node = w.start_node({{"job", [&](workflow& f) {
                                    return side_by_side(
                                        f,
                                        {[&] { return listen_and_write(f, book, "a"); },
                                         [&] { return listen_and_write(f, book, "b"); }}
                                    );
                                }}});
    w.enqueue(node, w.make_lane("lane"), "job");
    w.until("select state from postrider.job", "waiting");
    w.until([&] { return node.engine->counts().busy == 0; });
    EXPECT_EQ(w.value("select count(*) from postrider.wait"), "2");

    deliver(w, "b");
    node.engine->wake();
    w.until([&] { return book == diary{"b heard"}; });
    w.until("select count(*) from postrider.wait", "1");

    deliver(w, "a");
    node.engine->wake();
    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(book, ElementsAre("b heard", "b heard", "a heard")) << "told again by the replay";
    EXPECT_EQ(w.value("select count(*) from postrider.event"), "0");
}

// The event comes after its wait was written and before the job is parked.
// covers: E.07
TEST(parallel, does_not_miss_an_event_that_comes_while_another_branch_works) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node({{"job", [&](workflow& f) {
                                    return side_by_side(
                                        f,
                                        {[&] { return listen_and_write(f, book, "a"); },
                                         [&] { return pass_and_write(f, door, book, "b"); }}
                                    );
                                }}});
    w.enqueue(node, w.make_lane("lane"), "job");
    w.until("select count(*) from postrider.wait", "1");
    w.until([&] { return door.arrived == 1; });
    deliver(w, "a");
    door.let_go();
    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(book, ElementsAre("b/after", "a heard"));
}

// covers: E.07
TEST(parallel, hears_an_event_while_another_branch_is_to_be_tried_again) {
    world w;
    diary book;
    int calls = 0;
    auto& node = w.start_node({{"both", [&](workflow& flow) {
                                    return side_by_side(
                                        flow,
                                        {[&] { return listen_and_write(flow, book, "a"); },
                                         [&] { return try_again_later(flow, calls, "b"); }}
                                    );
                                }}});
    w.enqueue(node, w.make_lane("a"), "both");
    w.until("select state from postrider.job", "retryable");

    deliver(w, "a");
    node.engine->wake();
    w.until("select state || ' ' || run_no from postrider.job", "retryable 2");
    EXPECT_THAT(book, ElementsAre("a heard"));
    EXPECT_EQ(calls, 1) << "its time has not come";

    w.pass("4 min");
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(calls, 2);
}

// covers: E.07
TEST(parallel, ends_with_what_a_branch_throws_and_begins_nothing_new) {
    world w;
    diary book;
    latch door(w.io);
    auto& node = w.start_node({{"job", [&](workflow& f) {
                                    return side_by_side(
                                        f,
                                        {[&] { return pass_and_write(f, door, book, "slow"); },
                                         [&] { return fail_as("broken"); }}
                                    );
                                }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until([&] { return door.arrived == 1; });
    door.let_go();
    w.until("select state from postrider.job", "failed");
    EXPECT_THAT(w.value("select error from postrider.job"), HasSubstr("broken"));
    EXPECT_THAT(book, ElementsAre()) << "the slow branch's next step was not begun";
}

awaitable<void> fail_beside(workflow& flow, diary& book) {
    std::vector<queue::branch> branches{
        [&] { return nap_and_write(flow, book, "inner", 1h); }, [] { return fail_as("broken"); }};
    try {
        co_await flow.parallel(std::move(branches));
    } catch (std::runtime_error const&) {
        book.push_back("caught");
    }
    flow.scope("inner").skip_unasked();
    (void)co_await step(flow, book, "outer/after");
}

// What a branch of a branch throws is its caller's; those beside it are given up, parked or not.
// covers: E.07
TEST(parallel, within_a_branch_gives_what_is_thrown_to_its_caller) {
    world w;
    diary book;
    auto& node = w.start_node({{"job", [&](workflow& f) {
                                    return side_by_side(
                                        f,
                                        {[&] { return fail_beside(f, book); },
                                         [&] { return listen_and_write(f, book, "x"); }}
                                    );
                                }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "waiting");
    EXPECT_THAT(book, ElementsAre("caught", "outer/after"));

    deliver(w, "x");
    node.engine->wake();
    w.until("select finished_at is not null from postrider.job", "t");

    EXPECT_EQ(w.value("select state || coalesce(error, '') from postrider.job"), "completed");
}

// covers: E.08
TEST(parallel, resumes_in_every_branch_after_the_last_recorded_step) {
    world w;
    diary book;
    latch stuck(w.io);
    latch open(w.io);
    open.let_go();
    auto job = [&](latch& door) {
        return [&](workflow& f) {
            return side_by_side(
                f,
                {[&] { return write_both(f, book, "a"); },
                 [&] { return pass_and_write(f, door, book, "b"); }}
            );
        };
    };
    auto& zombie = w.start_zombie({{"job", job(stuck)}});
    w.enqueue(zombie, w.make_lane("a"), "job");
    w.until("select count(*) from postrider.step", "2");
    w.start_node({{"job", job(open)}});
    w.silence_oldest();
    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(book, ElementsAre("a/one", "a/two", "b/after"));
    stuck.let_go();
}

awaitable<outcome> start_over_once(workflow& flow, diary& book) {
    int rounds = 0;
    for (;;) {
        ++rounds;
        (void)co_await step(flow, book, "before");
        auto answer =
            co_await flow.try_step("model", {}, [&] { return write_into(book, "model"); });
        if (rounds == 2) co_return outcome::completed(*answer);
        flow.start_over();
    }
}

// covers: E.07
TEST(start_over, serves_what_this_run_recorded_already) {
    world w;
    diary book;
    auto& node = w.start_node({{"job", [&](workflow& f) { return start_over_once(f, book); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(book, ElementsAre("before", "model"));
    EXPECT_EQ(w.value("select count(*) from postrider.step"), "2");
}

} // namespace

} // namespace postrider::tests::parallel_test
