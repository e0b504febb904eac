// Jobs at the gates of limited and failing resources, on real engines.
#include "tests/integration/queue/world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::admission_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::step_value;
using queue::workflow;
using testing::HasSubstr;

struct seen_job {
    int begun = 0;   // runs
    int through = 0; // that passed the gate
};

awaitable<step_value> nothing() {
    co_return nullptr;
}

awaitable<outcome> pass(workflow& flow, seen_job& seen) {
    ++seen.begun;
    auto passed = co_await flow.admit("x");
    if (!passed) co_return outcome::failed(passed.error());
    ++seen.through;
    co_await flow.run("after", {}, nothing);
    co_return outcome::completed();
}

awaitable<outcome> pass_elsewhere(workflow& flow, seen_job& seen) {
    auto passed = co_await flow.admit("y");
    if (passed) ++seen.through;
    co_return outcome::completed();
}

awaitable<outcome> pass_with_patience(workflow& flow, std::chrono::milliseconds patience) {
    auto passed = co_await flow.admit("x", patience);
    if (!passed) co_return outcome::failed(passed.error());
    co_return outcome::completed();
}

queue::job_kind passing(seen_job& seen) {
    return {"pass", [&seen](workflow& flow) { return pass(flow, seen); }};
}

void open_breaker(world& w, std::string until) {
    w.execute(
        "insert into postrider.bucket (name, breaker, open_until, reason) values ('x', 'open', " +
        until + ", 'it is down')"
    );
}

