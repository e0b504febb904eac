// A job that was in flight when a process died is tried alone; only the job that kills its process
// fails. A `zombie` stands for a process that dies when the database is told so.
#include "tests/integration/queue/operations_world.hpp"
#include "tests/integration/queue/steps.hpp"
#include "tests/support/held_lock.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::suspects_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::step_value;
using queue::workflow;

awaitable<outcome> gated(workflow& flow, latch& door) {
    auto value = co_await flow.run("gate", {}, [&] { return pass_through(door); });
    co_return outcome::completed(*value);
}

awaitable<outcome> quick(workflow&) {
    co_return outcome::completed();
}

class suspects : public engine_fixture {
protected:
    std::vector<queue::job_kind> kinds(latch& door) {
        return {{"gated", [&door](workflow& flow) { return gated(flow, door); }}, {"quick", quick}};
    }
    // As many lanes with a job each, all in flight on a node that dies then.
    void die_with(int jobs) {
        auto& zombie = w.start_zombie(kinds(never));
        for (int n = 0; n < jobs; ++n)
            w.enqueue(zombie, w.make_lane("lane" + std::to_string(n)), "gated");
        w.until([&] { return never.arrived == jobs; });
    }

    latch never{w.io};
    latch open{w.io};
};

// covers: E.09
TEST_F(suspects, run_one_at_a_time_and_lose_nothing) {
    die_with(6);
    open.let_go();
    auto& node = w.start_node(kinds(open));

    w.silence_oldest();
    w.until("select count(*) from postrider.job where state = 'completed'", "6");

    EXPECT_EQ(open.most_inside, 1);
    EXPECT_EQ(
        w.value("select string_agg(distinct lost || '/' || run_no, ' ') from postrider.job"), "0/2"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
    EXPECT_EQ(node.engine->counts().rescued, 6u);
    never.let_go();
}

// covers: E.21
TEST_F(suspects, hold_up_nobody_else) {
    die_with(2);
    auto& node = w.start_node(kinds(open));
    w.silence_oldest();
    w.until([&] { return open.arrived == 1; });

    w.enqueue(node, w.make_lane("other"), "quick");
    w.until("select state from postrider.job where kind = 'quick'", "completed");

    EXPECT_EQ(open.arrived, 1) << "the second waits for the first";
    open.let_go();
    w.until("select count(*) from postrider.job where state <> 'completed'", "0");
    EXPECT_EQ(open.most_inside, 1);
    never.let_go();
}

TEST_F(suspects, that_go_well_for_long_enough_let_the_next_begin) {
    die_with(3);
    w.defaults.trial = 20ms;
    w.start_node(kinds(open));

    w.silence_oldest();
    w.until([&] { return open.arrived == 3; });

    EXPECT_EQ(open.most_inside, 3);
    open.let_go();
    never.let_go();
    w.until("select count(*) from postrider.job where state <> 'completed'", "0");
}

// covers: E.09
TEST_F(suspects, let_the_next_begin_when_they_end_though_their_lane_goes_on) {
    latch busy{w.io};
    auto with_busy = [&](latch& door) {
        auto all = kinds(door);
        all.push_back({"busy", [&](workflow& flow) { return gated(flow, busy); }});
        return all;
    };
    auto& zombie = w.start_zombie(with_busy(never));
    for (auto const* key : {"a", "b"}) {
        auto const lane = w.make_lane(key);
        w.enqueue(zombie, lane, "gated");
        w.enqueue(zombie, lane, "busy");
    }
    w.until([&] { return never.arrived == 2; });
    open.let_go();
    w.start_node(with_busy(open));

    w.silence_oldest();
    w.until([&] { return busy.arrived == 2; });

    EXPECT_EQ(open.most_inside, 1);
    busy.let_go();
    w.until("select count(*) from postrider.job where state <> 'completed'", "0");
    never.let_go();
}

// The second node dies while one of the three is tried, beside a job that is no suspect.
// covers: E.09
TEST_F(suspects, of_a_second_death_only_the_one_that_ran_has_lost_a_run) {
    die_with(3);
    latch second{w.io};
    auto& zombie = w.start_zombie(kinds(second));
    w.silence_oldest();
    w.execute("delete from postrider.node where node_id = (select min(node_id) from postrider.node)"
    );
    // At once, or the second node would claim a lane in between.
    w.in_transaction([](storage::transaction& tx) {
        tx.query(
            {"free",
             "update postrider.lane_run set node_id = null, suspect = 1, "
             "epoch = nextval('postrider.number')"}
        );
        tx.query({"available", "update postrider.job set state = 'available'"});
    });
    zombie.engine->wake();
    w.until([&] { return second.arrived == 1; });
    w.enqueue(zombie, w.make_lane("beside"), "gated");
    w.until([&] { return second.arrived == 2; });

    open.let_go();
    w.start_node(kinds(open));
    w.silence_oldest();
    w.until("select count(*) from postrider.job where state = 'completed'", "4");

    EXPECT_EQ(
        w.value("select string_agg(lost::text, ' ' order by lost) from postrider.job"), "0 0 0 1"
    );
    EXPECT_EQ(open.most_inside, 1);
    second.let_go();
    never.let_go();
    w.until([&] { return second.inside == 0; });
}

// What somebody has locked is rescued later, when the other suspect has left the dead node.
class locked_suspect : public suspects, public testing::WithParamInterface<std::string> {
protected:
    std::string rows() const {
        return "select from postrider." + GetParam() +
               " where lane_id = (select min(lane_id) from postrider.lane) for update";
    }
};

// covers: E.09
TEST_P(locked_suspect, is_not_taken_for_the_only_one_of_its_node) {
    die_with(2);
    w.execute("update postrider.lane_run set suspect = 1");
    held_lock held{w.url(), rows()};
    w.start_node(kinds(open));

    w.silence_oldest();
    w.until([&] { return open.arrived == 1; });
    held.release();
    w.until("select count(*) from postrider.busy_lane where suspect = 2", "2");

    EXPECT_EQ(w.value("select string_agg(lost::text, ' ') from postrider.job"), "0 0");
    open.let_go();
    never.let_go();
    w.until("select count(*) from postrider.job where state <> 'completed'", "0");
}

// covers: E.09
TEST_P(locked_suspect, that_was_the_only_one_has_lost_its_run_all_the_same) {
    die_with(2);
    w.execute("update postrider.lane_run set suspect = 1 "
              "where lane_id = (select min(lane_id) from postrider.lane)");
    held_lock held{w.url(), rows()};
    w.start_node(kinds(open));

    w.silence_oldest();
    w.until([&] { return open.arrived == 1; });
    held.release();
    w.until("select max(suspect) from postrider.busy_lane", "2");

    EXPECT_EQ(
        w.value("select string_agg(lost::text, ' ' order by job_id) from postrider.job"), "1 0"
    );
    open.let_go();
    never.let_go();
    w.until("select count(*) from postrider.job where state <> 'completed'", "0");
}

INSTANTIATE_TEST_SUITE_P(
    row,
    locked_suspect,
    testing::Values("lane_run", "job"),
    [](auto const& table) { return table.param; }
);

// What runs there after a rescue that left it something is all that may kill it.
// covers: E.09
TEST_F(suspects, of_a_node_that_lives_on_are_counted_anew) {
    w.start_node(kinds(open));
    w.until("select count(*) from postrider.node", "1");

    w.execute("update postrider.node set several_suspects = true");
    w.until("select several_suspects from postrider.node", "f");
}

// covers: E.09
TEST_F(suspects, that_died_alone_wait_for_a_node_that_has_lived_for_a_while) {
    die_with(1);
    w.execute("update postrider.job set lost = 1");
    w.defaults.min_node_age = 1h;
    auto& node = w.start_node(kinds(open));
    w.silence_oldest();
    w.until("select suspect from postrider.busy_lane", "1");
    w.enqueue(node, w.make_lane("other"), "quick");
    w.until("select state from postrider.job where kind = 'quick'", "completed");
    EXPECT_EQ(open.arrived, 0);

    w.execute("update postrider.node set started_at = started_at - interval '61 min'");
    w.until([&] { return open.arrived == 1; });

    open.let_go();
    never.let_go();
    w.until("select count(*) from postrider.job where state <> 'completed'", "0");
}

// covers: E.09
TEST_F(suspects, are_cleared_by_a_process_that_was_slow_and_lives) {
    auto& node = w.start_node(kinds(open));
    w.enqueue(node, w.make_lane("a"), "gated");
    w.until([&] { return open.arrived == 1; });

    // As another node does that takes it for dead.
    w.execute("with l as (update postrider.lane_run set node_id = null, suspect = 1, ready_at = "
              "'infinity', "
              "epoch = nextval('postrider.number') returning lane_id), "
              "j as (update postrider.job set state = 'available') delete from postrider.node");
    w.until("select suspect from postrider.busy_lane", "0");

    w.execute("update postrider.lane_run set ready_at = postrider.now()");
    node.engine->wake();
    open.let_go();
    w.until("select state from postrider.job", "completed");
}

awaitable<std::vector<storage::write>> tell(int& told) {
    ++told;
    co_return std::vector<storage::write>{};
}

// What is suspected is the job, not its lane.
TEST_F(suspects, are_not_followed_by_another_when_they_are_cancelled) {
    die_with(2);
    w.execute("with l as (update postrider.lane_run set node_id = null, suspect = 1, ready_at = "
              "'infinity', epoch = nextval('postrider.number')) "
              "update postrider.job set state = 'available'"); // so that no process claims them
    lane_id const first{std::stoll(w.value("select min(lane_id) from postrider.busy_lane"))};
    w.enqueue(w.start_zombie(kinds(never)), first, "quick");

    w.execute("select postrider.job_cancel((select min(job_id) from postrider.job))");
    w.execute("select postrider.lane_pause('lane1')");
    w.execute("select postrider.lane_resume('lane1')");

    EXPECT_EQ(
        w.value("select string_agg(suspect::text, ' ' order by lane_id) from postrider.busy_lane"),
        "0 1"
    );
    never.let_go();
}

// covers: E.09
TEST(retried_job, is_no_suspect_in_place_of_the_one_behind_it) {
    operations_world w;
    auto const lane = w.lane("1:5:0");
    auto const before = w.job(lane, "failed");
    w.job(lane, "available");
    auto const behind = w.job(lane, "failed");
    w.execute("update postrider.lane_run set suspect = 1 where ready_at is not null");
    auto const suspicion = "select suspect from postrider.busy_lane";

    w.operate(behind, queue::operation::retry);
    EXPECT_EQ(w.value(suspicion), "1");
    w.operate(before, queue::operation::retry);

    EXPECT_EQ(w.of(before, "state"), "available");
    EXPECT_EQ(w.value(suspicion), "0");
}

awaitable<outcome> fail_first(workflow& flow, latch& door, int& runs) {
    if (++runs == 1) co_return outcome::failed(base::errc::refused);
    co_return co_await gated(flow, door);
}

// covers: E.09
TEST_F(suspects, pass_nothing_on_to_a_job_that_is_retried_while_they_run) {
    int runs = 0;
    latch retried{w.io};
    auto with_retried = [&](latch& door) {
        auto all = kinds(door);
        all.push_back({"retried", [&](workflow& flow) { return fail_first(flow, retried, runs); }});
        return all;
    };
    auto& zombie = w.start_zombie(with_retried(never));
    auto const lane = w.make_lane("a");
    w.enqueue(zombie, lane, "retried");
    w.until("select state from postrider.job", "failed");
    w.enqueue(zombie, lane, "gated");
    w.until([&] { return never.arrived == 1; });

    w.execute("select postrider.job_retry((select min(job_id) from postrider.job), null)");
    w.start_node(with_retried(open));
    w.silence_oldest();
    w.until([&] { return retried.arrived == 1; });

    EXPECT_EQ(w.value("select suspect from postrider.busy_lane"), "0");
    EXPECT_EQ(
        w.value("select string_agg(state, ' ' order by job_id) from postrider.job"),
        "running available"
    );
    for (auto* door : {&retried, &open, &never}) door->let_go();
    w.until("select count(*) from postrider.job where state = 'completed'", "2");
}

// covers: E.09
TEST_F(suspects, that_have_lost_their_runs_end_as_any_other_job_that_fails) {
    int told = 0;
    die_with(1);
    w.execute("update postrider.job set lost = 2");
    w.execute("update postrider.lane_run set suspect = 3");
    queue::job_kind kind{"gated", [this](workflow& flow) { return gated(flow, open); }};
    kind.failed = [&](queue::job const&, outcome const&) { return tell(told); };
    w.start_node({kind});

    w.silence_oldest();
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(
        w.value("select error_class || ': ' || error from postrider.job"),
        "lost: its process died in 3 runs"
    );
    EXPECT_EQ(told, 1);
    EXPECT_EQ(open.arrived, 0);
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
    never.let_go();
}

// covers: E.09
TEST_F(suspects, whose_failure_function_kills_too_end_without_it) {
    int told = 0;
    die_with(1);
    w.execute("update postrider.job set lost = 3");
    queue::job_kind kind{"gated", [this](workflow& flow) { return gated(flow, open); }};
    kind.failed = [&](queue::job const&, outcome const&) { return tell(told); };
    w.start_node({kind});

    w.silence_oldest();
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(told, 0);
    never.let_go();
}

} // namespace

} // namespace postrider::tests::suspects_test
