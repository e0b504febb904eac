// What jobs waited for, told once they wait no more.
#include "queue/admin/job_waits.hpp"
#include "tests/integration/queue/operations_world.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::job_waits_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::step_value;
using queue::workflow;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::StartsWith;

awaitable<step_value> nothing() {
    co_return nullptr;
}

awaitable<outcome> pass(workflow& flow) {
    auto passed = co_await flow.admit("x");
    if (!passed) co_return outcome::failed(passed.error());
    co_await flow.run("after", {}, nothing);
    co_return outcome::completed();
}

awaitable<outcome> pass_to(workflow& flow, latch& door) {
    auto passed = co_await flow.admit("x");
    if (!passed) co_return outcome::failed(passed.error());
    co_await flow.run("after", {}, [&] { return pass_through(door); });
    co_return outcome::completed();
}

awaitable<outcome> wait_for(workflow& flow, std::string type) {
    queue::awaited_event event{std::move(type), {}, 1h};
    auto answer = co_await flow.wait_for_event("answer", std::move(event));
    if (!answer) co_return outcome::failed(answer.error());
    co_return outcome::completed(*answer);
}

awaitable<outcome> end_at_once(workflow&) {
    co_return outcome::completed();
}

awaitable<step_value> fail_once(int& tries) {
    if (++tries == 1) co_return base::error(base::errc::overloaded, "busy");
    co_return nullptr;
}

awaitable<outcome> try_twice(workflow& flow, int& tries) {
    base::retry_policy const policy{.limit = 2, .delay = 1ms};
    auto work = [&tries] { return fail_once(tries); };
    auto answered = co_await flow.run("ask", policy, work);
    if (!answered) co_return outcome::failed(answered.error());
    co_return outcome::completed();
}

queue::job_kind waiting_for(std::string type) {
    return {"wait", [type](workflow& flow) { return wait_for(flow, type); }};
}

// "cause: reason, until what ended it", or "still". A busy machine may make any job wait for its start.
std::vector<std::string> told(world& w, job_id job) {
    std::vector<std::string> all;
    w.in_transaction([&](storage::transaction& tx) {
        for (auto const& wait : queue::list_job_waits(tx, job)) {
            if (wait.cause == "start") continue;
            all.push_back(
                wait.cause + ": " + wait.reason + ", " +
                (wait.until.empty() ? std::string("still") : wait.ended_by)
            );
        }
    });
    return all;
}

TEST(job_waits, at_a_breaker_are_told_when_the_job_is_over) {
    world w;
    w.execute("insert into postrider.bucket (name, breaker, open_until, reason) "
              "values ('x', 'open', 'infinity', 'overloaded')");
    auto& node = w.start_node({{"pass", pass}});
    auto const job = w.enqueue(node, w.make_lane("a"), "pass").id;
    w.until("select state from postrider.job", "waiting");
    w.until([&] { return node.engine->counts().busy == 0; });
    auto const meanwhile = told(w, job);

    node.limits->works("x");
    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(meanwhile, ElementsAre("breaker: breaker x is open: overloaded, still"));
    EXPECT_THAT(
        told(w, job), ElementsAre("breaker: breaker x is open: overloaded, it was let through")
    );
    EXPECT_EQ(
        w.value("select until > since and until <= j.finished_at from postrider.job_waits w "
                "join postrider.job j using (job_id) where w.cause = 'breaker'"),
        "t"
    );
}

// The commit that tells of the wait comes after the next step, which may take minutes.
TEST(job_waits, at_a_breaker_end_when_it_lets_the_job_through) {
    world w;
    latch door(w.io);
    w.execute("insert into postrider.bucket (name, breaker, open_until, reason) "
              "values ('x', 'open', 'infinity', 'overloaded')");
    auto& node = w.start_node({{"pass", [&](workflow& flow) { return pass_to(flow, door); }}});
    w.enqueue(node, w.make_lane("a"), "pass");
    w.until("select state from postrider.job", "waiting");
    node.limits->works("x");
    w.until([&] { return door.arrived == 1; });
    auto const arrived = w.value("select postrider.now()");

    door.let_go();
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(
        w.value(
            "select until <= '" + arrived + "' from postrider.job_waits where cause = 'breaker'"
        ),
        "t"
    );
}

TEST(job_waits, for_a_person_name_the_one_who_answered) {
    world w;
    auto& node = w.start_node({waiting_for("press")});
    auto const job = w.enqueue(node, w.make_lane("a"), "wait").id;
    w.until("select state from postrider.job", "waiting");
    w.until([&] { return node.engine->counts().busy == 0; });
    auto const meanwhile = told(w, job);

    w.execute("select postrider.deliver_event(lane_id, null, 'press', '{\"name\": \"Ann\"}', null) "
              "from postrider.lane");
    node.engine->wake();
    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(meanwhile, ElementsAre("person: a person's answer, still"));
    EXPECT_THAT(told(w, job), ElementsAre("person: a person's answer, answered by Ann"));
}

