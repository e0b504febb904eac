// What happens to a dead or late node's work. The late node here is a `zombie`: its jobs go on, its
// heartbeat does not.
#include "queue/node/node_store.hpp"
#include "storage/connections.hpp"
#include "tests/integration/queue/stuck_job.hpp"
#include "tests/support/held_lock.hpp"

#include <gmock/gmock.h>

#include <map>
#include <thread>

namespace postrider::tests::rescue_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::step_value;
using queue::workflow;
namespace json = boost::json;

// covers: E.09
TEST(rescue, resumes_after_the_last_recorded_step) {
    stuck_job s;
    auto& w = s.w;
    s.other.let_go();
    w.start_node({s.kind(s.other, "rescued")});

    w.silence_oldest();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(s.paid, 1) << "a recorded result is not paid for again";
    EXPECT_EQ(w.value("select output->>'slow' from postrider.job"), "rescued");
    EXPECT_EQ(w.value("select run_no || '/' || lost from postrider.job"), "2/0");
}

// covers: E.09
TEST(rescue, has_its_turn_however_often_a_beat_is_wanted_now) {
    stuck_job s;
    auto& w = s.w;
    s.other.let_go();
    auto& other = w.start_node({s.kind(s.other, "rescued")});

    w.silence_oldest();
    w.until([&] {
        other.engine->beat_now();
        return s.other.arrived == 1;
    });
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(w.value("select output->>'slow' from postrider.job"), "rescued");
}

// covers: E.09
TEST(rescue, lets_a_late_worker_change_nothing) {
    stuck_job s;
    auto& w = s.w;
    w.start_node({s.kind(s.other, "right")});
    w.silence_oldest();
    w.until([&] { return s.other.arrived == 1; });

    s.stuck.let_go(); // the zombie now tries to record its result, while the new owner still works
    w.until([&] { return s.zombie.engine->counts().lost == 1; });

    EXPECT_EQ(w.value("select count(*) from postrider.step where key = 'slow'"), "0");
    EXPECT_EQ(w.value("select state from postrider.job"), "running");
    s.other.let_go();
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(w.value("select output->>'slow' from postrider.job"), "right");
    EXPECT_EQ(
        w.value("select bool_and(s.node_id = n.node_id) from postrider.step s, postrider.node n "
                "where s.key = 'slow'"),
        "t"
    );
}

awaitable<outcome> deadly(workflow& flow, latch& door) {
    auto value = co_await flow.run("dies", {}, [&] { return pass_through(door, 1); });
    co_return outcome::completed(*value);
}

awaitable<outcome> harmless(workflow&) {
    co_return outcome::completed("next");
}

// covers: E.09
TEST(rescue, fails_a_job_that_died_alone_three_times_and_goes_on_with_the_lane) {
    world w;
    latch never(w.io);
    auto lane = w.make_lane("a");
    auto kind = [&](workflow& f) { return deadly(f, never); };
    for (int death = 1; death <= 4; ++death) { // at the first it is one of those in flight
        auto& zombie = w.start_zombie({{"deadly", kind}});
        if (death == 1) {
            w.enqueue(zombie, lane, "deadly");
            w.enqueue(zombie, lane, "harmless");
        }
        w.until([&] { return never.arrived == death; });
        w.silence_oldest();
        if (death < 4) continue;
        w.start_node({{"deadly", kind}, {"harmless", harmless}});
    }
    w.until("select state from postrider.job where kind = 'harmless'", "completed");

    EXPECT_EQ(
        w.value("select state || ' ' || lost || ' ' || error_class from postrider.job where kind = "
                "'deadly'"),
        "failed 3 lost"
    );
    EXPECT_EQ(never.arrived, 4);
}

awaitable<outcome> send_once(
    workflow& flow, latch& door, int& sent, queue::effect_class effect_class, bool at_once
) {
    queue::commit_with intent;
    intent.effects.push_back({"reply", "test.send", effect_class, {{"text", "hi"}}, at_once});
    if (!flow.recorded("decide")) {
        co_await flow.try_step("decide", {}, [] { return give("send it"); });
        auto committed = co_await flow.commit(std::move(intent));
        if (!committed) co_return outcome::failed(committed.error());
    } else {
        co_await flow.try_step("decide", {}, [] { return give("never run"); });
    }
    auto reply = co_await flow.perform("reply", {}, [&] {
        ++sent;
        return pass_through(door, {{"message_id", sent}});
    });
    if (!reply)
        co_return outcome::completed(json::string(base::to_string(reply.error().code).data()));
    co_return outcome::completed("sent");
}

