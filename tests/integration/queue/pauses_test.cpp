// Lanes, bots and everything paused and resumed; why jobs wait.
#include "queue/admin/job_views.hpp"
#include "queue/admin/lane_views.hpp"
#include "tests/integration/queue/operations_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::queue::pauses_test {
namespace {

using testing::HasSubstr;

class pauses : public testing::Test {
protected:
    operation_result with_lane(
        operation_result (*call)(storage::transaction&, std::string_view), std::string name
    ) {
        return world.get<operation_result>([=](storage::transaction& tx) { return call(tx, name); }
        );
    }
    operation_result everything(operation_result (*call)(storage::transaction&)) {
        return world.get<operation_result>([=](storage::transaction& tx) { return call(tx); });
    }
    // As if the lanes had been made so; "null": of no bot.
    void give_to_bot(std::string const& bot, std::string const& condition) {
        auto const lanes = "select lane_id from postrider.lane where " + condition;
        for (auto const* table : {"lane", "lane_run"})
            world.execute(
                std::string("update postrider.") + table + " set bot_id = " + bot +
                " where lane_id in (" + lanes + ")"
            );
    }
    // Of the lane: held, asked, ready or waiting.
    std::string lane(std::string const& key) {
        return world.value(
            "select case when asked is not null then asked when ready_at = 'infinity' then 'held' "
            "when ready_at <= postrider.now() then 'ready' else 'waiting' end from "
            "postrider.busy_lane join postrider.lane using (lane_id) where lane_key = '" +
            key + "'"
        );
    }
    std::string reason(job_id job) {
        return world.value(
            "select waiting_for from postrider.job_overview where job_id = " + base::to_string(job)
        );
    }

