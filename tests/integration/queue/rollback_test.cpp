// Rollback, and the record that holds the code to its word, on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::rollback_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;
using testing::HasSubstr;

// Two steps that can be undone, then one that fails or waits.
struct trip {
    diary book;
    int undo_failures = 0; // so often the flight cannot be cancelled
    bool refuses = false;  // it never can
    std::function<awaitable<queue::step_value>(workflow&)> last;
};

awaitable<queue::step_value> undo(trip& t, std::string line) {
    t.book.push_back(line);
    if (line == "cancel flight") {
        if (t.refuses) co_return base::error(base::errc::refused, "no refund");
        if (t.undo_failures-- > 0) {
            base::error later{base::errc::unavailable, "closed"};
            later.retry_after = 10min;
            co_return later;
        }
    }
    co_return nullptr;
}

awaitable<outcome> book_trip(workflow& flow, trip& t) {
    co_await step(flow, t.book, "flight");
    flow.on_rollback("flight", [&t] { return undo(t, "cancel flight"); });
    co_await step(flow, t.book, "hotel");
    flow.on_rollback("hotel", [&t] { return undo(t, "cancel hotel"); });
    auto paid = co_await flow.run("pay", {}, [&] { return t.last(flow); });
    if (!paid) co_return outcome::failed(paid.error());
    co_return outcome::completed(*paid);
}

trip that_cannot_pay() {
    trip t;
    t.last = [](workflow&) { return refuse("no money"); };
    return t;
}

// covers: E.07
TEST(rollback, undoes_in_reverse_when_the_job_fails) {
    world w;
    auto t = that_cannot_pay();
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});

    w.enqueue(node, w.make_lane("a"), "trip");
    w.until("select state from postrider.job", "failed");

    EXPECT_THAT(t.book, ElementsAre("flight", "hotel", "cancel hotel", "cancel flight"));
    EXPECT_EQ(w.value("select error_class || ' ' || error from postrider.job"), "refused no money");
    EXPECT_EQ(
        w.value("select string_agg(key, ' ' order by seq) from postrider.step"),
        "flight hotel pay undo:hotel undo:flight"
    );
}

TEST(rollback, does_not_run_when_the_job_completes) {
    world w;
    trip t;
    t.last = [](workflow&) { return give(1); };
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});
    w.enqueue(node, w.make_lane("a"), "trip");
    w.until("select state from postrider.job", "completed");
    EXPECT_THAT(t.book, ElementsAre("flight", "hotel"));
}

// covers: E.07
TEST(rollback, parks_like_any_step_and_never_runs_the_job_on) {
    world w;
    auto t = that_cannot_pay();
    t.undo_failures = 1;
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});
    w.enqueue(node, w.make_lane("a"), "trip");
    w.until("select state from postrider.job", "retryable");
    EXPECT_EQ(w.value("select rolling_back->>'state' from postrider.job"), "failed");

    t.last = [](workflow&) { return give("paid after all"); };
    w.pass("1 hour");
    w.until("select state from postrider.job", "failed");

    EXPECT_THAT(
        t.book, ElementsAre("flight", "hotel", "cancel hotel", "cancel flight", "cancel flight")
    );
    EXPECT_EQ(w.value("select error from postrider.job"), "no money");
}

// covers: E.07
TEST(rollback, tells_what_could_not_be_undone_and_undoes_the_rest) {
    world w;
    auto t = that_cannot_pay();
    t.refuses = true;
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});
    w.enqueue(node, w.make_lane("a"), "trip");
    w.until("select state from postrider.job", "failed");
    EXPECT_EQ(w.value("select error from postrider.job"), "no money; not undone: flight");
}

// covers: E.07 E.12
TEST(rollback, of_a_waiting_job_undoes_what_was_done_and_cancels_it) {
    world w;
    trip t;
    t.last = [](workflow&) -> awaitable<queue::step_value> {
        base::error later{base::errc::unavailable, "the bank sleeps"};
        later.retry_after = 1h;
        co_return later;
    };
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});
    auto const job = base::to_string(w.enqueue(node, w.make_lane("a"), "trip").id);
    w.until("select state from postrider.job", "retryable");

    EXPECT_EQ(w.value("select done from postrider.job_cancel(" + job + ", true)"), "t");
    node.engine->wake();
    w.until("select state from postrider.job", "cancelled");

    EXPECT_THAT(t.book, ElementsAre("flight", "hotel", "cancel hotel", "cancel flight"));
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
}

