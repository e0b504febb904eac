// How jobs end when something is wrong with their end, on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

#include <future>
#include <thread>

namespace postrider::tests::ending_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;
using testing::HasSubstr;
using rows = std::vector<storage::write>;

// Every row of it is refused: a lane has a key.
constexpr storage::statement refused_rows{
    "refused_rows",
    "insert into postrider.lane (lane_key) select null from json_to_recordset($1::json) as t(i "
    "int)",
    60};
constexpr storage::statement accepted_rows{
    "accepted_rows",
    "insert into postrider.lane (lane_key) select 'told' from json_to_recordset($1::json) as t(i "
    "int)",
    61};

storage::write refused_row() {
    return {&refused_rows, ""};
}

awaitable<rows> tell(queue::job const&, outcome const&) {
    co_return rows{{&accepted_rows, ""}};
}

awaitable<rows> tell_badly(queue::job const&, outcome const&) {
    co_return rows{refused_row()};
}

awaitable<rows> throw_up(queue::job const&, outcome const&) {
    throw std::runtime_error("cannot tell");
    co_return rows{};
}

awaitable<outcome> end_with_refused_row(workflow& flow, diary& book) {
    co_await flow.try_step("work", {}, [&] {
        flow.spend("work", {10, 20});
        return write_into(book, "work");
    });
    auto ended = outcome::completed("fine");
    ended.writes.push_back(refused_row());
    co_return ended;
}

awaitable<outcome> hold_refused_row(workflow& flow, diary& book) {
    co_await flow.try_step("work", {}, [&] { return write_into(book, "work"); });
    flow.add(refused_row());
    co_return outcome::completed();
}

awaitable<outcome> fail(workflow&) {
    co_return outcome::failed({base::errc::invalid, "broken"});
}

awaitable<outcome> throw_number(workflow&) {
    throw 42;
    co_return outcome::completed();
}

struct ended_job {
    std::string row;
    std::string lanes_told;
};

ended_job run_to_end(world& w, queue::job_kind kind) {
    auto const name = kind.name;
    auto& node = w.start_node({std::move(kind)});
    auto const id = base::to_string(w.enqueue(node, w.make_lane("a"), name).id);
    w.until("select finished_at is not null from postrider.job where job_id = " + id, "t");
    w.until("select count(*) from postrider.busy_lane", "0");
    return {
        .row = w.value(
            "select state || ' ' || run_no || ' ' || coalesce(error_class || ': ' || error, "
            "output #>> '{}') from postrider.job"
        ),
        .lanes_told = w.value("select count(*) from postrider.lane where lane_key = 'told'"),
    };
}

TEST(ending, that_the_database_refuses_fails_the_job_and_keeps_what_was_done) {
    world w;
    diary book;
    auto const ended = run_to_end(
        w,
        {.name = "job",
         .run = [&](workflow& f) { return end_with_refused_row(f, book); },
         .failed = tell}
    );

    EXPECT_THAT(ended.row, HasSubstr("failed 1 internal: the database refused a record"));
    EXPECT_EQ(ended.lanes_told, "1") << "its failure function was called";
    EXPECT_THAT(book, ElementsAre("work"));
    EXPECT_EQ(w.value("select outcome from postrider.step"), "done");
    EXPECT_EQ(w.value("select tokens_in || '/' || tokens_out from postrider.job"), "10/20");
}

TEST(ending, leaves_out_held_rows_that_the_database_refuses) {
    world w;
    diary book;
    auto const ended = run_to_end(
        w,
        {.name = "job",
         .run = [&](workflow& f) { return hold_refused_row(f, book); },
         .failed = tell}
    );

    EXPECT_THAT(ended.row, HasSubstr("failed 1 internal: the database refused a record"));
    EXPECT_EQ(ended.lanes_told, "1");
    EXPECT_THAT(book, ElementsAre("work"));
}

TEST(ending, does_without_a_failure_function_that_throws_or_writes_what_is_refused) {
    for (queue::failure_function const& failed :
         {queue::failure_function(throw_up), queue::failure_function(tell_badly)}) {
        world w;
        auto const ended = run_to_end(w, {.name = "job", .run = fail, .failed = failed});
        EXPECT_EQ(ended.row, "failed 1 invalid: broken");
    }
}

TEST(ending, of_a_job_that_throws_no_exception_is_a_failure) {
    world w;
    auto const ended = run_to_end(w, {.name = "job", .run = throw_number});
    EXPECT_EQ(ended.row, "failed 1 internal: its code threw something that is no exception");
}

awaitable<outcome> say_what_is_no_text(workflow& flow) {
    boost::json::value const said{{"text", std::string_view("a\xFF\0z", 4)}};
    auto told = co_await flow.run("say", {}, [&] { return give(said); });
    co_return outcome::completed(*told);
}

TEST(ending, stores_text_that_is_not_utf8_or_has_a_null_in_it) {
    world w;
    auto const ended = run_to_end(w, {.name = "job", .run = say_what_is_no_text});
    EXPECT_EQ(ended.row, "completed 1 {\"text\": \"a\xEF\xBF\xBD\xEF\xBF\xBDz\"}");
}

awaitable<outcome> sleep_then_work(workflow& flow, diary& book) {
    co_await flow.sleep("night", 1h);
    co_await step(flow, book, "day");
    co_return outcome::completed();
}