TEST(job_waits, end_with_a_job_that_is_cancelled_meanwhile) {
    world w;
    auto& node = w.start_node({waiting_for("paid")});
    auto const job = w.enqueue(node, w.make_lane("a"), "wait").id;
    w.until("select state from postrider.job", "waiting");
    w.until([&] { return node.engine->counts().busy == 0; });

    w.execute("select postrider.job_pause(job_id) from postrider.job");
    w.execute("select postrider.job_resume(job_id) from postrider.job");
    w.execute("select postrider.job_cancel(job_id) from postrider.job");

    EXPECT_THAT(
        told(w, job),
        ElementsAre(
            "event: the event paid, the job ended",
            "pause: an operator: it was paused, it was resumed"
        )
    );
}

TEST(job_waits, for_the_lane_name_the_job_before) {
    world w;
    auto& node = w.start_node({waiting_for("paid"), {"next", end_at_once}});
    auto const lane = w.make_lane("a");
    auto const first = w.enqueue(node, lane, "wait").id;
    w.until("select state from postrider.job", "waiting");
    auto const second = w.enqueue(node, lane, "next").id;
    auto const meanwhile = told(w, second);

    w.execute("select postrider.deliver_event(lane_id, null, 'paid', 'null', null) "
              "from postrider.lane");
    node.engine->wake();
    w.until("select count(*) from postrider.job where state = 'completed'", "2");

    auto const number = base::to_string(first);
    EXPECT_THAT(
        meanwhile, ElementsAre(StartsWith("lane: job " + number + " of its lane comes first"))
    );
    EXPECT_THAT(
        told(w, second),
        testing::Contains(
            "lane: its lane: job " + number + " came first, job " + number + " completed"
        )
    );
    EXPECT_THAT(told(w, first), ElementsAre("event: the event paid, the event came"));
}

TEST(job_waits, for_a_retry_say_after_what) {
    world w;
    int tries = 0;
    auto& node =
        w.start_node({{"try", [&tries](workflow& flow) { return try_twice(flow, tries); }}});
    auto const job = w.enqueue(node, w.make_lane("a"), "try").id;

    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(
        told(w, job), ElementsAre("retry: retry 1 of ask after overloaded: busy, retry 1 began")
    );
}

TEST(job_waits, of_a_job_that_never_waited_are_none_and_cost_nothing) {
    world w;
    auto& node = w.start_node({{"pass", pass}});
    auto const job = w.enqueue(node, w.make_lane("a"), "pass").id;

    w.until("select state from postrider.job", "completed");

    EXPECT_THAT(told(w, job), IsEmpty());
    EXPECT_EQ(w.value("select waited from postrider.job"), "");
}

// A job may poll for years.
TEST(job_waits, keep_the_newest_fifty) {
    world w;

    EXPECT_EQ(
        w.value(
            "with recursive w(n, waits) as (select 1, null::jsonb union all "
            "select n + 1, postrider.with_waits(waits, jsonb_build_array(n)) from w where n <= 60) "
            "select jsonb_array_length(waits) || ' ' || (waits -> 0) || ' ' || (waits -> -1) "
            "from w order by n desc limit 1"
        ),
        "50 11 60"
    );
}

// Else it would seem to wait for it to this day, or for the hour that the next life took from it.
TEST(job_waits, for_a_retry_of_an_earlier_life_end_where_the_next_one_begins) {
    operations_world w;
    auto const job = w.job("retryable"); // in an hour
    w.execute(
        "update postrider.job set state = 'paused', due_at = null, paused_at = postrider.now()"
    );

    EXPECT_EQ(w.operate(job, queue::operation::restart).code, "done");

    EXPECT_EQ(
        w.value("select concat_ws(', ', reason, until = begun_at, ended_by) "
                "from postrider.job_waits join postrider.job using (job_id) where cause = 'retry'"),
        "retry 1 of second~1 after invalid: no, t, its time came"
    );
}

TEST(job_waits, for_an_event_are_not_ended_by_one_that_came_before_them) {
    operations_world w;
    auto const job = w.job("completed");
    w.step(job, 3, "answer", "done");
    w.execute(
        "update postrider.job set waited = jsonb_build_array(jsonb_build_object('cause', 'event', "
        "'about', 'go', 'key', 'answer', 'since', s.ended_at + interval '1 ms', "
        "'until', s.ended_at + interval '2 ms')) "
        "from postrider.step s where s.key = 'answer'"
    );
    auto const ended_by = [&] {
        return w.value("select ended_by from postrider.job_waits where cause = 'event'");
    };

    EXPECT_EQ(ended_by(), "it was given up");
    w.execute("update postrider.step set ended_at = ended_at + interval '1 ms' where key = 'answer'"
    );
    EXPECT_EQ(ended_by(), "the event came");
}

} // namespace

} // namespace postrider::tests::job_waits_test
