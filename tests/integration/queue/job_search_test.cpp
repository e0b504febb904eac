// Rare jobs are found behind many others, by the lanes that have work.
#include "queue/admin/created_ids.hpp"
#include "tests/integration/queue/operations_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::job_search_test {
namespace {

using queue::job_filter;
using queue::job_state;
using testing::ElementsAre;
using testing::SizeIs;

class job_search : public testing::Test {
protected:
    std::vector<job_id> find(job_filter filter, int limit = 10) {
        return world.get<std::vector<job_id>>([=](storage::transaction& tx) {
            return queue::matching_jobs(tx, filter, std::nullopt, limit);
        });
    }
    // More than are looked at one by one, in 200 lanes, a minute apart and the last one now.
    void add_completed(int count) {
        world.execute("insert into postrider.lane (lane_key) select 'many:' || i from "
                      "generate_series(1, 200) i");
        world.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, "
            "started_at, finished_at, run_no, state, kind) select nextval('postrider.number'), "
            "(select min(lane_id) from postrider.lane where lane_key like 'many:%') + i % 200, 1, "
            "1, "
            "postrider.now() - interval '1 minute' * (" +
            std::to_string(count) + " - i), postrider.now(), postrider.now(), 1, 'completed', " +
            "'turn' from generate_series(1, " + std::to_string(count) + ") i"
        );
    }
    base::sys_time at(std::string const& instant) {
        return *base::from_iso8601(world.value("select postrider.iso(" + instant + ")"));
    }

    // Ids that are found and are over are those whose timers are left.
    void expect_all(std::string const& after) {
        EXPECT_EQ(
            world.value("select string_agg(j.job_id || ' ' || j.state, ', ' order by j.job_id) "
                        "from postrider.job j full join postrider.unfinished_jobs() u using "
                        "(job_id) left join postrider.timer t using (job_id) "
                        "where (j.finished_at is null) <> (u.job_id is not null) "
                        "and (j.finished_at is null or t.job_id is null)"),
            ""
        ) << after;
    }

    operations_world world;
};

TEST_F(job_search, finds_what_is_not_over_behind_many_that_are) {
    auto const waiting = world.job(world.lane("1:5:0"), "waiting");
    auto const scheduled = world.job(world.lane("1:6:0"), "scheduled");
    auto const paused = world.job(world.lane("1:7:0"), "paused");
    add_completed(6000);
    auto const running = world.job(world.lane("1:8:0"), "running");

    EXPECT_THAT(find({.states = {job_state::waiting}}), ElementsAre(waiting));
    EXPECT_THAT(find({.states = {job_state::running}}), ElementsAre(running));
    EXPECT_THAT(
        find({.states = {job_state::running, job_state::scheduled, job_state::waiting}}),
        ElementsAre(running, scheduled, waiting)
    );
    EXPECT_THAT(
        find({.states = {job_state::running, job_state::paused}}, 2), ElementsAre(running, paused)
    );
}

TEST_F(job_search, finds_every_job_that_is_not_over) {
    for (auto const* state :
         {"available",
          "running",
          "waiting",
          "retryable",
          "scheduled",
          "paused",
          "completed",
          "failed",
          "cancelled"})
        world.job(world.lane(std::string("1:1") + state), state);
    expect_all("each alone");

    auto const blocked = world.lane("1:2:0");
    auto const first = world.job(blocked, "waiting");
    for (auto const* state : {"available", "paused", "scheduled", "available"})
        world.job(blocked, state);
    expect_all("behind a job that waits");
    // Without a deadline: for an event, or for an approval.
    world.execute(
        "insert into postrider.wait (job_id, lane_id, key, type, until_at) select job_id, lane_id, "
        "'first', 'approval', 'infinity' from postrider.job where job_id = " +
        base::to_string(first)
    );
    world.execute("update postrider.job set due_at = 'infinity' where state = 'waiting'");
    world.execute("select postrider.lane_refresh(lane_id) from postrider.busy_lane");
    EXPECT_EQ(
        world.value(
            "select ready_at from postrider.lane_run where lane_id = " + base::to_string(blocked)
        ),
        "infinity"
    );
    expect_all("behind a job that waits for ever");

    auto const running = world.job(world.lane("1:3:0"), "running");
    world.operate(running, queue::operation::pause);
    expect_all("asked to pause");
    world.execute(
        "update postrider.lane_run set node_id = null, suspect = 1 where lane_id = " +
        base::to_string(world.lane("1:3:0"))
    );
    expect_all("lost with its node");

    for (auto const* state : {"available", "waiting", "retryable", "scheduled"}) {
        auto const job = world.job(world.lane("1:4:0"), state);
        world.operate(job, queue::operation::pause);
        expect_all(std::string("paused when ") + state);
        world.operate(job, queue::operation::resume);
        expect_all(std::string("resumed when ") + state);
    }
    world.operate(world.job(world.lane("1:5:0"), "scheduled"), queue::operation::cancel);
    world.operate(world.job(world.lane("1:6:0"), "failed"), queue::operation::restart);
    expect_all("ended before its time, and begun anew");

    for (auto const* pause : {"lane_pause('1:2:0')", "bot_pause('main')", "pause_all()"}) {
        world.value(std::string("select code from postrider.") + pause);
        expect_all(pause);
        world.job(world.lane("1:2:0"), "available");
        world.job(world.lane(std::string("1:7") + pause[0]), "available");
        expect_all(std::string("arrived after ") + pause);
    }
}