// Its code is what kills: it is not called, but whoever waits for the job is told.
// covers: E.14
TEST(ending, of_a_job_whose_lost_runs_are_used_up_is_one_like_any_other) {
    world w;
    diary book;
    auto& node = w.start_node(
        {{.name = "job",
          .run = [&](workflow& f) { return sleep_then_work(f, book); },
          .failed = tell}}
    );
    w.enqueue(node, w.make_lane("a"), "job");
    w.until("select state from postrider.job", "waiting");
    w.execute("insert into postrider.effect (job_id, key, kind, class, state) "
              "select job_id, 'send', 'test.send', 'at_least_once', 'started' from postrider.job");
    w.execute("update postrider.job set lost = 3");
    w.pass("2 hours");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(
        w.value("select error_class || ': ' || error from postrider.job"),
        "lost: its process died in 3 runs"
    );
    EXPECT_THAT(book, ElementsAre());
    EXPECT_EQ(w.value("select count(*) from postrider.lane where lane_key = 'told'"), "1");
    EXPECT_EQ(w.value("select state || flagged from postrider.effect"), "unknowntrue");
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
}

awaitable<outcome> ask_behind(workflow& flow, latch& door) {
    co_await flow.try_step("ask", {}, [&] { return pass_through(door, 1); });
    co_await flow.run("next", {}, [] { return give(2); });
    co_return outcome::completed("all");
}

// covers: E.12
TEST(pause, that_is_withdrawn_while_a_step_runs_leaves_the_job_running) {
    world w;
    latch door(w.io);
    auto& node = w.start_node({{"ask", [&](workflow& f) { return ask_behind(f, door); }}});
    auto const id = base::to_string(w.enqueue(node, w.make_lane("a"), "ask").id);
    w.until([&] { return door.arrived == 1; });
    EXPECT_EQ(w.value("select code from postrider.job_pause(" + id + ")"), "asked");
    node.engine->beat_now();
    auto const beats = node.beats->counts().units;
    w.until([&] { return node.beats->counts().units > beats + 2; });
    auto const heard = node.checkpoints->counts().units;
    w.until([&] { return node.checkpoints->counts().units > heard; });

    EXPECT_EQ(w.value("select code from postrider.job_resume(" + id + ")"), "done");
    door.let_go();

    w.until("select finished_at is not null or state = 'paused' from postrider.job", "t");
    EXPECT_EQ(w.value("select state from postrider.job"), "completed");
    EXPECT_EQ(door.arrived, 1);
}

awaitable<outcome> work_out(workflow& flow, latch& door) {
    for (;;) {
        co_await flow.try_step("ask", {}, [&] { return pass_through(door, 1); });
        co_await flow.record_value("sum", 42);
        queue::commit_with more;
        more.unless_edited = true;
        auto const committed = co_await flow.commit(std::move(more));
        if (committed) co_return outcome::completed();
        flow.start_over();
    }
}

// What was worked out for the older text is not recorded by the pause.
// covers: E.12
TEST(pause, of_a_job_whose_message_was_edited_meanwhile_records_nothing) {
    world w;
    latch door(w.io);
    auto& node = w.start_node({{"ask", [&](workflow& f) { return work_out(f, door); }}});
    auto const id = base::to_string(w.enqueue(node, w.make_lane("a"), "ask").id);
    w.until([&] { return door.arrived == 1; });
    w.execute("update postrider.lane_run set edits = edits + 1");
    EXPECT_EQ(w.value("select code from postrider.job_pause(" + id + ")"), "asked");
    node.engine->beat_now();
    auto const beats = node.beats->counts().units;
    w.until([&] { return node.beats->counts().units > beats + 2; });

    door.let_go();

    w.until("select state from postrider.job", "paused");
    EXPECT_EQ(w.value("select count(*) from postrider.step"), "0");
}

awaitable<void> work_in(workflow& flow, latch& door, std::string scope) {
    (void)co_await flow.run(scope + "/work", {}, [&] { return pass_through(door, 1); });
}

awaitable<outcome> work_side_by_side(workflow& flow, latch& door) {
    std::vector<queue::branch> branches{
        [&] { return work_in(flow, door, "a"); }, [&] { return work_in(flow, door, "b"); }};
    co_await flow.parallel(std::move(branches));
    co_return outcome::completed();
}

// Holds the rows of all lanes locked, so that commits wait, until it is let go.
class held_lanes {
public:
    explicit held_lanes(world& w) {
        std::promise<void> locked;
        holder_ = std::thread([&] {
            w.in_transaction([&](storage::transaction& tx) {
                tx.query(storage::statement{"hold", "select 1 from postrider.lane_run for update"});
                locked.set_value();
                let_go_.get_future().wait();
            });
        });
        locked.get_future().wait();
    }
    ~held_lanes() { let_go(); }

    void let_go() {
        if (!holder_.joinable()) return;
        let_go_.set_value();
        holder_.join();
    }

private:
    std::promise<void> let_go_;
    std::thread holder_;
};

// One branch's commit waits for the lane's row, the other's for the first; then their time is up.
// covers: E.08
TEST(ending, writes_what_commits_held_that_were_cut_off) {
    world w;
    latch door(w.io);
    auto& node = w.start_node({{"work", [&](workflow& f) { return work_side_by_side(f, door); }}});
    queue::new_job job{w.make_lane("a"), "work", nullptr, {}};
    job.deadline = 500ms;
    w.enqueue(node, job);
    w.until([&] { return door.arrived == 2; });
    held_lanes held(w);
    door.let_go();

    w.until("select deadline_at < postrider.now() from postrider.job", "t");
    held.let_go();
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(
        w.value("select string_agg(key, ' ' order by key) from postrider.step"), "a/work b/work"
    );
}

} // namespace

} // namespace postrider::tests::ending_test