// covers: E.07 E.12
TEST(rollback, of_a_running_job_waits_for_its_step_and_undoes) {
    world w;
    latch door(w.io);
    trip t;
    t.last = [&](workflow&) { return pass_through(door, 1); };
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});
    auto const job = base::to_string(w.enqueue(node, w.make_lane("a"), "trip").id);
    w.until([&] { return door.arrived == 1; });

    EXPECT_EQ(w.value("select code from postrider.job_cancel(" + job + ", true)"), "asked");
    node.engine->beat_now();
    w.until("select state from postrider.job", "cancelled");

    EXPECT_THAT(t.book, ElementsAre("flight", "hotel", "cancel hotel", "cancel flight"));
}

// covers: E.07
TEST(rollback, is_not_cut_off_by_a_newer_message) {
    world w;
    latch bank(w.io);
    diary book;
    auto refund = [&]() -> awaitable<queue::step_value> {
        book.push_back("refund");
        co_return co_await pass_through(bank, 1);
    };
    auto kind = [&](workflow& flow) -> awaitable<outcome> {
        co_await step(flow, book, "pay");
        flow.on_rollback("pay", refund);
        co_return outcome::failed({base::errc::refused, "out of stock"});
    };
    auto& node = w.start_node({{"order", kind}, {"note", [](workflow&) -> awaitable<outcome> {
                                                     co_return outcome::completed();
                                                 }}});
    auto const lane = w.make_lane("a");
    w.execute("update postrider.lane set mailbox = 'interrupt'");
    w.enqueue(node, lane, "order");
    w.until([&] { return bank.arrived == 1; });
    auto const before = node.checkpoints->counts().units;
    EXPECT_TRUE(w.enqueue(node, lane, "note").interrupts);
    w.until([&] { return node.checkpoints->counts().units >= before + 2; }); // it was asked twice

    bank.let_go();
    w.until("select string_agg(state, ' ' order by job_id) from postrider.job", "failed completed");

    EXPECT_THAT(book, ElementsAre("pay", "refund"));
}

// covers: E.07
TEST(rollback, runs_when_the_deadline_passes) {
    world w;
    latch door(w.io);
    trip t;
    t.last = [&](workflow&) { return pass_through(door, 1); };
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});
    queue::new_job job{w.make_lane("a"), "trip", nullptr, {}};
    job.deadline = 1s;
    w.enqueue(node, std::move(job));
    w.until("select state from postrider.job", "failed");
    EXPECT_THAT(t.book, ElementsAre("flight", "hotel", "cancel hotel", "cancel flight"));
}

// covers: E.07 E.09
TEST(rollback, goes_on_after_its_node_has_died) {
    world w;
    auto t = that_cannot_pay();
    t.undo_failures = 1;
    auto kind = [&](workflow& f) { return book_trip(f, t); };
    auto& zombie = w.start_zombie({{"trip", kind}});
    w.enqueue(zombie, w.make_lane("a"), "trip");
    w.until("select state from postrider.job", "retryable");
    w.start_node({{"trip", kind}});
    w.silence_oldest();
    w.until("select count(*) from postrider.node", "1");

    w.pass("1 hour");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(std::ranges::count(t.book, "cancel hotel"), 1)
        << "what is undone is not undone again";
}

awaitable<outcome> renamed(workflow& flow, diary& book, std::string second) {
    co_await step(flow, book, "first");
    co_await step(flow, book, second);
    co_await flow.sleep("night", 1h);
    co_return outcome::completed();
}

