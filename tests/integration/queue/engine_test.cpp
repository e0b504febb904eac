// The engine on a real Postgres: one node, one process.
#include "tests/integration/queue/steps.hpp"

#include <gmock/gmock.h>

#include <numeric>

namespace postrider::tests::engine_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::step_value;
using queue::workflow;
namespace json = boost::json;

base::retry_policy quick_retries(int limit) {
    base::retry_policy policy;
    policy.limit = limit;
    policy.delay = 10ms;
    policy.backoff = base::backoff_shape::constant;
    return policy;
}

awaitable<outcome> two_steps(workflow& flow) {
    auto first = co_await flow.run("first", {}, [] { return give({{"n", 1}}); });
    auto second = co_await flow.run("second", {}, [&] {
        flow.spend("second", {10, 20});
        return give(first->at("n").as_int64() + 1);
    });
    co_return outcome::completed(*second);
}

// covers: E.07 E.18
TEST(engine, records_every_step_and_the_outcome) {
    world w;
    auto& node = w.start_node({{"add", two_steps}});

    auto job = w.enqueue(node, w.make_lane("a"), "add");
    auto id = base::to_string(job.id);
    w.until("select state from postrider.job_overview where job_id = " + id, "completed");

    EXPECT_TRUE(job.leased);
    EXPECT_EQ(w.value("select output from postrider.job where job_id = " + id), "2");
    EXPECT_EQ(
        w.value(
            "select tokens_in || '/' || tokens_out || '/' || run_no || '/' || lost "
            "from postrider.job where job_id = " +
            id
        ),
        "10/20/1/0"
    );
    EXPECT_EQ(
        w.value(
            "select string_agg(seq || key || outcome || result::text, ' ' order by seq) "
            "from postrider.step_timeline where job_id = " +
            id
        ),
        "1firstdone{\"n\": 1} 2seconddone2"
    );
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
    EXPECT_EQ(w.value("select status from postrider.lane_status"), "idle");
}

// More tokens than 32 bits hold, as a provider may report by mistake.
awaitable<outcome> expensive(workflow& flow) {
    co_await flow.run("ask", {}, [&] {
        flow.spend("ask", {3'000'000'000, 4'000'000'000});
        return give(1);
    });
    co_return outcome::completed(1);
}

TEST(engine, settles_a_job_that_used_more_tokens_than_32_bits_hold) {
    world w;
    auto& node = w.start_node({{"expensive", expensive}});

    auto job = w.enqueue(node, w.make_lane("a"), "expensive");
    auto id = base::to_string(job.id);
    w.until("select state from postrider.job where job_id = " + id, "completed");

    EXPECT_EQ(
        w.value("select tokens_in || '/' || tokens_out from postrider.job where job_id = " + id),
        "3000000000/4000000000"
    );
    EXPECT_EQ(w.value("select tokens_in from postrider.cost_daily"), "3000000000");
}

TEST(engine, ends_a_job_whose_numbers_together_leave_64_bits) {
    world w;
    auto const asks_twice = [](workflow& flow) -> awaitable<outcome> {
        for (auto const* key : {"first", "second"})
            co_await flow.run(key, {}, [&] {
                flow.spend(key, {5'000'000'000'000'000'000, 1});
                return give(1);
            });
        co_return outcome::completed(1);
    };
    auto& node = w.start_node({{"expensive", asks_twice}});

    w.enqueue(node, w.make_lane("a"), "expensive");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(
        w.value("select tokens_in || '/' || tokens_out from postrider.job"), "9223372036854775807/2"
    );
}

TEST(engine, counts_nothing_for_a_job_that_paid_nothing) {
    world w;
    auto& node = w.start_node({{"free", [](workflow&) -> awaitable<outcome> {
                                    co_return outcome::completed(1);
                                }}});

    w.enqueue(node, w.make_lane("a"), "free");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(
        w.value("select num_nonnulls(tokens_in, tokens_out, tokens_cached, cost_micro) from "
                "postrider.job"),
        "0"
    );
}

// As a turn whose model failed for good.
awaitable<outcome> degraded(workflow& flow) {
    co_await flow.run("ask", {}, [&] {
        flow.spend("ask", {100, 5, 60, 250});
        return give(1);
    });
    auto ended = outcome::completed(1);
    base::error reason(base::errc::unauthorized, "HTTP 401");
    ended.degraded = queue::degradation{"model_failed", std::move(reason)};
    co_return ended;
}