    tests::operations_world world;
};

// covers: E.12
TEST_F(pauses, a_paused_lane_is_held_and_goes_on_when_resumed) {
    world.job(world.lane("a"), "available");
    world.job(world.lane("b"), "retryable");
    world.job(world.lane("c"), "running");

    auto const a = with_lane(pause_lane, "a");
    auto const b = with_lane(pause_lane, "b");
    auto const c = with_lane(pause_lane, "c");
    auto const again = with_lane(pause_lane, "a");
    auto const held = lane("a") + ' ' + lane("b") + ' ' + lane("c");
    for (auto key : {"a", "b", "c"}) EXPECT_EQ(with_lane(resume_lane, key).code, "done");

    EXPECT_EQ(a.code + ' ' + b.code + ' ' + c.code, "done done asked");
    EXPECT_EQ(again.code, "unchanged");
    EXPECT_EQ(a.state, "paused");
    EXPECT_EQ(held, "held held hold");
    EXPECT_EQ(lane("a") + ' ' + lane("b") + ' ' + lane("c"), "ready waiting ready");
    EXPECT_EQ(with_lane(resume_lane, "a").code, "unchanged");
}

TEST_F(pauses, a_lane_or_bot_that_does_not_exist_is_refused) {
    world.lane("a");

    EXPECT_EQ(with_lane(pause_lane, "nowhere").code, "not_found");
    EXPECT_EQ(with_lane(resume_lane, "nowhere").code, "not_found");
    EXPECT_THAT(with_lane(pause_bot, "mian").detail, HasSubstr("known: main"));
    EXPECT_EQ(with_lane(resume_bot, "mian").code, "not_found");
}

TEST_F(pauses, a_pause_of_a_bot_holds_its_lanes_only) {
    world.job(world.lane("a"), "available");
    world.job(world.lane("c"), "running");
    world.job(world.lane("b"), "available");
    give_to_bot("2", "lane_key = 'b'");

    auto const paused = with_lane(pause_bot, "main");
    auto const held = lane("a") + ' ' + lane("b") + ' ' + lane("c");
    auto const again = with_lane(pause_bot, "main");
    auto const resumed = with_lane(resume_bot, "main");

    EXPECT_EQ(paused.code, "asked") << "a job of it runs";
    EXPECT_EQ(paused.scope, "bot:main");
    EXPECT_EQ(held, "held ready hold");
    EXPECT_EQ(again.code, "asked");
    EXPECT_EQ(resumed.code, "done");
    EXPECT_EQ(lane("a") + ' ' + lane("b") + ' ' + lane("c"), "ready ready ready");
    EXPECT_EQ(with_lane(resume_bot, "main").code, "unchanged");
}

TEST_F(pauses, the_end_of_a_pause_of_everything_leaves_the_others_in_force) {
    for (auto key : {"a", "b", "c"}) world.job(world.lane(key), "available");
    give_to_bot("null", "lane_key <> 'a'");
    (void)with_lane(pause_bot, "main");
    (void)with_lane(pause_lane, "b");

    auto const paused = everything(pause_all);
    auto const held = lane("a") + ' ' + lane("b") + ' ' + lane("c");
    auto const lane_resumed = with_lane(resume_lane, "b");
    auto const still = lane("b");
    (void)with_lane(pause_lane, "b");
    auto const resumed = everything(resume_all);

    EXPECT_EQ(paused.code, "done");
    EXPECT_EQ(held, "held held held");
    EXPECT_THAT(lane_resumed.detail, HasSubstr("paused still"));
    EXPECT_EQ(lane_resumed.state, "paused");
    EXPECT_EQ(still, "held");
    EXPECT_EQ(resumed.code, "done");
    EXPECT_EQ(lane("a") + ' ' + lane("b") + ' ' + lane("c"), "held held ready");
}

// What a commit that did not see the pause, or its end, leaves behind.
TEST_F(pauses, lanes_that_passed_a_pause_unseen_are_brought_in_line) {
    world.job(world.lane("a"), "available");
    world.job(world.lane("b"), "running");
    world.execute("update postrider.lane set paused_at = postrider.now()");

    auto const first = world.value("select postrider.apply_pauses()");
    auto const held = lane("a") + ' ' + lane("b");
    auto const second = world.value("select postrider.apply_pauses()");
    world.execute("update postrider.lane set paused_at = null");
    auto const third = world.value("select postrider.apply_pauses()");

    EXPECT_EQ(first, "2");
    EXPECT_EQ(held, "held hold");
    EXPECT_EQ(second, "0");
    EXPECT_EQ(third, "2");
    EXPECT_EQ(lane("a") + ' ' + lane("b"), "ready ready");
}

TEST_F(pauses, are_applied_by_a_node_that_does_not_know_them) {
    world.job(world.lane("a"), "available");
    world.execute("insert into postrider.pause (scope) values ('all')");

    auto const all = world.value("select pauses from postrider.sweep_pauses(0, null)");
    auto const known = world.value("select changed from postrider.sweep_pauses(9, '" + all + "')");
    auto const before = lane("a");
    auto const unknown = world.value("select changed from postrider.sweep_pauses(9, null)");
    auto const held = lane("a");
    world.execute("delete from postrider.pause");
    auto const over = world.value("select changed from postrider.sweep_pauses(9, '" + all + "')");

    EXPECT_EQ(known + ' ' + before, "0 ready");
    EXPECT_EQ(unknown + ' ' + held, "1 held");
    EXPECT_EQ(over + ' ' + lane("a"), "1 ready");
}

TEST_F(pauses, what_was_asked_of_a_running_job_outlives_a_pause_of_its_lane) {
    auto const job = world.job(world.lane("a"), "running");
    (void)world.operate(job, operation::cancel);

    (void)with_lane(pause_lane, "a");
    auto const asked = lane("a");
    (void)with_lane(resume_lane, "a");

    EXPECT_EQ(asked, "cancel");
    EXPECT_EQ(lane("a"), "cancel");
}

TEST_F(pauses, a_job_put_back_into_a_paused_lane_waits_for_the_lane) {
    auto const job = world.job(world.lane("a"), "failed");
    (void)with_lane(pause_lane, "a");

    (void)world.operate(job, operation::retry);

    EXPECT_EQ(lane("a"), "held");
    EXPECT_EQ(reason(job), "its lane is paused");
}

TEST_F(pauses, an_event_for_a_lane_wakes_whichever_job_waits) {
    auto const job = world.job(world.lane("a"), "waiting");
    world.execute(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type) select job_id, "
        "lane_id, due_at, 'w', 'go' from postrider.job"
    );
    auto send = [&](std::string key, std::string type) {
        return world.get<operation_result>([=](storage::transaction& tx) {
            return send_lane_event(tx, key, {type});
        });
    };

    EXPECT_EQ(send("b", "go").code, "not_found");
    EXPECT_EQ(send("a", "").code, "invalid");
    EXPECT_EQ(send("a", "go").code, "done");
    EXPECT_EQ(world.of(job, "due_at <= postrider.now()"), "t");
}