struct effect_case {
    queue::effect_class effect_class;
    int sent;
    std::string state;
    std::string flagged;
    std::string output;
};

class interrupted_effect : public testing::TestWithParam<effect_case> {};

// covers: E.14
TEST_P(interrupted_effect, is_resolved_by_its_class) {
    auto const& expected = GetParam();
    world w;
    latch stuck(w.io);
    latch open(w.io);
    open.let_go();
    int sent = 0;
    auto& zombie =
        w.start_zombie({{"send", [&](workflow& f) {
                             return send_once(f, stuck, sent, expected.effect_class, true);
                         }}});
    w.enqueue(zombie, w.make_lane("a"), "send");
    w.until([&] { return stuck.arrived == 1; });
    EXPECT_EQ(w.value("select state from postrider.effect"), "started");
    w.start_node({{"send", [&](workflow& f) {
                       return send_once(f, open, sent, expected.effect_class, true);
                   }}});

    w.silence_oldest();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(sent, expected.sent);
    EXPECT_EQ(w.value("select state from postrider.effect"), expected.state);
    EXPECT_EQ(w.value("select flagged from postrider.effect"), expected.flagged);
    EXPECT_EQ(w.value("select output from postrider.job"), "\"" + expected.output + "\"");
    EXPECT_EQ(
        w.value("select count(*) from postrider.effects_in_doubt"),
        expected.state == "unknown" || expected.flagged == "t" ? "1" : "0"
    );
    stuck.let_go();
}

INSTANTIATE_TEST_SUITE_P(
    classes,
    interrupted_effect,
    testing::Values(
        effect_case{queue::effect_class::at_least_once, 2, "done", "t", "sent"},
        effect_case{queue::effect_class::idempotent, 2, "done", "f", "sent"},
        effect_case{queue::effect_class::keyed, 2, "done", "f", "sent"},
        effect_case{queue::effect_class::at_most_once, 1, "unknown", "f", "ambiguous"},
        effect_case{queue::effect_class::ask, 1, "unknown", "f", "ambiguous"}
    ),
    [](auto const& tried) { return std::string(queue::to_string(tried.param.effect_class)); }
);

// covers: E.14
TEST(effect, is_planned_first_and_started_in_a_commit_of_its_own_when_it_is_not_done_at_once) {
    world w;
    w.execute("create table told (n bigint generated always as identity, state text)");
    w.execute("create function tell() returns trigger language plpgsql as "
              "$$ begin insert into told (state) values (new.state); return null; end $$");
    w.execute("create trigger tell after insert or update on postrider.effect "
              "for each row execute function tell()");
    latch held(w.io);
    int sent = 0;
    auto& node = w.start_node({{"send", [&](workflow& f) {
                                    return send_once(
                                        f, held, sent, queue::effect_class::at_most_once, false
                                    );
                                }}});

    w.enqueue(node, w.make_lane("a"), "send");
    w.until([&] { return held.arrived == 1; });

    EXPECT_EQ(w.value("select state from postrider.effect"), "started");
    held.let_go();
    w.until("select state from postrider.effect", "done");
    EXPECT_EQ(
        w.value("select string_agg(state, ', ' order by n) from told"), "planned, started, done"
    );
}

awaitable<outcome> edited(workflow& flow, latch& door, std::vector<bool>& seen) {
    for (int ask = 0; ask < 5; ++ask) {
        auto answer = co_await flow.try_step("model", {}, [&] { return pass_through(door, ask); });
        queue::commit_with more;
        more.unless_edited = true;
        auto committed = co_await flow.commit(std::move(more));
        seen.push_back(committed.has_value());
        if (committed) co_return outcome::completed(*answer);
        flow.start_over();
    }
    co_return outcome::failed(base::errc::internal);
}

