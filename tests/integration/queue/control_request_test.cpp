// What a running job can be asked from outside, on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::control_request_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;
using testing::ElementsAre;

awaitable<outcome> two_doors(workflow& flow, diary& book, latch& door) {
    co_await step(flow, book, "first");
    auto value = co_await flow.run("door", {}, [&] { return pass_through(door, 1); });
    co_await step(flow, book, "last");
    co_return outcome::completed(*value);
}

// An effect, and a step behind it.
awaitable<outcome> act(workflow& flow, diary& book, latch& door) {
    queue::commit_with decided;
    decided.effects.push_back({.key = "send", .kind = "test.send", .request = nullptr});
    (void)co_await flow.commit(std::move(decided));
    (void)co_await flow.perform("send", {}, [&] { return pass_through(door); });
    co_await step(flow, book, "last");
    co_return outcome::completed();
}

struct scene {
    world w;
    diary book;
    latch door{w.io};
    tests::node* node = nullptr;
    std::string job;

    // A job that waits in its second step.
    explicit scene(base::duration grace = 50ms) {
        w.defaults.cancel_grace = std::chrono::duration_cast<std::chrono::milliseconds>(grace);
        node = &w.start_node({{"job", [this](workflow& f) { return two_doors(f, book, door); }}});
        job = base::to_string(w.enqueue(*node, w.make_lane("a"), "job").id);
        w.until([this] { return door.arrived == 1; });
    }

    std::string call(std::string function) {
        return w.value("select code from postrider." + function);
    }

    void expect_state(std::string state) {
        w.until("select state from postrider.job where job_id = " + job, state);
    }
};

// covers: E.12
TEST(control_request, to_cancel_is_met_at_the_end_of_the_step) {
    scene s;
    EXPECT_EQ(s.call("job_cancel(" + s.job + ")"), "asked");
    s.door.let_go();
    s.expect_state("cancelled");
    EXPECT_THAT(s.book, ElementsAre("first"));
    EXPECT_EQ(s.w.value("select outcome from postrider.step where key = 'door'"), "done")
        << "what was done is recorded";
    EXPECT_EQ(s.w.value("select count(*) from postrider.busy_lane"), "0");
}

// covers: E.12
TEST(control_request, to_cancel_cuts_the_step_off_at_once) {
    scene s(1h);
    EXPECT_EQ(s.call("job_cancel(" + s.job + ")"), "asked");
    s.node->engine->beat_now();
    s.expect_state("cancelled");
    EXPECT_EQ(s.w.value("select count(*) from postrider.step where key = 'door'"), "0");
    s.w.until([&] { return s.node->engine->counts().busy == 0; });
}

// Nobody could tell what there is to undo.
// covers: E.12
TEST(control_request, to_roll_back_gives_the_step_time_to_end) {
    scene s(1h);
    auto const other = base::to_string(s.w.enqueue(*s.node, s.w.make_lane("b"), "job").id);
    s.w.until([&] { return s.door.arrived == 2; });
    EXPECT_EQ(s.call("job_cancel(" + s.job + ", true)"), "asked");
    EXPECT_EQ(s.call("job_cancel(" + other + ")"), "asked");
    s.node->engine->beat_now();
    s.w.until("select state from postrider.job where job_id = " + other, "cancelled");
    EXPECT_EQ(s.door.inside, 1) << "its node has heard of both";

    s.door.let_go();
    s.expect_state("cancelled");
    EXPECT_EQ(
        s.w.value("select outcome from postrider.step where key = 'door' and job_id = " + s.job),
        "done"
    );
}

struct acting_scene {
    world w;
    diary book;
    latch door{w.io};
    tests::node* node = nullptr;

    explicit acting_scene(std::chrono::milliseconds grace) {
        w.defaults.cancel_grace = grace;
        node = &w.start_node(
            {{"act", [this](workflow& f) { return act(f, book, door); }},
             {"think", [this](workflow& f) { return two_doors(f, book, door); }}}
        );
        enqueue("act", 1);
    }
    void enqueue(std::string kind, int arrived) {
        w.enqueue(*node, w.make_lane(kind), kind);
        w.until([this, arrived] { return door.arrived == arrived; });
    }
    void cancel() {
        w.execute("select postrider.job_cancel(job_id) from postrider.job order by job_id");
        node->engine->beat_now();
    }
    void expect_state(std::string kind, std::string state) {
        w.until("select state from postrider.job where kind = '" + kind + "'", std::move(state));
    }
    std::string effect() { return w.value("select state from postrider.effect"); }
};

// covers: E.12 E.14
TEST(control_request, to_cancel_gives_an_effect_time_to_end) {
    acting_scene s(1h);
    s.enqueue("think", 2);
    s.cancel();
    s.expect_state("think", "cancelled");
    EXPECT_EQ(s.door.inside, 1) << "its node has heard of both";

    s.door.let_go();
    s.expect_state("act", "cancelled");
    EXPECT_THAT(s.book, ElementsAre("first"));
    EXPECT_EQ(s.effect(), "done");
}

// covers: E.12 E.14
TEST(control_request, to_cancel_cuts_an_effect_off_when_it_takes_too_long) {
    acting_scene s(50ms);
    s.cancel();
    s.expect_state("act", "cancelled");
    EXPECT_EQ(s.effect(), "unknown");
}