// covers: E.18
TEST_F(pauses, why_a_job_waits_is_said) {
    auto const lane_a = world.lane("a");
    auto const waiting = world.job(lane_a, "waiting");
    auto const behind = world.job(lane_a, "available");
    world.execute(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type, match) select job_id, "
        "lane_id, '2100-01-01T10:00:00Z', 'w', 'approval', '7' from postrider.job where state = "
        "'waiting'"
    );
    auto const sleeping = world.job(world.lane("b"), "waiting");
    auto const scheduled = world.job(world.lane("c"), "scheduled");
    auto const lane_d = world.lane("d");
    auto const running = world.job(lane_d, "running");
    auto const next = world.job(lane_d, "available");
    auto const free = world.job(world.lane("e"), "available");
    auto const paused = world.job(world.lane("f"), "paused");
    auto const retryable = world.job(world.lane("g"), "retryable");
    world.execute("update postrider.job set wait_reason = 'step second is tried again (invalid)' "
                  "where state = 'retryable'");
    auto const held = world.job(world.lane("h"), "available");
    (void)with_lane(pause_lane, "h");
    auto const over = world.job(world.lane("i"), "completed");

    EXPECT_EQ(reason(waiting), "event approval for 7 until 2100-01-01 10:00:00Z");
    EXPECT_EQ(
        reason(behind), "job " + base::to_string(waiting) + " of its lane comes first (waiting)"
    );
    EXPECT_EQ(reason(sleeping), "sleeps");
    EXPECT_EQ(reason(scheduled), "scheduled");
    EXPECT_EQ(reason(running), "");
    EXPECT_EQ(reason(next), "job " + base::to_string(running) + " of its lane runs");
    EXPECT_EQ(reason(free), "no server runs");
    world.execute(
        "insert into postrider.node (node_id, pid, pid_started, boot_id, pid_space, host, "
        "version, slots) values (1, 1, 1, 'boot', 'space', 'host', 'test', 8)"
    );
    EXPECT_EQ(reason(free), "no free slot");
    world.execute("update postrider.node set beat_at = beat_at - interval '9 s'");
    EXPECT_EQ(reason(free), "no server runs") << "it has fallen silent";
    EXPECT_EQ(reason(paused), "it is paused");
    EXPECT_EQ(reason(retryable), "step second is tried again (invalid)");
    EXPECT_EQ(reason(held), "its lane is paused");
    EXPECT_EQ(reason(over), "");
    (void)with_lane(pause_bot, "main");
    EXPECT_EQ(reason(free), "its bot is paused (bot:main)");
    (void)everything(pause_all);
    EXPECT_EQ(reason(free), "everything is paused");
    EXPECT_EQ(reason(paused), "it is paused");
    EXPECT_EQ(world.value("select count(*) from postrider.waiting_jobs where since is null"), "0");
    EXPECT_EQ(world.value("select count(*) from postrider.waiting_jobs"), "9");
}

TEST_F(pauses, listings_go_page_by_page) {
    for (auto key : {"a", "b", "c"}) world.job(world.lane(key), "failed");
    world.job(world.lane("b"), "available");
    for (auto state : {"paused", "scheduled"}) world.job(world.lane("b"), state);
    (void)with_lane(pause_lane, "c");

    world.in_transaction([](storage::transaction& tx) {
        auto first = list_jobs(tx, {.states = {job_state::failed}}, {}, 2);
        auto second = list_jobs(tx, {.states = {job_state::failed}}, first.continues, 2);
        ASSERT_EQ(first.jobs.size(), 2u);
        EXPECT_EQ(first.jobs[0].lane, "c");
        ASSERT_TRUE(first.continues);
        ASSERT_EQ(second.jobs.size(), 1u);
        EXPECT_EQ(second.jobs[0].lane, "a");
        EXPECT_FALSE(second.continues);

        auto lanes = list_lanes(tx, {}, "", 10);
        ASSERT_EQ(lanes.size(), 2u) << "the idle one has nothing to tell";
        EXPECT_EQ(lanes[0].key + ' ' + lanes[0].status, "b ready");
        EXPECT_EQ(lanes[0].live_jobs, 1) << "the paused and the scheduled one stand aside";
        EXPECT_EQ(lanes[1].key + ' ' + lanes[1].status + ' ' + lanes[1].paused_by, "c paused lane");
        EXPECT_EQ(list_lanes(tx, {}, "b", 10).size(), 1u);
        EXPECT_EQ(list_lanes(tx, {.key = "a"}, "", 10).at(0).status, "idle");
        EXPECT_EQ(list_lanes(tx, {.status = "ready"}, "", 10).size(), 1u);
    });
}

