// What a node counts of its jobs, on a real Postgres.
#include "tests/integration/queue/steps.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::measures_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;

awaitable<outcome> waits_at(workflow& flow, latch& door) {
    auto value = co_await flow.run("door", {}, [&] { return pass_through(door, 1); });
    co_return outcome::completed(*value);
}

awaitable<outcome> goes_on_behind(workflow& flow, latch& door) {
    (void)co_await flow.run("door", {}, [&] { return pass_through(door, 1); });
    auto value = co_await flow.run("rest", {}, [&] { return pass_through(door, 2); });
    co_return outcome::completed(*value);
}

// What the step came to is recorded with the end.
awaitable<outcome> ends_at(workflow& flow, latch& door) {
    auto value = co_await flow.try_step("door", {}, [&] { return pass_through(door, 1); });
    co_return outcome::completed(*value);
}

std::uint64_t count_of(base::durations const& all, std::string const& name, std::string outcome) {
    auto const named = all.all().find(name);
    if (named == all.all().end() || !named->second.contains(outcome)) return 0;
    return named->second.at(outcome).cumulative().back();
}

TEST(engine_counts, a_cancelled_job_is_not_a_completed_one) {
    world w;
    latch door(w.io);
    auto& node = w.start_node({{"job", [&](workflow& f) { return goes_on_behind(f, door); }}});
    auto const job = w.enqueue(node, w.make_lane("a"), "job").id;
    w.until([&] { return door.arrived == 1; });

    w.value("select code from postrider.job_cancel(" + base::to_string(job) + ")");
    door.let_go();
    w.until("select state from postrider.job", "cancelled");
    w.until([&] { return node.engine->counts().busy == 0; });

    EXPECT_EQ(node.engine->counts().cancelled, 1u);
    EXPECT_EQ(node.engine->counts().completed, 0u);
    EXPECT_EQ(count_of(node.measures.runs, "job", "cancelled"), 1u);
}

TEST(engine_counts, each_job_that_a_lane_runs_in_a_row_is_a_run) {
    world w;
    latch door(w.io);
    auto& node = w.start_node({{"job", [&](workflow& f) { return waits_at(f, door); }}});
    auto const lane = w.make_lane("a");
    w.enqueue(node, lane, "job");
    w.until([&] { return door.arrived == 1; });
    w.enqueue(node, lane, "job");

    door.let_go();
    w.until([&] { return node.engine->counts().busy == 0; });

    EXPECT_EQ(node.engine->counts().completed, 2u);
    EXPECT_EQ(node.engine->counts().started, 2u);
    EXPECT_EQ(count_of(node.measures.runs, "job", "completed"), 2u);
}

TEST(engine_counts, a_run_whose_end_another_node_forbids_is_lost_and_no_more) {
    world w;
    latch late(w.io);
    latch held(w.io);
    auto& zombie = w.start_zombie({{"job", [&](workflow& f) { return ends_at(f, late); }}});
    w.enqueue(zombie, w.make_lane("a"), "job");
    w.until([&] { return late.arrived == 1; });
    auto& other = w.start_node({{"job", [&](workflow& f) { return waits_at(f, held); }}});
    w.silence_oldest();
    w.until([&] { return held.arrived == 1; });

    late.let_go();
    w.until([&] { return zombie.engine->counts().lost == 1; });
    held.let_go();
    w.until([&] { return other.engine->counts().completed == 1; });

    EXPECT_EQ(zombie.engine->counts().completed, 0u);
    EXPECT_EQ(count_of(zombie.measures.runs, "job", "lost"), 1u);
    EXPECT_EQ(count_of(zombie.measures.runs, "job", "completed"), 0u);
}

queue::effect_intent message(std::string key) {
    queue::effect_intent intent;
    intent.key = std::move(key);
    intent.kind = "chat.send";
    return intent;
}

awaitable<void> say(workflow& flow, std::string key) {
    if (!flow.planned(key)) {
        queue::commit_with with;
        with.effects.push_back(message(key));
        (void)co_await flow.commit(std::move(with));
    }
    auto work = [] { return give("said"); };
    (void)co_await flow.perform(key, {}, work);
}

// Says something in its second run, and something more in its third.
awaitable<outcome> talks(workflow& flow) {
    co_await flow.sleep("morning", 1h);
    (void)co_await flow.run("looked", {}, [] { return refuse("not today"); });
    co_await say(flow, "hello");
    co_await flow.sleep("evening", 1h);
    co_await say(flow, "bye");
    co_return outcome::completed();
}

TEST(engine_measures, tell_how_long_a_job_waited_for_its_first_effect_of_a_kind) {
    world w;
    auto& node = w.start_node({{"talk", [](workflow& f) { return talks(f); }}});
    w.enqueue(node, w.make_lane("a"), "talk");
    w.until("select state from postrider.job", "waiting");
    w.execute("update postrider.job set created_at = created_at - interval '1 hour'");

    w.pass("2 hours");
    w.until("select count(*) from postrider.effect where state = 'done'", "1");
    w.until("select state from postrider.job", "waiting");
    w.pass("2 hours");
    w.until([&] { return node.engine->counts().completed == 1; });

    auto const& measures = node.measures;
    ASSERT_EQ(count_of(measures.first_effects, "chat.send", "talk"), 1u);
    auto const seconds = measures.first_effects.all().at("chat.send").at("talk").sum();
    EXPECT_GE(seconds, 3600);
    EXPECT_LT(seconds, 3700);
    EXPECT_EQ(count_of(measures.steps, "chat.send", ""), 2u);
    EXPECT_EQ(count_of(measures.steps, "", "refused"), 1u);
    EXPECT_EQ(count_of(measures.runs, "talk", "parked"), 2u);
    EXPECT_EQ(count_of(measures.runs, "talk", "completed"), 1u);
}

} // namespace
} // namespace postrider::tests::measures_test
