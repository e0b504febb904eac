// Jobs begun anew: what of the record stays, what is put aside, what is done again.
#include "tests/integration/queue/operations_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::queue::restarts_test {
namespace {

using testing::HasSubstr;

class restarts : public testing::Test {
protected:
    // As the agent writes it: the user's message and an answer.
    void messages(job_id job, std::string const& delivery) {
        auto const id = base::to_string(job);
        world.execute(
            "insert into postrider.message (lane_id, job_id, conversation_id, created_at, "
            "position, "
            "role, delivery, id, content) select lane_id, job_id, 1, created_at + at * interval "
            "'1 s', position, role, delivery, role || job_id || position, role || position "
            "from postrider.job, (values (0.5, 0, 'user', null), (1.05, 1, 'tool', null), "
            "(2.05, 2, 'assistant', '" +
            delivery +
            "')) m(at, position, role, delivery) "
            "where job_id = " +
            id
        );
    }

    std::string history(job_id job) {
        return world.value(
            "select string_agg(position || ' ' || content, ', ' order by position) from "
            "postrider.message where job_id = " +
            base::to_string(job)
        );
    }

    operation_result settle(job_id job, std::string const& key, effect_settlement settlement) {
        return world.get<operation_result>([&](storage::transaction& tx) {
            return settle_effect(tx, job, key, settlement);
        });
    }

