// Each operation in each state, on jobs written by hand.
#include "tests/integration/queue/operations_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

namespace postrider::queue::operations_test {
namespace {

using testing::HasSubstr;

constexpr std::array<char const*, 9> states{
    "available",
    "scheduled",
    "running",
    "waiting",
    "retryable",
    "completed",
    "failed",
    "cancelled",
    "paused"};

// In the order of `states`: the code, and the state afterwards where it is another one.
struct table_row {
    operation request;
    std::array<char const*, 9> ends;
};

constexpr table_row table[] = {
    {operation::cancel,
     {"done cancelled",
      "done cancelled",
      "asked",
      "done cancelled",
      "done cancelled",
      "over",
      "over",
      "unchanged",
      "done cancelled"}},
    {operation::roll_back,
     {"asked",
      "done cancelled",
      "asked",
      "asked",
      "asked",
      "over",
      "over",
      "unchanged",
      "asked available"}},
    {operation::retry,
     {"not_failed",
      "not_failed",
      "not_failed",
      "not_failed",
      "done",
      "not_failed",
      "done available",
      "not_failed",
      "not_failed"}},
    {operation::restart,
     {"in_line",
      "in_line",
      "running",
      "done available",
      "done available",
      "done available",
      "done available",
      "done available",
      "done available"}},
    {operation::fork,
     {"done",
      "done available",
      "done available",
      "done available",
      "done available",
      "done available",
      "done available",
      "done available",
      "done available"}},
    {operation::pause,
     {"done paused",
      "done paused",
      "asked",
      "done paused",
      "done paused",
      "over",
      "over",
      "over",
      "unchanged"}},
    {operation::resume,
     {"unchanged",
      "unchanged",
      "unchanged",
      "unchanged",
      "unchanged",
      "over",
      "over",
      "over",
      "done available"}},
    {operation::send_event,
     {"done", "done", "done", "done", "done", "over", "over", "over", "done"}},
};

class each_operation : public testing::TestWithParam<table_row> {
protected:
    // All there is of a job, as one text.
    std::string everything(job_id job) {
        auto const id = base::to_string(job);
        return world.value(
            "select concat((select j::text from postrider.job j where job_id = " + id +
            "), (select string_agg(s::text, '') from postrider.step s where job_id = " + id +
            "), (select string_agg(r::text, '') from postrider.busy_lane r))"
        );
    }

    // A lane has a row exactly while a job of it may still run.
    void expect_lanes_in_order(std::string const& after) {
        EXPECT_EQ(
            world.value("select count(*) from postrider.lane l where exists (select from "
                        "postrider.busy_lane r where r.lane_id = l.lane_id) <> exists (select from "
                        "postrider.job j where j.lane_id = l.lane_id and j.state in ('available', "
                        "'running', 'waiting', 'retryable'))"),
            "0"
        ) << after;
        EXPECT_EQ(
            world.value("select count(*) from postrider.busy_lane r where head > (select "
                        "min(job_id) from postrider.job j where j.lane_id = r.lane_id and "
                        "j.state in ('available', 'running', 'waiting', 'retryable'))"),
            "0"
        ) << after;
    }