TEST(admission, parks_a_job_behind_an_open_breaker_without_a_slot) {
    world w;
    seen_job seen;
    open_breaker(w, "postrider.now() + interval '1 hour'");
    seen_job other;
    auto& node = w.start_node(
        {passing(seen), {"free", [&](workflow& flow) { return pass_elsewhere(flow, other); }}}, 1
    );

    w.enqueue(node, w.make_lane("a"), "pass");
    w.until("select state from postrider.job", "waiting");

    w.enqueue(node, w.make_lane("b"), "free");
    w.until("select state from postrider.job where kind = 'free'", "completed");
    EXPECT_THAT(
        w.value("select wait_reason from postrider.job"), HasSubstr("breaker x is open until 20")
    );
    EXPECT_EQ(w.value("select parked_jobs from postrider.limits where name = 'x'"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.step"), "0") << "it was no try of anything";
    EXPECT_EQ(seen.through, 0);
}

TEST(admission, wakes_the_parked_jobs_when_it_works_again) {
    world w;
    seen_job seen;
    open_breaker(w, "'infinity'");
    auto& node = w.start_node({passing(seen)}, 2);
    for (int n = 0; n < 20; ++n) w.enqueue(node, w.make_lane(std::to_string(n)), "pass");
    w.until("select count(*) from postrider.job where state = 'waiting'", "20");

    node.limits->works("x");

    w.until("select count(*) from postrider.job where state = 'completed'", "20");
    EXPECT_EQ(seen.through, 20);
    EXPECT_EQ(seen.begun, 40) << "each once more";
    EXPECT_EQ(w.value("select count(*) from postrider.bucket_place"), "0");
    EXPECT_GE(
        std::stod(w.value("select extract(epoch from max(finished_at) - min(finished_at)) * 1000 "
                          "from postrider.job")),
        200.0
    ) << "and not all at once";
}

TEST(admission, gives_every_waiting_job_a_time_of_its_own) {
    world w;
    seen_job seen;
    w.execute("select postrider.bucket_define('x', 0.1, 1)");
    auto& node = w.start_node({passing(seen)}, 2);
    for (int n = 0; n < 5; ++n) w.enqueue(node, w.make_lane(std::to_string(n)), "pass");

    w.until("select count(*) from postrider.job where state = 'waiting'", "4");

    EXPECT_EQ(
        w.value("select distinct wait_reason from postrider.job where state = 'waiting'"),
        "bucket x is empty"
    );
    EXPECT_EQ(
        w.value("select string_agg(round(extract(epoch from due_at - first) / 10)::text, ' ' order "
                "by due_at) from postrider.job, (select min(due_at) as first from postrider.job) "
                "f where state = 'waiting'"),
        "0 1 2 3"
    );
    // The first one's time comes: it passes without another token.
    auto const taken = w.value("select tat from postrider.bucket");
    w.execute("with f as (select job_id, lane_id from postrider.job where due_at is not null order "
              "by due_at limit 1), "
              "w as (update postrider.bucket_place w set until_at = postrider.now() from f where "
              "w.job_id = "
              "f.job_id), "
              "j as (update postrider.job j set due_at = postrider.now() from f where j.job_id = "
              "f.job_id) "
              "update postrider.lane_run r set ready_at = postrider.now() from f where r.lane_id = "
              "f.lane_id");
    w.until("select count(*) from postrider.job where state = 'completed'", "2");
    EXPECT_EQ(seen.through, 2);
    EXPECT_EQ(w.value("select tat from postrider.bucket"), taken);
    EXPECT_EQ(w.value("select count(*) from postrider.bucket_place"), "3");
}

TEST(admission, sits_out_a_short_wait) {
    world w;
    seen_job seen;
    w.execute("select postrider.bucket_define('x', 4, 1)");
    auto& node = w.start_node({passing(seen)});
    for (int n = 0; n < 3; ++n) w.enqueue(node, w.make_lane(std::to_string(n)), "pass");

    w.until("select count(*) from postrider.job where state = 'completed'", "3");

    EXPECT_EQ(seen.begun, 3);
    EXPECT_EQ(w.value("select max(run_no) from postrider.job"), "1");
}

TEST(admission, is_refused_to_who_would_wait_for_too_long) {
    world w;
    open_breaker(w, "postrider.now() + interval '1 hour'");
    auto& node =
        w.start_node({{"pass", [](workflow& flow) { return pass_with_patience(flow, 120s); }}});

    w.enqueue(node, w.make_lane("a"), "pass");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(w.value("select error_class from postrider.job"), "unavailable");
    EXPECT_THAT(w.value("select error from postrider.job"), HasSubstr("breaker x is open until"));
}

TEST(admission, counts_the_patience_over_all_waits) {
    world w;
    open_breaker(w, "postrider.now() + interval '60 s'");
    auto& node =
        w.start_node({{"pass", [](workflow& flow) { return pass_with_patience(flow, 120s); }}});
    w.enqueue(node, w.make_lane("a"), "pass");
    w.until("select state from postrider.job", "waiting");

    // It comes back after 60 s and finds the breaker open for 70 s more.
    w.execute("update postrider.bucket_place set since = since - interval '60 s'");
    w.execute("update postrider.bucket set open_until = postrider.now() + interval '70 s'");
    w.until([&] { return !node.limits->open("x"); });
    w.execute("update postrider.job set due_at = postrider.now()");
    w.execute("update postrider.lane_run set ready_at = postrider.now()");

    w.until("select state from postrider.job", "failed");
    EXPECT_EQ(w.value("select count(*) from postrider.bucket_place"), "0");
}

awaitable<step_value> count(int& calls) {
    ++calls;
    co_return nullptr;
}

awaitable<outcome> with_parking_effect(workflow& flow, int& sent) {
    if (!flow.recorded("decide")) {
        co_await flow.try_step("decide", {}, nothing);
        queue::commit_with intent;
        intent.effects.push_back({"send", "test", queue::effect_class::at_least_once, nullptr});
        (void)co_await flow.commit(std::move(intent));
    } else {
        co_await flow.try_step("decide", {}, nothing);
    }
    (void)co_await flow.admit("x");
    co_await flow.perform("send", {}, [&sent] { return count(sent); });
    co_return outcome::completed();
}

TEST(admission, before_an_effect_leaves_no_doubt_about_it) {
    world w;
    int sent = 0;
    open_breaker(w, "'infinity'");
    auto& node =
        w.start_node({{"send", [&](workflow& flow) { return with_parking_effect(flow, sent); }}});
    w.enqueue(node, w.make_lane("a"), "send");
    w.until("select state from postrider.job", "waiting");

    node.limits->works("x");

    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(sent, 1);
    EXPECT_EQ(w.value("select state || flagged from postrider.effect"), "donefalse");
}

TEST(admission, costs_no_commit_and_no_question_while_the_gate_is_open) {
    auto const commits = [](std::string define) {
        world w;
        seen_job seen;
        if (!define.empty()) w.execute(define);
        auto& node = w.start_node({passing(seen)});
        auto const before = node.checkpoints->counts().units;
        for (int n = 0; n < 10; ++n) w.enqueue(node, w.make_lane(std::to_string(n)), "pass");
        w.until("select count(*) from postrider.job where state = 'completed'", "10");
        w.until([&] { return node.engine->counts().busy == 0; }); // the last commit was counted
        EXPECT_EQ(seen.through, 10);
        return node.checkpoints->counts().units - before;
    };
    auto const plain = commits("");
    EXPECT_EQ(plain, 20u) << "a step and an outcome each";
    EXPECT_EQ(commits("select postrider.bucket_define('x', 1000, 1000)"), plain);
}

} // namespace

} // namespace postrider::tests::admission_test