// covers: E.07
TEST(record, that_the_code_does_not_follow_fails_the_job_with_both_orders) {
    world w;
    diary book;
    std::string second = "second";
    auto& node = w.start_node({{"job", [&](workflow& f) { return renamed(f, book, second); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "waiting");

    second = "deuxieme";
    w.pass("61 min");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(w.value("select error_class from postrider.job"), "mismatch");
    EXPECT_EQ(
        w.value("select error from postrider.job"),
        "the record has [first, second, night]; the code asked for [first] and then asks for "
        "deuxieme instead of asking for second"
    );
    EXPECT_THAT(book, ElementsAre("first", "second"))
        << "nothing ran that the record does not know";
}

awaitable<outcome> shortened(workflow& flow, diary& book, bool& whole) {
    co_await step(flow, book, "first");
    if (whole) co_await flow.sleep("night", 1h);
    co_return outcome::completed();
}

// covers: E.07
TEST(record, that_has_more_than_the_code_asks_for_fails_the_job) {
    world w;
    diary book;
    bool whole = true;
    auto& node = w.start_node({{"job", [&](workflow& f) { return shortened(f, book, whole); }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "waiting");
    whole = false;
    w.pass("61 min");
    w.until("select state from postrider.job", "failed");
    EXPECT_THAT(
        w.value("select error from postrider.job"), HasSubstr("ends instead of asking for night")
    );
}

awaitable<outcome> tell(workflow& flow, diary& book, std::string line) {
    co_await step(flow, book, std::move(line));
    co_return outcome::completed();
}

// covers: E.07
TEST(version, of_a_job_is_kept_and_a_newer_one_is_left_to_other_nodes) {
    world w;
    diary book;
    auto old = [&](workflow& f) { return tell(f, book, "old"); };
    auto young = [&](workflow& f) { return tell(f, book, "young"); };
    auto& node = w.start_node({{"job", old, 2}});
    auto const lane = w.make_lane("a");
    auto versioned = [&](int version) {
        queue::new_job job{lane, "job", nullptr, {}};
        job.version = version;
        return job;
    };
    w.enqueue(node, versioned(1));
    w.until("select state || error_class from postrider.job", "failedmismatch");
    w.enqueue(node, versioned(2));
    w.until("select count(*) from postrider.job where state = 'completed'", "1");
    w.enqueue(node, versioned(3));
    w.until("select wait_reason from postrider.busy_lane", "no node here has version 3 of job");
    EXPECT_EQ(
        w.value("select state || run_no from postrider.job order by job_id desc limit 1"),
        "available0"
    );

    w.start_node({{"job", old, 2}, {"job", young, 3}});
    // The old node may take it first, and put it back, any number of times.
    w.until([&] {
        w.pass("1 min");
        return w.value("select count(*) from postrider.job where state = 'completed'") == "2";
    });
    EXPECT_THAT(book, ElementsAre("old", "young"));
}

// A drain puts it back with its record and counts no run.
// covers: E.07 E.12
TEST(rollback, of_a_job_that_was_put_back_undoes_what_it_left) {
    world w;
    latch stuck(w.io);
    trip t;
    t.last = [&](workflow&) { return pass_through(stuck, 1); };
    auto const kind = [&](workflow& f) { return book_trip(f, t); };
    auto& first = w.start_node({{"trip", kind}});
    auto const job = base::to_string(w.enqueue(first, w.make_lane("a"), "trip").id);
    w.until([&] { return stuck.arrived == 1; });
    w.io.run(first.engine->drain(10ms));
    EXPECT_EQ(w.value("select state || run_no from postrider.job"), "available0");

    EXPECT_EQ(w.value("select code from postrider.job_cancel(" + job + ", true)"), "asked");
    w.start_node({{"trip", kind}});
    w.until("select state from postrider.job", "cancelled");

    EXPECT_THAT(t.book, ElementsAre("flight", "hotel", "cancel hotel", "cancel flight"));
}

// Of two words that end a job the last counts, also while its step is being waited for.
// covers: E.07 E.12
TEST(rollback, of_a_job_that_is_being_cancelled_undoes) {
    world w;
    latch door(w.io);
    trip t;
    t.last = [&](workflow&) { return pass_through(door, 1); };
    auto& node = w.start_node({{"trip", [&](workflow& f) { return book_trip(f, t); }}});
    auto const job = base::to_string(w.enqueue(node, w.make_lane("a"), "trip").id);
    w.until([&] { return door.arrived == 1; });
    auto const asked = node.checkpoints->counts().units;
    EXPECT_EQ(w.value("select code from postrider.job_cancel(" + job + ")"), "asked");
    node.engine->beat_now();
    w.until([&] { return node.checkpoints->counts().units > asked; });

    EXPECT_EQ(w.value("select code from postrider.job_cancel(" + job + ", true)"), "asked");
    door.let_go();
    w.until("select state from postrider.job", "cancelled");

    EXPECT_THAT(t.book, ElementsAre("flight", "hotel", "cancel hotel", "cancel flight"));
}

} // namespace

} // namespace postrider::tests::rollback_test