TEST(engine, counts_what_completed_without_what_was_asked_for) {
    world w;
    auto& node = w.start_node({{"degraded", degraded}});
    auto const lane = w.make_lane("a");

    auto const id = base::to_string(w.enqueue(node, lane, "degraded").id);
    w.until("select state from postrider.job where job_id = " + id, "completed");

    EXPECT_EQ(
        w.value("select job_id || ' ' || reason || ' ' || error_class || ': ' || error "
                "from postrider.degraded_jobs"),
        id + " model_failed unauthorized: HTTP 401"
    );
    w.until([&] { return node.engine->counts().degraded == 1; });
    EXPECT_EQ(node.engine->counts().degraded_by.at("model_failed"), 1U);
    EXPECT_EQ(w.value("select count(*) from postrider.dead_letters"), "0");
    EXPECT_EQ(
        w.value("select tokens_cached || ' ' || (cost = 0.00025) from postrider.cost_daily"),
        "60 true"
    );
    w.until("select done::text from postrider.job_restart(" + id + ")", "true");
    w.until("select state || restarts from postrider.job where job_id = " + id, "completed1");
    EXPECT_EQ(w.value("select count(*) from postrider.degraded_jobs"), "1");
}

struct order_book {
    std::vector<std::int64_t> ran;
    int running = 0;
    int most = 0;
};

awaitable<step_value> note(order_book& book, workflow& flow) {
    book.most = std::max(book.most, ++book.running);
    co_await base::sleep_for(1ms);
    book.ran.push_back(flow.job().input.as_int64());
    --book.running;
    co_return nullptr;
}

awaitable<outcome> write_down(workflow& flow, order_book& book) {
    co_await flow.run("note", {}, [&] { return note(book, flow); });
    co_return outcome::completed();
}

// covers: E.10
TEST(engine, runs_a_lane_in_order_and_one_at_a_time) {
    world w;
    order_book book;
    auto& node = w.start_node({{"note", [&](workflow& flow) { return write_down(flow, book); }}});
    auto lane = w.make_lane("a");

    for (std::int64_t n = 0; n < 40; ++n) w.enqueue(node, lane, "note", n);
    w.until("select count(*) from postrider.job where state = 'completed'", "40");

    std::vector<std::int64_t> expected(40);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(book.ran, expected);
    EXPECT_EQ(book.most, 1);
}

// covers: E.10
TEST(engine, works_off_more_lanes_than_it_has_slots) {
    world w;
    order_book book;
    auto& node =
        w.start_node({{"note", [&](workflow& flow) { return write_down(flow, book); }}}, 3);

    for (std::int64_t n = 0; n < 30; ++n)
        w.enqueue(node, w.make_lane("lane" + std::to_string(n)), "note", n);
    w.until("select count(*) from postrider.job where state = 'completed'", "30");

    EXPECT_EQ(book.ran.size(), 30u);
    EXPECT_LE(book.most, 3);
    w.until([&] { return node.engine->counts().busy == 0; });
}

TEST(engine, does_not_count_a_reserved_slot_as_a_job) {
    world w;
    auto& node = w.start_node({}, 3);

    ASSERT_TRUE(node.engine->try_reserve());

    EXPECT_EQ(node.engine->counts().busy, 0);
    EXPECT_LT(node.engine->counts().free, 3);
    node.engine->release();
}

struct tally {
    int calls = 0;
    base::error last;
};

awaitable<step_value> fail_until(tally& seen, int good, base::errc code) {
    if (++seen.calls < good) co_return base::error(code, "not yet");
    co_return "good";
}

awaitable<outcome> stubborn(workflow& flow, tally& seen, int good, base::errc code) {
    auto value =
        co_await flow.run("try", quick_retries(3), [&] { return fail_until(seen, good, code); });
    if (!value) {
        seen.last = value.error();
        co_return outcome::failed(value.error());
    }
    co_return outcome::completed(*value);
}