    tests::operations_world world;
};

// covers: E.12
TEST_P(each_operation, has_a_defined_result_in_each_state) {
    for (std::size_t i = 0; i < states.size(); ++i) {
        std::string const state = states[i];
        std::string const expected = GetParam().ends[i];
        auto const space = expected.find(' ');
        auto const code = expected.substr(0, space);
        auto const after = space == expected.npos ? state : expected.substr(space + 1);
        SCOPED_TRACE(state);
        auto const job = world.job(world.lane(state), state);
        auto const before = everything(job);

        auto const result = world.operate(job, GetParam().request);

        EXPECT_EQ(result.code, code) << result.detail;
        EXPECT_EQ(result.state, after);
        EXPECT_EQ(result.done, code == "done" || code == "asked" || code == "unchanged");
        ASSERT_TRUE(result.job);
        EXPECT_EQ(world.of(*result.job, "state"), after);
        if (!result.done || code == "unchanged") {
            EXPECT_EQ(everything(job), before);
            EXPECT_NE(result.detail, "");
        }
        if (state == "running") {
            EXPECT_EQ(world.of(job, "state"), "running");
        }
        expect_lanes_in_order(state);
    }
}

TEST_P(each_operation, of_a_job_that_does_not_exist_is_refused) {
    auto const result = world.operate(job_id{987654321}, GetParam().request);

    EXPECT_FALSE(result.done);
    EXPECT_EQ(result.code, "not_found");
    EXPECT_THAT(result.detail, HasSubstr("987654321"));
}

INSTANTIATE_TEST_SUITE_P(
    operations,
    each_operation,
    testing::ValuesIn(table),
    [](auto const& param_info) {
        auto name = std::string(to_string(param_info.param.request));
        return name == "send-event" ? std::string("send_event") : name;
    }
);

class operations : public testing::Test {
protected:
    tests::operations_world world;
};

TEST_F(operations, a_running_job_is_asked_through_its_lane) {
    auto const job = world.job("running");

    auto const paused = world.operate(job, operation::pause);
    auto const asked = world.value("select asked from postrider.busy_lane");
    auto const cancelled = world.operate(job, operation::roll_back);
    auto const again = world.operate(job, operation::pause);

    EXPECT_EQ(paused.code, "asked");
    EXPECT_EQ(asked, "pause");
    EXPECT_EQ(cancelled.code, "asked");
    EXPECT_EQ(world.of(job, "asked"), "rollback");
    EXPECT_EQ(world.value("select asked from postrider.busy_lane"), "rollback");
    EXPECT_EQ(again.code, "cancelling");
}

TEST_F(operations, a_pause_that_no_worker_has_seen_is_withdrawn) {
    auto const job = world.job("running");
    (void)world.operate(job, operation::pause);

    auto const resumed = world.operate(job, operation::resume);

    EXPECT_EQ(resumed.code, "done");
    EXPECT_EQ(world.of(job, "asked"), "");
    EXPECT_EQ(world.value("select asked from postrider.busy_lane"), "");
}

TEST_F(operations, cancelling_settles_what_was_planned_and_forgets_what_was_waited_for) {
    auto const job = world.job("waiting");
    auto const id = base::to_string(job);
    world.effect(job, "a", "at_least_once", "planned");
    world.effect(job, "b", "at_least_once", "started");
    world.execute(
        "insert into postrider.message (lane_id, job_id, conversation_id, position, role, "
        "delivery, "
        "id, content) select lane_id, job_id, 1, 1, 'assistant', 'pending', 'm', 'hi' from "
        "postrider.job where job_id = " +
        id
    );
    world.execute(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type) select job_id, lane_id, "
        "postrider.now(), 'w', 'go' from postrider.job where job_id = " +
        id
    );

    auto const result = world.operate(job, operation::cancel);

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(world.effects(job), "a failed, b unknown");
    EXPECT_EQ(world.value("select delivery from postrider.message"), "unknown");
    EXPECT_EQ(world.value("select count(*) from postrider.wait"), "0");
    EXPECT_EQ(world.value("select count(*) from postrider.busy_lane"), "0");
}

TEST_F(operations, cancelling_the_first_of_a_lane_lets_the_next_be_ready) {
    auto const lane = world.lane("1:5:0");
    auto const first = world.job(lane, "waiting");
    auto const second = world.job(lane, "available");

    (void)world.operate(first, operation::cancel);

    EXPECT_EQ(
        world.value("select head || ' ' || (ready_at <= postrider.now()) from postrider.busy_lane"),
        base::to_string(second) + " true"
    );
}

TEST_F(operations, a_paused_job_goes_on_where_it_was) {
    auto const scheduled = world.job(world.lane("a"), "scheduled");
    auto const retryable = world.job(world.lane("b"), "retryable");
    auto const due = world.of(scheduled, "due_at");

    for (auto job : {scheduled, retryable}) (void)world.operate(job, operation::pause);
    auto const no_lanes = world.value("select count(*) from postrider.busy_lane");
    for (auto job : {scheduled, retryable}) (void)world.operate(job, operation::resume);

    EXPECT_EQ(no_lanes, "0");
    EXPECT_EQ(world.of(scheduled, "state || ' ' || due_at"), "scheduled " + due);
    EXPECT_EQ(world.of(retryable, "state"), "retryable");
    EXPECT_EQ(
        world.value("select count(*) from postrider.busy_lane r join postrider.job j "
                    "on j.job_id = r.head where r.ready_at = j.due_at"),
        "1"
    );
    EXPECT_EQ(
        world.value(
            "select count(*) from postrider.timer t join postrider.job j using (job_id, due_at)"
        ),
        "1"
    );
}

TEST_F(operations, an_event_that_came_during_the_pause_wakes_the_resumed_job) {
    auto const job = world.job("waiting");
    world.execute(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type, match) select job_id, "
        "lane_id, due_at, 'w', 'approval', '7' from postrider.job"
    );
    (void)world.operate(job, operation::pause);
    (void
    )world.operate(job, {.operation = operation::send_event, .event = {"approval", true, "8"}});
    (void)world.operate(job, operation::resume);
    auto const still = world.of(job, "due_at > postrider.now()");
    (void)world.operate(job, operation::pause);
    auto const sent =
        world.operate(job, {.operation = operation::send_event, .event = {"approval", true, "7"}});
    (void)world.operate(job, operation::resume);