    tests::operations_world world;
};

TEST_F(restarts, a_retry_goes_on_from_the_record_and_tries_the_failed_step_anew) {
    auto const job = world.job("failed");
    world.execute("update postrider.job set lost = 3, deadline_at = created_at + interval '10 s'");

    auto const result = world.operate(job, operation::retry);

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(world.steps(job), "first done, second~1 failed");
    EXPECT_EQ(
        world.of(job, "concat_ws(',', lost, restarts, arrival, error_class, error, finished_at)"),
        "0,1,0"
    );
    EXPECT_EQ(world.of(job, "deadline_at between now() and now() + interval '10 s'"), "t");
    EXPECT_EQ(world.value("select ready_at <= postrider.now() from postrider.busy_lane"), "t");
}

TEST_F(restarts, a_second_retry_keeps_the_record_of_the_first) {
    auto const job = world.job("failed");
    (void)world.operate(job, operation::retry);
    world.step(job, 2, "second", "failed");
    world.execute("update postrider.job set state = 'failed', error_class = 'invalid', "
                  "finished_at = postrider.now()");

    auto const result = world.operate(job, operation::retry);

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(world.steps(job), "first done, second~1 failed, second~2 failed");
}

TEST_F(restarts, a_failure_that_was_caught_is_not_tried_again) {
    auto const job = world.job("failed"); // first done, second failed
    world.step(job, 3, "instead", "done");
    world.step(job, 4, "last", "failed");

    (void)world.operate(job, operation::retry);

    EXPECT_EQ(world.steps(job), "first done, second failed, instead done, last~1 failed");
}

TEST_F(restarts, a_job_that_lost_its_processes_is_tried_again_with_its_whole_record) {
    auto const job = world.job("completed");
    world.step(job, 0, "zero", "failed"); // caught
    world.execute("update postrider.job set state = 'failed', error_class = 'lost', lost = 3");

    (void)world.operate(job, operation::retry);

    EXPECT_EQ(world.steps(job), "zero failed, first done, second done");
    EXPECT_EQ(world.of(job, "lost"), "0");
}

TEST_F(restarts, a_retry_of_a_waiting_retry_does_not_wait_any_longer) {
    auto const job = world.job("retryable");

    (void)world.operate(job, operation::retry);

    EXPECT_EQ(world.of(job, "due_at <= postrider.now()"), "t");
    EXPECT_EQ(
        world.value("select bool_and(next_at <= postrider.now()) from postrider.step where "
                    "outcome = 'retry'"),
        "t"
    );
    EXPECT_EQ(world.value("select ready_at <= postrider.now() from postrider.busy_lane"), "t");
}

// covers: E.14
TEST_F(restarts, a_retry_does_not_repeat_what_nobody_knows_of) {
    auto const job = world.job("failed");
    world.effect(job, "second", "at_most_once", "unknown");

    auto const refused = world.operate(job, operation::retry);
    auto const steps = world.steps(job);
    auto const settled = settle(job, "second", effect_settlement::done);
    auto const retried = world.operate(job, operation::retry);

    EXPECT_EQ(refused.code, "in_doubt");
    EXPECT_THAT(refused.detail, HasSubstr("second"));
    EXPECT_EQ(steps, "first done, second failed");
    EXPECT_EQ(settled.code, "done");
    EXPECT_EQ(retried.code, "done");
    EXPECT_EQ(world.steps(job), "first done, second done, second~1 failed")
        << "what was settled as done counts as done";
    EXPECT_EQ(world.effects(job), "second done");
}

TEST_F(restarts, a_retry_plans_a_declined_send_anew_and_keeps_the_old_one) {
    auto const job = world.job("failed");
    world.effect(job, "second", "at_least_once", "failed");
    world.effect(job, "third", "at_least_once", "failed"); // never begun

    (void)world.operate(job, operation::retry);

    EXPECT_EQ(world.effects(job), "second planned, second~1 failed, third planned, third~1 failed");
    EXPECT_EQ(world.value("select bool_or(flagged) from postrider.effect"), "f");
}

TEST_F(restarts, a_job_that_was_rolled_back_is_restarted_from_the_top_only) {
    auto const job = world.job("failed");
    world.execute("update postrider.job set rolling_back = '{}'");

    auto const retried = world.operate(job, operation::retry);
    auto const partly = world.operate(job, {operation::restart, "second"});
    auto const wholly = world.operate(job, operation::restart);

    EXPECT_EQ(retried.code, "rolled_back");
    EXPECT_EQ(partly.code, "rolled_back");
    EXPECT_EQ(wholly.code, "done");
    EXPECT_EQ(world.of(job, "rolling_back is null"), "t");
}

TEST_F(restarts, a_restart_from_a_step_keeps_what_came_before_it) {
    auto const job = world.job("completed");
    world.step(job, 3, "third", "done");
    world.effect(job, "second", "at_least_once", "done"); // planned by first
    messages(job, "sent");

    auto const result = world.operate(job, {operation::restart, "second"});

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(world.steps(job), "first done, second~1 done, third~1 done");
    EXPECT_EQ(world.effects(job), "second planned, second~1 done");
    EXPECT_EQ(history(job), "-1 assistant2, 0 user0, 1 tool1")
        << "what was sent stays in the history, out of the way of what comes";
    EXPECT_EQ(world.of(job, "restarts || ' ' || coalesce(output::text, '-')"), "1 -");
}

TEST_F(restarts, a_restart_from_the_top_keeps_nothing_but_the_history_of_what_was_sent) {
    auto const job = world.job("cancelled");
    world.effect(job, "second", "at_least_once", "done");
    messages(job, "failed");

    (void)world.operate(job, operation::restart);

    EXPECT_EQ(world.steps(job), "first~1 done, second~1 done");
    EXPECT_EQ(world.effects(job), "second~1 done");
    EXPECT_EQ(history(job), "0 user0");
}

TEST_F(restarts, a_step_that_is_not_in_the_record_is_refused_with_those_that_are) {
    auto const job = world.job("completed");

    for (auto operation : {operation::restart, operation::fork}) {
        auto const result = world.operate(job, {operation, "secnd"});

        EXPECT_EQ(result.code, "no_step");
        EXPECT_THAT(result.detail, HasSubstr("first, second"));
    }
    EXPECT_EQ(world.steps(job), "first done, second done");
    EXPECT_EQ(world.value("select count(*) from postrider.job"), "1");
}

TEST_F(restarts, a_fork_is_a_job_of_its_own_with_the_record_before_the_step) {
    auto const job = world.job("completed");
    world.effect(job, "second", "at_least_once", "done");
    messages(job, "sent");

    auto const result = world.operate(job, {operation::fork, "second"});

    ASSERT_EQ(result.code, "done") << result.detail;
    ASSERT_TRUE(result.job);
    auto const fork = *result.job;
    EXPECT_GT(fork, job);
    EXPECT_EQ(
        world.of(fork, "forked_from || ' ' || input::text"), base::to_string(job) + " {\"a\": 1}"
    );
    EXPECT_EQ(world.of(fork, "started_at is not null"), "t") << "else its record is not read";
    EXPECT_EQ(world.steps(fork), "first done");
    EXPECT_EQ(world.effects(fork), "second planned");
    EXPECT_EQ(history(fork), "0 user0, 1 tool1");
    EXPECT_EQ(world.steps(job), "first done, second done");
    EXPECT_EQ(world.of(job, "state"), "completed");
}

TEST_F(restarts, a_fork_may_have_another_input) {
    auto const job = world.job("running");

    auto const result = world.operate(job, {operation::fork, {}, boost::json::value{{"b", 2}}});

    EXPECT_EQ(world.of(*result.job, "input::text || ' ' || run_no"), "{\"b\": 2} 0");
    EXPECT_EQ(world.steps(*result.job), "");
    EXPECT_EQ(
        world.value("select head || ' ' || node_id from postrider.busy_lane"),
        base::to_string(job) + " 7"
    );
}

TEST_F(restarts, another_input_of_a_flow_is_its_data) {
    auto const job = world.job("completed");
    world.execute(
        "update postrider.job set input = '{\"flow\": \"f\", \"version\": 1, \"data\": {\"x\": 1}}'"
    );

    auto const data = world.operate(job, {operation::fork, {}, boost::json::value{{"x", 2}}});
    auto const whole = world.operate(
        job, {operation::fork, {}, boost::json::value{{"flow", "g"}, {"version", 3}}}
    );
    world.execute(
        "update postrider.job set input = input || '{\"chat\": 5}' where job_id = " +
        base::to_string(job)
    );
    auto const message = world.operate(job, {operation::fork, {}, boost::json::value{{"x", 2}}});

    EXPECT_EQ(
        world.of(
            data.job.value(), "concat_ws(' ', input -> 'flow', input -> 'version', input -> 'data')"
        ),
        "\"f\" 1 {\"x\": 2}"
    );
    EXPECT_EQ(
        world.of(whole.job.value(), "concat_ws(' ', input -> 'flow', input -> 'data')"), "\"g\""
    );
    EXPECT_EQ(message.code, "invalid");
    EXPECT_THAT(message.detail, HasSubstr("it answers a message"));
}

TEST_F(restarts, a_flows_fork_that_answers_nobody_is_no_job_of_its_lane) {
    auto const job = world.job("completed");
    world.execute("update postrider.job set input = '{\"flow\": \"f\", \"version\": 1}'");
    world.execute("update postrider.lane set mailbox = 'coalesce'");
    messages(job, "sent");

    auto const fork = world.operate(job, {operation::fork, "second"}).job.value();
    auto const again = world.operate(fork, operation::fork).job.value();
    auto const answering = world.operate(job, {.operation = operation::fork, .answer = true});
    auto const refused = world.operate(fork, {.operation = operation::fork, .answer = true});

    auto const lane_of = [this](job_id of) {
        return world.of(
            of,
            "(select l.lane_key || ' ' || l.mailbox || ' ' || l.bot_id from postrider.lane l "
            "where l.lane_id = job.lane_id)"
        );
    };
    EXPECT_EQ(lane_of(fork), "fork:" + base::to_string(fork) + " queue 1");
    EXPECT_EQ(lane_of(again), "fork:" + base::to_string(again) + " queue 1");
    EXPECT_EQ(lane_of(*answering.job), lane_of(job));
    EXPECT_EQ(history(fork), "0 user0, 1 tool1");
    for (auto const each : {fork, again})
        EXPECT_EQ(world.of(each, "input -> 'history' ->> 'before'"), base::to_string(job))
            << "a fork of a fork stands where the original does";
    EXPECT_EQ(world.of(*answering.job, "input ? 'history'"), "f");
    EXPECT_EQ(refused.code, "silent");
    EXPECT_THAT(refused.detail, HasSubstr(base::to_string(job)));
    EXPECT_EQ(
        world.value(
            "select count(*) from postrider.busy_lane where node_id is null and ready_at <= "
            "postrider.now()"
        ),
        "3"
    );
}

// covers: E.14
TEST_F(restarts, effects_in_doubt_are_settled_and_others_are_not) {
    auto const over = world.job(world.lane("a"), "completed");
    auto const parked = world.job(world.lane("b"), "waiting");
    auto const running = world.job(world.lane("c"), "running");
    world.effect(over, "x", "at_least_once", "started");
    world.effect(over, "y", "at_most_once", "unknown");
    world.effect(over, "z", "at_least_once", "done");
    world.effect(parked, "x", "at_least_once", "started");
    world.effect(running, "x", "at_most_once", "unknown");

    EXPECT_EQ(settle(over, "x", effect_settlement::done).code, "done");
    EXPECT_EQ(settle(over, "y", effect_settlement::drop).code, "done");
    EXPECT_EQ(settle(over, "z", effect_settlement::drop).code, "not_in_doubt");
    EXPECT_EQ(settle(parked, "x", effect_settlement::drop).code, "not_in_doubt");
    EXPECT_EQ(settle(running, "x", effect_settlement::drop).code, "running");
    auto const unknown = settle(over, "w", effect_settlement::done);
    EXPECT_EQ(unknown.code, "not_found");
    EXPECT_THAT(unknown.detail, HasSubstr("x, y, z"));
    EXPECT_EQ(settle(job_id{987654}, "x", effect_settlement::done).code, "not_found");
    EXPECT_EQ(world.effects(over), "x done, y failed, z done");
    EXPECT_EQ(
        world.value("select postrider.effect_settle(" + base::to_string(over) + ", 'x', 'maybe')"),
        "(" + base::to_string(over) +
            ",,f,completed,invalid,\"an effect is settled as done, resend or drop\")"
    );
}

TEST_F(restarts, a_doubtful_duplicate_can_be_acknowledged) {
    auto const job = world.job("completed");
    world.effect(job, "x", "at_least_once", "done");
    world.execute("update postrider.effect set flagged = true");
    auto const before = world.value("select count(*) from postrider.effects_in_doubt");

    auto const result = settle(job, "x", effect_settlement::done);

    EXPECT_EQ(before, "1");
    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(world.value("select count(*) from postrider.effects_in_doubt"), "0");
}

TEST_F(restarts, a_resend_makes_the_job_do_that_effect_alone_again) {
    auto const job = world.job("completed");
    world.effect(job, "second", "at_most_once", "unknown");

    auto const result = settle(job, "second", effect_settlement::resend);

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(result.state, "available");
    EXPECT_EQ(world.steps(job), "first done, second~1 done");
    EXPECT_EQ(world.effects(job), "second planned, second~1 unknown");
    EXPECT_EQ(world.value("select flagged from postrider.effect where key = 'second'"), "t");
    EXPECT_EQ(world.value("select count(*) from postrider.busy_lane"), "1");
}

// Else nothing would say when it goes on.
TEST_F(restarts, a_resend_for_a_job_that_was_paused_while_it_waited_leaves_it_a_time) {
    auto const job = world.job(world.lane("a"), "waiting");
    world.effect(job, "second", "at_most_once", "unknown");
    world.execute("select postrider.job_pause(" + base::to_string(job) + ")");

    auto const result = settle(job, "second", effect_settlement::resend);
    world.execute("select postrider.job_resume(" + base::to_string(job) + ")");

    EXPECT_EQ(result.code, "done");
    EXPECT_EQ(
        world.value("select state || (due_at <= postrider.now()) from postrider.job"), "waitingtrue"
    );
}

TEST_F(restarts, a_resend_for_a_cancelled_job_is_refused) {
    auto const job = world.job("cancelled");
    world.effect(job, "second", "at_most_once", "unknown");

    auto const result = settle(job, "second", effect_settlement::resend);

    EXPECT_EQ(result.code, "over");
    EXPECT_EQ(world.effects(job), "second unknown");
}

} // namespace
} // namespace postrider::queue::restarts_test