// covers: E.07
TEST(engine, tries_again_and_records_each_failed_try_with_its_policy) {
    world w;
    tally seen;
    auto& node = w.start_node({{"stubborn", [&](workflow& flow) {
                                    return stubborn(flow, seen, 3, base::errc::overloaded);
                                }}});

    w.enqueue(node, w.make_lane("a"), "stubborn");
    w.until("select state from postrider.job", "completed");

    EXPECT_EQ(seen.calls, 3);
    EXPECT_EQ(
        w.value("select string_agg(attempt || outcome || coalesce(error_class, ''), ' ' order by "
                "attempt) "
                "from postrider.step"),
        "1retryoverloaded 2retryoverloaded 3done"
    );
    EXPECT_EQ(
        w.value(
            "select policy->>'limit' || (next_at > ended_at) from postrider.step where attempt = 1"
        ),
        "3true"
    );
}

// covers: E.07
TEST(engine, ends_a_step_at_once_on_an_error_that_will_not_pass) {
    world w;
    tally seen;
    auto& node = w.start_node({{"stubborn", [&](workflow& flow) {
                                    return stubborn(flow, seen, 99, base::errc::invalid);
                                }}});

    w.enqueue(node, w.make_lane("a"), "stubborn");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(seen.calls, 1);
    EXPECT_EQ(w.value("select outcome from postrider.step"), "failed");
    EXPECT_EQ(
        w.value("select error_class || ': ' || error from postrider.dead_letters"),
        "invalid: not yet"
    );
}

// covers: E.07
TEST(engine, gives_up_after_the_policys_last_retry) {
    world w;
    tally seen;
    auto& node = w.start_node({{"stubborn", [&](workflow& flow) {
                                    return stubborn(flow, seen, 99, base::errc::unavailable);
                                }}});

    w.enqueue(node, w.make_lane("a"), "stubborn");
    w.until("select state from postrider.job", "failed");

    EXPECT_EQ(seen.calls, 4);
    EXPECT_EQ(w.value("select count(*) from postrider.step where outcome = 'retry'"), "3");
    EXPECT_EQ(seen.last, base::errc::unavailable);
}

awaitable<outcome> throws(workflow&) {
    throw std::runtime_error("a defect");
    co_return outcome::completed();
}

TEST(engine, makes_a_dead_letter_of_a_job_that_throws_and_goes_on_with_the_lane) {
    world w;
    auto& node = w.start_node({{"throws", throws}, {"add", two_steps}});
    auto lane = w.make_lane("a");

    w.enqueue(node, lane, "throws");
    w.enqueue(node, lane, "nobody knows this");
    w.enqueue(node, lane, "add");
    w.until("select state from postrider.job where kind = 'add'", "completed");

    EXPECT_EQ(
        w.value("select string_agg(error_class || ' ' || error, ', ' order by job_id) from "
                "postrider.dead_letters"),
        "internal a defect, not_found no such kind of job: nobody knows this"
    );
}

awaitable<step_value> wait_while(base::signal& never, bool& hang) {
    if (hang) co_await never.wait();
    co_return 7;
}

awaitable<step_value> count(int& calls) {
    co_return ++calls;
}

awaitable<outcome> slow_second(workflow& flow, base::signal& never, bool& hang, int& quick) {
    co_await flow.run("quick", {}, [&] { return count(quick); });
    auto slow = co_await flow.run("slow", {}, [&] { return wait_while(never, hang); });
    co_return outcome::completed(*slow);
}

// covers: E.08 E.15
TEST(engine, puts_a_job_back_unharmed_when_it_shuts_down) {
    world w;
    base::signal never{w.io.executor()};
    bool hang = true;
    int quick = 0;
    auto kind = [&](workflow& flow) { return slow_second(flow, never, hang, quick); };
    auto& first = w.start_node({{"slow", kind}});
    w.enqueue(first, w.make_lane("a"), "slow");
    w.until("select count(*) from postrider.step", "1");

    w.io.run(first.engine->drain(10ms));

    EXPECT_EQ(w.value("select state || run_no || lost from postrider.job"), "available00");
    EXPECT_EQ(w.value("select count(*) from postrider.node"), "0");
    hang = false;
    w.start_node({{"slow", kind}});
    w.until("select state from postrider.job", "completed");
    EXPECT_EQ(quick, 1) << "what was recorded before the shutdown is not paid for again";
    EXPECT_EQ(w.value("select output from postrider.job"), "7");
}

} // namespace

} // namespace postrider::tests::engine_test
