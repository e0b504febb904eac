// A transaction that somebody left open holds up the chat whose rows it has locked, and no other.
#include "tests/integration/queue/steps.hpp"
#include "tests/support/held_lock.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::locks_test {

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

// The message may have been edited while it was answered.
awaitable<outcome> answering(workflow& flow, latch& door) {
    (void)co_await flow.try_step("answer", {}, [&] { return pass_through(door); });
    queue::commit_with answer;
    answer.unless_edited = true;
    auto const sent = co_await flow.commit(std::move(answer));
    co_return outcome::completed(sent ? "sent" : "edited");
}

awaitable<outcome> quick(workflow&) {
    co_return outcome::completed();
}

class locks : public engine_fixture {
protected:
    std::vector<queue::job_kind> kinds() {
        return {
            {"gated", [this](workflow& flow) { return gated(flow, held); }},
            {"answering", [this](workflow& flow) { return answering(flow, held); }},
            {"quick", quick}};
    }
    static std::string row_of(lane_id lane) {
        return "select from postrider.lane_run where lane_id = " + base::to_string(lane) +
               " for update";
    }
    void until_state(queue::enqueued const& job, std::string const& state) {
        w.until("select state from postrider.job where job_id = " + base::to_string(job.id), state);
    }

    latch held{w.io};
};

// covers: E.21
TEST_F(locks, a_lane_that_is_locked_holds_up_no_other) {
    auto& node = w.start_node(kinds());
    auto const locked = w.make_lane("a");
    auto const free = w.make_lane("b");
    auto const stuck = w.enqueue(node, locked, "gated");
    w.until([&] { return held.arrived == 1; });

    held_lock lock{w.url(), row_of(locked)};
    held.let_go(); // its commit meets the lock, again and again
    for (int n = 0; n < 5; ++n) until_state(w.enqueue(node, free, "quick"), "completed");
    EXPECT_EQ(
        w.value("select state from postrider.job where job_id = " + base::to_string(stuck.id)),
        "running"
    );

    lock.release();
    until_state(stuck, "completed");
    EXPECT_EQ(w.value("select count(*) from postrider.step"), "1");
}

// It met the lock of the edit, which had not committed yet, and is sent again.
// covers: E.21
TEST_F(locks, a_commit_that_met_an_edit_hears_of_it) {
    auto& node = w.start_node(kinds());
    auto const lane = w.make_lane("a");
    auto const free = w.make_lane("b");
    auto const job = w.enqueue(node, lane, "answering");
    w.until([&] { return held.arrived == 1; });

    held_lock edit{
        w.url(),
        "update postrider.lane_run set edits = edits + 1 where lane_id = " + base::to_string(lane)};
    held.let_go();
    for (int n = 0; n < 2; ++n) until_state(w.enqueue(node, free, "quick"), "completed");
    edit.release();

    until_state(job, "completed");
    EXPECT_EQ(w.value("select output from postrider.job where kind = 'answering'"), "\"edited\"");
}

// As long as the session that holds them is let idle.
// covers: E.21
TEST_F(locks, many_lanes_that_are_locked_hold_up_no_other) {
    constexpr int many = 50;
    auto& node = w.start_node(kinds(), many + 4);
    auto const free = w.make_lane("free");
    for (int n = 0; n < many; ++n)
        w.enqueue(node, w.make_lane("locked" + std::to_string(n)), "gated");
    w.until([&] { return held.arrived == many; });

    held_lock lock{w.url(), "select from postrider.lane_run where ready_at is not null for update"};
    held.let_go();
    for (int n = 0; n < 5; ++n) until_state(w.enqueue(node, free, "quick"), "completed");
    EXPECT_EQ(
        w.value("select count(*) from postrider.job where state = 'running'"), std::to_string(many)
    );

    lock.release();
    w.until("select count(*) from postrider.job where state = 'running'", "0");
    EXPECT_EQ(w.value("select count(*) from postrider.step"), std::to_string(many));
}

// covers: E.21
TEST_F(locks, a_job_that_is_locked_is_left_for_later_by_claims) {
    auto& node = w.start_node(kinds(), 1);
    w.enqueue(node, w.make_lane("busy"), "gated");
    w.until([&] { return held.arrived == 1; });
    auto const locked = w.enqueue(node, w.make_lane("a"), "quick");
    auto const free = w.enqueue(node, w.make_lane("b"), "quick");

    held_lock lock{
        w.url(),
        "select from postrider.job where job_id = " + base::to_string(locked.id) + " for update"};
    held.let_go();
    until_state(free, "completed");

    lock.release();
    until_state(locked, "completed");
}

// covers: E.09 E.21
TEST_F(locks, a_dead_nodes_lane_that_is_locked_silences_no_neighbour) {
    latch never{w.io};
    auto& zombie = w.start_zombie({{"gated", [&](workflow& f) { return gated(f, never); }}});
    held.let_go();
    auto const lane = w.make_lane("a");
    auto const locked = w.enqueue(zombie, lane, "gated");
    auto const free = w.enqueue(zombie, w.make_lane("b"), "gated");
    w.until([&] { return never.arrived == 2; });
    auto& healthy = w.start_node(kinds());

    held_lock lock{w.url(), row_of(lane)};
    w.silence_oldest();
    until_state(free, "completed");
    for (int beats = 0; beats < 5; ++beats) {
        auto const beat = "select max(beat_at)::text from postrider.node";
        auto const last = w.value(beat);
        w.until([&] { return w.value(beat) != last; });
        until_state(w.enqueue(healthy, w.make_lane(std::to_string(beats)), "quick"), "completed");
    }
    EXPECT_TRUE(healthy.engine->alive());

    lock.release();
    until_state(locked, "completed");
    w.until("select count(*) from postrider.node", "1");
    never.let_go();
    w.until([&] { return never.inside == 0; });
}

} // namespace

} // namespace postrider::tests::locks_test