// covers: E.12 E.14
TEST(control_request, to_cancel_cuts_a_step_off_that_comes_after_an_effect) {
    world w;
    w.defaults.cancel_grace = 1h;
    diary book;
    latch open(w.io);
    latch stuck(w.io);
    open.let_go();
    auto& node = w.start_node({{"job", [&](workflow& f) -> awaitable<outcome> {
                                    co_await act(f, book, open);
                                    co_return co_await two_doors(f, book, stuck);
                                }}});
    w.enqueue(node, w.make_lane("a"), "job");
    w.until([&] { return stuck.arrived == 1; });

    w.execute("select postrider.job_cancel(job_id) from postrider.job");
    node.engine->beat_now();
    w.until("select state from postrider.job", "cancelled");
    EXPECT_EQ(w.value("select state from postrider.effect"), "done");
}

// covers: E.12
TEST(control_request, to_pause_holds_the_job_and_lets_its_lane_go_on) {
    scene s;
    EXPECT_EQ(s.call("job_pause(" + s.job + ")"), "asked");
    s.door.let_go();
    s.expect_state("paused");
    EXPECT_THAT(s.book, ElementsAre("first"));

    auto const other = s.w.enqueue(*s.node, lane_id{1}, "job");
    s.w.until(
        "select state from postrider.job where job_id = " + base::to_string(other.id), "completed"
    );
    EXPECT_EQ(s.call("job_resume(" + s.job + ")"), "done");
    s.node->engine->wake();
    s.expect_state("completed");
    EXPECT_THAT(s.book, ElementsAre("first", "first", "last", "last"));
    EXPECT_EQ(s.w.value("select count(*) from postrider.busy_lane"), "0");
}

// covers: E.12
TEST(control_request, to_hold_the_lane_is_met_at_the_end_of_the_step_and_costs_no_run) {
    scene s;
    s.w.value("select postrider.lane_pause('a')");
    s.door.let_go();
    s.w.until("select wait_reason from postrider.busy_lane", "paused");
    EXPECT_EQ(s.w.value("select state || run_no from postrider.job"), "available0");
    EXPECT_THAT(s.book, ElementsAre("first"));

    s.w.value("select postrider.lane_resume('a')");
    s.node->engine->wake();
    s.expect_state("completed");
    EXPECT_THAT(s.book, ElementsAre("first", "last"));
}

// The requests stand in one place of the lane's row: what is asked of its job takes that of the lane.
void expect_held_behind(std::vector<std::string> const& calls, std::string state) {
    scene s;
    auto const next = base::to_string(s.w.enqueue(*s.node, lane_id{1}, "job").id);
    for (auto call : calls) {
        if (auto const at = call.find("JOB"); at != call.npos) call.replace(at, 3, s.job);
        EXPECT_EQ(s.call(call), "asked") << call;
    }
    s.door.let_go();
    s.expect_state(state);

    s.w.until("select wait_reason from postrider.busy_lane", "paused");
    EXPECT_EQ(
        s.w.value("select state || run_no from postrider.job where job_id = " + next), "available0"
    );

    s.w.value("select postrider.lane_resume('a')");
    s.w.value("select postrider.resume_all()");
    s.node->engine->wake();
    s.w.until("select state from postrider.job where job_id = " + next, "completed");
}

// covers: E.12
TEST(control_request, of_a_job_does_not_let_its_paused_lane_go_on) {
    for (std::string const lane_call : {"lane_pause('a')", "pause_all()"}) {
        expect_held_behind({"job_cancel(JOB)", lane_call}, "cancelled");
        expect_held_behind({lane_call, "job_cancel(JOB)"}, "cancelled");
        expect_held_behind({"job_cancel(JOB, true)", lane_call}, "cancelled");
        expect_held_behind({lane_call, "job_pause(JOB)"}, "paused");
    }
}

// covers: E.12
TEST(control_request, a_withdrawn_pause_of_a_job_leaves_that_of_its_lane) {
    scene s;
    EXPECT_EQ(s.call("job_pause(" + s.job + ")"), "asked");
    EXPECT_EQ(s.call("lane_pause('a')"), "asked");
    EXPECT_EQ(s.call("job_resume(" + s.job + ")"), "done");
    s.door.let_go();

    s.w.until("select wait_reason from postrider.busy_lane", "paused");
    EXPECT_EQ(s.w.value("select state || run_no from postrider.job"), "available0");
    EXPECT_THAT(s.book, ElementsAre("first"));
}

// covers: E.12
TEST(control_request, to_hold_everything_keeps_new_jobs_from_starting) {
    scene s;
    s.w.value("select postrider.pause_all()");
    s.door.let_go();
    s.w.until("select count(*) from postrider.busy_lane where wait_reason = 'paused'", "1");
    auto const other = s.w.enqueue(*s.node, s.w.make_lane("b"), "job");
    EXPECT_FALSE(other.leased);
    EXPECT_EQ(
        s.w.value("select count(*) from postrider.busy_lane where ready_at = 'infinity'"), "2"
    );

    s.w.value("select postrider.resume_all()");
    s.node->engine->wake();
    s.w.until("select count(*) from postrider.job where state = 'completed'", "2");
}

// covers: E.09 E.12
TEST(control_request, outlives_the_node_that_was_asked) {
    world w;
    diary book;
    latch stuck(w.io);
    latch open(w.io);
    open.let_go();
    auto& zombie =
        w.start_zombie({{"job", [&](workflow& f) { return two_doors(f, book, stuck); }}});
    auto const job = base::to_string(w.enqueue(zombie, w.make_lane("a"), "job").id);
    w.until([&] { return stuck.arrived == 1; });
    EXPECT_EQ(w.value("select code from postrider.job_cancel(" + job + ")"), "asked");

    w.start_node({{"job", [&](workflow& f) { return two_doors(f, book, open); }}});
    w.silence_oldest();
    w.until("select state from postrider.job", "cancelled");

    EXPECT_EQ(open.arrived, 0);
    stuck.let_go();
}

} // namespace

} // namespace postrider::tests::control_request_test