TEST_F(job_search, finds_jobs_of_few_lanes_and_of_many) {
    auto const old = world.job(world.lane("1:5:0"), "completed");
    add_completed(6000);

    EXPECT_THAT(find({.lane_text = ":5:"}), ElementsAre(old));
    EXPECT_THAT(find({.states = {job_state::failed}, .lane_text = ":5:"}), SizeIs(0));
    EXPECT_THAT(find({.lane_text = "many:"}), SizeIs(10));
    EXPECT_THAT(find({.lane_text = "many:200"}, 50), SizeIs(30));
    EXPECT_THAT(find({.lane_text = "none"}), SizeIs(0));
}

TEST_F(job_search, knows_the_ids_of_a_time_without_a_look_at_others) {
    add_completed(20'000); // in blocks of 8,000 ids
    auto const newest = std::stoll(world.value("select max(job_id) from postrider.job"));
    auto const between = [&](std::string const& from, std::string const& until) {
        return world.get<std::optional<queue::id_range>>([&](storage::transaction& tx) {
            return queue::ids_created_between(tx, at(from), at(until));
        });
    };
    // The first job is 20,000 minutes old.
    auto const early =
        between("postrider.now() - interval '20001 min'", "postrider.now() - interval '19990 min'");
    auto const late =
        between("postrider.now() - interval '5 min'", "postrider.now() + interval '1 day'");
    auto const never =
        between("postrider.now() - interval '90 days'", "postrider.now() - interval '80 days'");

    ASSERT_TRUE(early && late);
    EXPECT_LT(base::raw(early->end), newest - 8'000);
    EXPECT_GT(base::raw(late->first), newest - 8'000);
    EXPECT_GT(base::raw(late->end), newest);
    EXPECT_FALSE(never);
}

TEST_F(job_search, finds_rare_flows_and_errors_behind_many_others) {
    auto const rare = world.job(world.lane("1:5:0"), "failed");
    auto const other = world.job(world.lane("1:5:0"), "failed");
    world.execute(
        "update postrider.job set input = '{\"flow\": \"rare\"}', error_class = 'refused' "
        "where job_id = " +
        base::to_string(rare)
    );
    add_completed(6000);

    EXPECT_THAT(find({.flow = "rare"}), ElementsAre(rare));
    EXPECT_THAT(find({.flow = "none"}), SizeIs(0));
    EXPECT_THAT(find({.error_class = "refused"}), ElementsAre(rare));
    EXPECT_THAT(find({.states = {job_state::failed}, .flow = "rare"}), ElementsAre(rare));
    EXPECT_THAT(find({.states = {job_state::completed}, .flow = "rare"}), SizeIs(0));
    EXPECT_THAT(find({.flow = "rare", .error_class = "refused"}), ElementsAre(rare));
    EXPECT_THAT(find({.states = {job_state::failed}}), ElementsAre(other, rare));
}

TEST_F(job_search, finds_jobs_of_a_time_also_where_the_clock_was_set_back) {
    add_completed(200);
    auto const late = world.job(world.lane("1:5:0"), "completed");
    world.execute(
        "update postrider.job set created_at = postrider.now() - interval '30 days' where job_id "
        "= " +
        base::to_string(late)
    );

    EXPECT_THAT(
        find({.created_after = at("postrider.now() - interval '9.5 minutes'")}, 50), SizeIs(10)
    );
    EXPECT_THAT(find({.created_after = at("postrider.now() + interval '1 day'")}), SizeIs(0));
    EXPECT_THAT(
        find({.created_before = at("postrider.now() - interval '1 day'")}), ElementsAre(late)
    );
}

} // namespace
} // namespace postrider::tests::job_search_test
