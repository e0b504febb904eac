// When the results of steps are recorded, on a real Postgres.
#include "queue/admin/job_views.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

#include <atomic>

namespace postrider::tests::early_record_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;

awaitable<outcome> ask_in_a_row(workflow& flow, diary& book, latch& door) {
    co_await flow.try_step("a", {}, [&] { return write_into(book, "a"); });
    co_await flow.try_step("b", {}, [&] { return pass_through(door, "b"); });
    co_await flow.try_step("c", {}, [&] { return write_into(book, "c"); });
    co_return outcome::completed();
}

// The process is gone while the second is asked: the first is not asked, and paid for, again.
// covers: E.08
TEST(early_record, is_there_before_anything_else_outside_begins) {
    world w;
    diary book;
    latch stuck(w.io);
    latch open(w.io);
    open.let_go();
    auto& zombie =
        w.start_zombie({{"ask", [&](workflow& f) { return ask_in_a_row(f, book, stuck); }}});
    w.enqueue(zombie, w.make_lane("a"), "ask");
    w.until([&] { return stuck.arrived == 1; });
    EXPECT_EQ(
        w.value("select string_agg(key || ' ' || outcome, ',') from postrider.step"), "a done"
    );

    w.start_node({{"ask", [&](workflow& f) { return ask_in_a_row(f, book, open); }}});
    w.silence_oldest();
    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(book, ElementsAre("a", "c"));
    stuck.let_go();
}

awaitable<void> ask_once(workflow& flow, diary& book, std::string scope) {
    co_await flow.try_step(scope + "/ask", {}, [&] { return write_into(book, scope); });
}

awaitable<void> ask_behind(workflow& flow, latch& door, std::string scope) {
    co_await flow.try_step(scope + "/ask", {}, [&] { return pass_through(door, 1); });
}

awaitable<outcome> ask_side_by_side(workflow& flow, diary& book, latch& door) {
    std::vector<queue::branch> branches{
        [&] { return ask_behind(flow, door, "slow"); },
        [&] { return ask_once(flow, book, "quick"); }};
    co_await flow.parallel(std::move(branches));
    co_return outcome::completed();
}

// covers: E.08
TEST(early_record, of_a_branch_that_has_ended_does_not_wait_for_the_others) {
    world w;
    diary book;
    latch door(w.io);
    auto& node =
        w.start_node({{"ask", [&](workflow& f) { return ask_side_by_side(f, book, door); }}});
    w.enqueue(node, w.make_lane("a"), "ask");
    w.until([&] { return door.arrived == 1; });

    w.until("select key from postrider.step", "quick/ask");

    door.let_go();
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(w.value("select count(*) from postrider.step"), "2");
}

// As `jobs show` lists them: the slow one was begun first and recorded last. Each is dated by its
// own commit, so their times may tell another order.
TEST(early_record, of_steps_is_read_in_the_order_in_which_they_began) {
    world w;
    diary book;
    latch door(w.io);
    auto& node =
        w.start_node({{"ask", [&](workflow& f) { return ask_side_by_side(f, book, door); }}});
    auto const job = w.enqueue(node, w.make_lane("a"), "ask").id;
    w.until("select key from postrider.step", "quick/ask");
    door.let_go();
    w.until("select state from postrider.job", "completed");
    w.execute("update postrider.step set started_at = ended_at where key = 'slow/ask'");

    std::vector<std::string> steps;
    w.in_transaction([&](storage::transaction& tx) {
        auto const details = queue::read_job_details(tx, job);
        for (auto const& step : details->steps) steps.push_back(step.key);
    });

    EXPECT_THAT(steps, ElementsAre("slow/ask", "quick/ask"));
}

awaitable<outcome> decide_and_ask(workflow& flow, diary& book) {
    co_await flow.record_value("now", "noon");
    co_await flow.try_step("ask", {}, [&] { return write_into(book, "ask"); });
    (void)co_await flow.commit();
    co_return outcome::completed();
}