TEST(edit, makes_a_result_for_the_older_text_stale) {
    world w;
    latch held(w.io);
    std::vector<bool> accepted;
    auto& node = w.start_node({{"edited", [&](workflow& f) { return edited(f, held, accepted); }}});

    w.enqueue(node, w.make_lane("a"), "edited");
    w.until([&] { return held.arrived == 1; });
    w.execute("update postrider.lane_run set edits = edits + 1");
    held.let_go();
    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(accepted, testing::ElementsAre(false, true));
    EXPECT_EQ(w.value("select result from postrider.step where key = 'model'"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.step"), "1");
}

// How many jobs of a lane are inside their function at once.
struct occupancy {
    std::map<lane_id, int> inside;
    std::map<lane_id, std::vector<job_id>> jobs; // in the order in which they ran
    int most = 0;
};

awaitable<outcome> pass_through(workflow& flow, occupancy& seen) {
    auto const lane = flow.job().lane;
    seen.most = std::max(seen.most, ++seen.inside[lane]);
    seen.jobs[lane].push_back(flow.job().id);
    co_await base::sleep_for(1us); // lets others in, if anything does
    --seen.inside[lane];
    co_return outcome::completed();
}

awaitable<void> flood(world& w, node& by, lane_id lane, int rounds, int& left) {
    for (int n = 0; n < rounds; ++n) co_await w.enqueue_async(by, lane, "nothing", nullptr);
    --left;
}

// Two nodes enqueue into a few lanes while both finish jobs of them: a release that overlooked an
// arrival would leave a job behind with nobody to wake it.
// covers: E.10
TEST(lanes, lose_no_wake_up_between_enqueue_and_release) {
    auto const rounds = std::getenv("POSTRIDER_LONG") ? 20'000 : 400;
    occupancy seen; // before the world: its jobs use it until they are over
    world w;
    auto job = [&](workflow& flow) { return pass_through(flow, seen); };
    auto& first = w.start_node({{"nothing", job}});
    auto& second = w.start_node({{"nothing", job}});
    std::vector<lane_id> lanes{w.make_lane("a"), w.make_lane("b"), w.make_lane("c")};
    int left = 0;
    base::task_group floods(w.io.executor());
    for (auto lane : lanes)
        for (auto* by : {&first, &second}) {
            ++left;
            floods.spawn("flood", flood(w, *by, lane, rounds, left));
        }

    w.until([&] { return left == 0; }, 50min);
    w.until("select count(*) from postrider.job where state <> 'completed'", "0", 20min);

    EXPECT_EQ(w.value("select count(*) from postrider.job"), std::to_string(6 * rounds));
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
    EXPECT_EQ(seen.most, 1) << "two nodes never ran jobs of one lane at once";
    for (auto const& [lane, jobs] : seen.jobs)
        EXPECT_TRUE(std::ranges::is_sorted(jobs)) << "of lane " << base::raw(lane);
    w.io.run(floods.join());
}

// covers: E.09
TEST(rescue, leaves_a_node_alone_that_beats_while_it_is_looked_at) {
    test_database database;
    loop io;
    auto all = storage::connect(io.executor(), database.options());
    queue::node_store store(*all.beats, *all.db);
    auto const identity = queue::this_process("test");
    auto const rescuer = io.run(store.join(identity, 8)).value();
    auto const thawed = base::to_string(io.run(store.join(identity, 8)).value());
    database.execute(
        "insert into postrider.lane_run (lane_id, ready_at, node_id, epoch, arrivals, head) "
        "values (1, postrider.now(), " +
        thawed +
        ", 1, 1, 1);"
        "update postrider.node set beat_at = beat_at - interval '1 hour'"
    );

    // The lock lets the rescue look for silent nodes, and lock none of them before the beat.
    held_lock beat{
        database.url(),
        "do $$ begin lock table postrider.node in exclusive mode; "
        "update postrider.node set beat_at = postrider.now(); end $$"};
    std::jthread committer{[&](std::stop_token const& over) {
        while (!over.stop_requested() &&
               database.value("select count(*) > 0 from pg_stat_activity where "
                              "wait_event_type = 'Lock' and datname = current_database()") != "t")
            std::this_thread::yield();
        beat.release();
    }};
    auto const beside = io.run(store.rescue(rescuer, identity, 1min, 3));
    committer.join();
    auto const owner = database.value("select node_id from postrider.busy_lane");
    database.execute("update postrider.node set beat_at = beat_at - interval '1 hour'");
    auto const later = io.run(store.rescue(rescuer, identity, 1min, 3));
    all.close();

    EXPECT_EQ(beside.value().lanes, 0);
    EXPECT_EQ(owner, thawed);
    EXPECT_EQ(later.value().lanes, 1);
}

} // namespace

} // namespace postrider::tests::rescue_test