    EXPECT_EQ(still, "t");
    EXPECT_EQ(sent.code, "done");
    EXPECT_EQ(world.of(job, "state"), "waiting");
    EXPECT_EQ(world.of(job, "due_at <= postrider.now()"), "t");
    EXPECT_EQ(world.value("select ready_at <= postrider.now() from postrider.busy_lane"), "t");
}

TEST_F(operations, an_event_wakes_the_job_that_waits_for_it) {
    auto const job = world.job("waiting");
    world.execute(
        "insert into postrider.wait (job_id, lane_id, until_at, key, type) select job_id, lane_id, "
        "due_at, 'w', 'go' from postrider.job"
    );

    auto const other =
        world.operate(job, {.operation = operation::send_event, .event = {"stop", nullptr, {}}});
    auto const kept = world.of(job, "due_at > postrider.now()");
    auto const sent = world.operate(job, operation::send_event);
    auto const untyped = world.operate(job, {.operation = operation::send_event, .event = {}});

    EXPECT_THAT(other.detail, HasSubstr("kept"));
    EXPECT_EQ(kept, "t");
    EXPECT_THAT(sent.detail, HasSubstr("waited"));
    EXPECT_EQ(world.of(job, "due_at <= postrider.now()"), "t");
    EXPECT_EQ(world.value("select count(*) from postrider.event"), "2");
    EXPECT_EQ(untyped.code, "invalid");
}

TEST_F(operations, many_jobs_at_once_are_counted_and_refusals_told) {
    std::vector<job_id> jobs{job_id{424242}};
    for (auto state : states) jobs.push_back(world.job(world.lane(state), state));

    auto const all = world.get<bulk_result>([&](storage::transaction& tx) {
        return operate_on(tx, jobs, {operation::cancel, {}, {}, {}});
    });

    EXPECT_EQ(all.done, 7);
    EXPECT_EQ(all.asked, 1);
    ASSERT_EQ(all.refused.size(), 3u);
    EXPECT_EQ(world.value("select count(*) from postrider.job where state = 'cancelled'"), "6");
}

TEST_F(operations, jobs_are_chosen_by_what_they_are) {
    auto const failed = world.job(world.lane("1:5:0"), "failed");
    auto const done = world.job(world.lane("1:66:0"), "completed");
    auto choose = [&](job_filter filter, std::optional<job_id> before = {}, int limit = 10) {
        return world.get<std::vector<job_id>>([=](storage::transaction& tx) {
            return matching_jobs(tx, filter, before, limit);
        });
    };
    auto const minute_ago = [&] {
        return *base::from_iso8601(
            world.value("select to_char((now() - interval '30 s') at time zone 'UTC', "
                        "'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"')")
        );
    }();

    using testing::ElementsAre;
    EXPECT_THAT(choose({}), ElementsAre(done, failed));
    EXPECT_THAT(choose({}, done), ElementsAre(failed));
    EXPECT_THAT(choose({}, {}, 1), ElementsAre(done));
    EXPECT_THAT(choose({.states = {job_state::failed, job_state::paused}}), ElementsAre(failed));
    EXPECT_THAT(choose({.error_class = "invalid"}), ElementsAre(failed));
    EXPECT_THAT(choose({.kind = "turn"}), ElementsAre());
    EXPECT_THAT(choose({.lane = "1:66:0"}), ElementsAre(done));
    EXPECT_THAT(choose({.lane_text = ":66"}), ElementsAre(done));
    EXPECT_THAT(choose({.created_before = minute_ago}), ElementsAre(done, failed));
    EXPECT_THAT(choose({.created_after = minute_ago}), ElementsAre());

    EXPECT_THAT(choose({.degraded = true}), ElementsAre());
    world.value(
        "update postrider.job set degraded = true, error_class = 'timeout' where job_id = " +
        base::to_string(done) + " returning job_id"
    );
    EXPECT_THAT(choose({.degraded = true}), ElementsAre(done));
    EXPECT_THAT(
        choose({.states = {job_state::failed}, .degraded = true}), ElementsAre(done, failed)
    );
}

// A node that is lost leaves what was asked of its job in the lane's row.
TEST_F(operations, a_request_goes_with_the_job_that_it_was_for) {
    auto const older = world.job("completed");
    auto const first = world.job("available");
    auto const second = world.job("available");
    auto const leave_request = [&] {
        world.execute("update postrider.lane_run set asked = 'cancel'");
    };

    leave_request();
    world.operate(first, operation::cancel);
    EXPECT_EQ(world.value("select asked from postrider.lane_run"), "") << "asked of the second";

    leave_request();
    world.operate(older, operation::restart);
    EXPECT_EQ(world.value("select asked from postrider.lane_run"), "") << "asked of the older one";
    EXPECT_EQ(world.of(second, "state"), "available");
}

} // namespace

} // namespace postrider::queue::operations_test