TEST(early_record, costs_no_commit_where_the_next_thing_is_the_commit) {
    world w;
    diary book;
    auto& node = w.start_node({{"ask", [&](workflow& f) { return decide_and_ask(f, book); }}});
    auto const before = node.checkpoints->counts().units;

    w.enqueue(node, w.make_lane("a"), "ask");
    w.until("select state from postrider.job", "completed");
    w.until([&] { return node.engine->counts().busy == 0; }); // its last commit was counted

    EXPECT_EQ(node.checkpoints->counts().units - before, 2u) << "the results and the outcome";
    EXPECT_EQ(w.value("select string_agg(key, ' ' order by seq) from postrider.step"), "now ask");
}

// The system's, put forward by the test. Threads: any.
class shifted_clock final : public base::clock {
public:
    void advance(base::duration by) { offset_ += by.count(); }

    base::sys_time now() const override {
        return base::system_clock().now() +
               std::chrono::duration_cast<std::chrono::microseconds>(offset());
    }
    base::steady_time steady() const override { return base::system_clock().steady() + offset(); }
    // The node's leases do not grow older.
    std::chrono::nanoseconds boot() const override { return base::system_clock().boot(); }

private:
    base::duration offset() const { return base::duration{offset_.load()}; }

    std::atomic<base::duration::rep> offset_{0};
};

// A started node whose engine goes by this clock.
std::unique_ptr<node> start_by(base::clock& clock, world& w, queue::job_kind kind) {
    auto options = w.defaults;
    options.slots = 1;
    options.version = "test";
    auto started = std::make_unique<node>(w.io.executor(), w.url(), options);
    started->engine = queue::make_engine(
        w.io.executor(),
        {*started->checkpoints,
         *started->quick,
         *started->beats,
         *started->db,
         clock,
         base::system_random()},
        options
    );
    started->engine->add(std::move(kind));
    w.io.run(started->engine->start()).value();
    return started;
}

awaitable<outcome> think_in_between(workflow& flow, diary& book, shifted_clock& clock) {
    co_await flow.try_step("first", {}, [&] { return write_into(book, "first"); });
    clock.advance(5s);
    co_await flow.run("second", {}, [&] { return write_into(book, "second"); });
    co_return outcome::completed();
}

TEST(early_record, is_dated_by_the_work_and_not_by_its_commit) {
    world w;
    diary book;
    shifted_clock clock;
    auto const node = start_by(clock, w, {"think", [&](workflow& f) {
                                              return think_in_between(f, book, clock);
                                          }});
    w.enqueue(*node, w.make_lane("a"), "think");
    w.until("select state from postrider.job", "completed");
    w.io.run(node->engine->drain(0s));

    EXPECT_EQ(
        w.value("select b.started_at - a.ended_at >= interval '4 s' and a.ended_at >= a.started_at "
                "from postrider.step a, postrider.step b where a.key = 'first' and b.key = 'second'"
        ),
        "t"
    );
}

awaitable<outcome> work_and_wait(workflow& flow, diary& book, latch& door) {
    co_await step(flow, book, "work");
    co_await flow.run("door", {}, [&] { return pass_through(door, 1); });
    co_return outcome::completed();
}

// The first run began, as the clock has it now, in an hour's time.
// covers: E.08
TEST(record, is_read_although_the_clock_has_stepped_back) {
    world w;
    diary book;
    latch stuck(w.io);
    latch open(w.io);
    open.let_go();
    auto& first =
        w.start_node({{"job", [&](workflow& f) { return work_and_wait(f, book, stuck); }}});
    w.enqueue(first, w.make_lane("a"), "job");
    w.until([&] { return stuck.arrived == 1; });
    w.io.run(first.engine->drain(10ms));
    EXPECT_EQ(w.value("select state || run_no from postrider.job"), "available0");
    w.execute("update postrider.job set started_at = postrider.now() + interval '1 hour'");

    w.start_node({{"job", [&](workflow& f) { return work_and_wait(f, book, open); }}});
    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(book, ElementsAre("work"));
}

} // namespace

} // namespace postrider::tests::early_record_test