TEST_F(pauses, idle_lanes_are_listed_as_paused_while_everything_is) {
    world.lane("a");
    world.job(world.lane("b"), "available");
    world.job(world.lane("c"), "running");
    world.job(world.lane("d"), "paused");

    auto const keys = [&](std::string status, std::string text = "") {
        return world.get<std::string>([=](storage::transaction& tx) {
            std::string all;
            for (auto const& lane : list_lanes(tx, {.status = status, .text = text}, "", 10))
                all += lane.key + ' ' + lane.status + ' ';
            return all;
        });
    };
    EXPECT_EQ(keys(""), "b ready c running ");
    EXPECT_EQ(keys("running"), "c running ");
    EXPECT_EQ(keys("ready", "b"), "b ready ");
    EXPECT_EQ(keys("ready", "c"), "");
    EXPECT_EQ(keys("paused"), "");

    (void)everything(pause_all);
    EXPECT_EQ(keys("paused"), "a paused b paused d paused ");
    EXPECT_EQ(keys("running"), "c running ");
    EXPECT_EQ(keys("ready"), "");
}

TEST_F(pauses, lanes_with_a_status_are_found_without_a_look_at_the_idle_ones) {
    world.execute("insert into postrider.lane (lane_key, bot_id) select 'idle ' || n, 1 "
                  "from generate_series(1, 2000) n");
    world.job(world.lane("b"), "available");

    auto const rows = world.get<std::int64_t>([](storage::transaction& tx) {
        storage::statement const read{"read", R"(
select sum(pg_stat_get_xact_tuples_returned(oid))::bigint
from (select 'postrider.lane'::regclass::oid as oid
      union all select indexrelid from pg_index where indrelid = 'postrider.lane'::regclass) r)"};
        auto const before = tx.query(read).at(0).int64(0);
        EXPECT_EQ(list_lanes(tx, {.status = "ready"}, "", 10).size(), 1u);
        EXPECT_EQ(list_lanes(tx, {}, "", 10).size(), 1u);
        return tx.query(read).at(0).int64(0) - before;
    });

    EXPECT_LE(rows, 100);
}

TEST_F(pauses, a_job_is_told_in_full) {
    auto const job = world.job(world.lane("a"), "waiting");
    world.effect(job, "x", "at_most_once", "unknown");
    world.execute(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type) select job_id, "
        "lane_id, '2100-01-01T10:00:00Z', 'w', 'go' from postrider.job"
    );

    world.in_transaction([job](storage::transaction& tx) {
        auto all = read_job_details(tx, job);
        ASSERT_TRUE(all);
        EXPECT_EQ(all->job.waiting_for, "event go until 2100-01-01 10:00:00Z");
        EXPECT_EQ(all->input.at("a").as_int64(), 1);
        EXPECT_EQ(all->steps.size(), 2u);
        EXPECT_EQ(all->effects.at(0).state, "unknown");
        EXPECT_EQ(all->waits.at(0).until, "2100-01-01T10:00:00.000000Z");
        auto doubt = list_effects_in_doubt(tx, {}, 10).effects;
        ASSERT_EQ(doubt.size(), 1u);
        EXPECT_EQ(doubt[0].lane + ' ' + doubt[0].effect.key, "a x");
        EXPECT_FALSE(read_job_details(tx, job_id{987654}));
    });
}

TEST_F(pauses, a_page_of_effects_in_doubt_ends_with_all_of_a_job) {
    auto const older = world.job(world.lane("a"), "completed");
    auto const newer = world.job(world.lane("b"), "completed");
    for (auto const* key : {"x", "y"}) {
        world.effect(older, key, "at_most_once", "unknown");
        world.effect(newer, key, "at_most_once", "unknown");
    }

    world.in_transaction([older, newer](storage::transaction& tx) {
        auto const first = list_effects_in_doubt(tx, {}, 1);
        EXPECT_EQ(first.effects.size(), 2u);
        EXPECT_EQ(first.effects.back().job, base::raw(newer));
        EXPECT_EQ(first.continues, newer);
        auto const last = list_effects_in_doubt(tx, first.continues, 2);
        EXPECT_EQ(last.effects.size(), 2u);
        EXPECT_EQ(last.effects.back().job, base::raw(older));
        EXPECT_EQ(last.continues, std::nullopt);
    });
}

// Its node died before it could put the job back.
// covers: E.12
TEST_F(pauses, that_are_over_hold_no_lane_whose_node_is_gone) {
    world.job(world.lane("a"), "available");
    everything(pause_all);
    world.execute("update postrider.lane_run set asked = 'hold', node_id = null");
    EXPECT_EQ(lane("a"), "hold");

    everything(resume_all);

    EXPECT_EQ(lane("a"), "ready");
}

} // namespace
} // namespace postrider::queue::pauses_test
