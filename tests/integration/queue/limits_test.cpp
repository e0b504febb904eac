// Rates and breakers on a real Postgres: the arithmetic in SQL, and the limiters of two nodes.
#include "tests/integration/queue/limits_world.hpp"

#include <boost/asio/detached.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::limits_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::admission;
using queue::limiter;
using queue::rate_limit;
using std::chrono::milliseconds;
using testing::HasSubstr;

TEST(bucket, lets_a_burst_pass_and_gives_everybody_else_a_time_of_his_own) {
    test_database db;
    db.execute("select postrider.bucket_define('x', 2, 3)");

    auto const waits = db.value(
        "select string_agg(postrider.bucket_take('x')::text, ' ') from generate_series(1, 7)"
    );
    db.execute("update postrider.bucket set tat = tat - interval '1 s'");
    auto const later = std::stoi(db.value("select postrider.bucket_take('x', 2)"));

    EXPECT_EQ(waits, "0 0 0 500 1000 1500 2000");
    EXPECT_GT(later, 1500) << "two more uses, a second later";
    EXPECT_LE(later, 2000);
}

TEST(bucket, reserves_nothing_for_who_would_not_wait_so_long) {
    test_database db;
    db.execute("select postrider.bucket_define('x', 1, 1)");

    auto const waits = db.value(
        "select postrider.bucket_take('x') || ' ' || postrider.bucket_take('x', 1, 999) || ' ' || "
        "postrider.bucket_take('x', 1, 1000) || ' ' || postrider.bucket_take('x', 1, 1000)"
    );

    EXPECT_EQ(waits, "0 1000 1000 2000");
}

TEST(bucket, leases_only_what_is_free_at_the_moment) {
    test_database db;
    db.execute("select postrider.bucket_define('x', 10, 4)");

    auto const leased = db.value(
        "select postrider.bucket_lease('x', 3) || ' ' || postrider.bucket_lease('x', 3) || ' ' || "
        "postrider.bucket_lease('x', 3)"
    );
    db.execute("update postrider.bucket set tat = postrider.now() + interval '200 ms'");
    auto const refilled = db.value("select postrider.bucket_lease('x', 3)");

    EXPECT_EQ(leased, "3 1 0");
    EXPECT_EQ(refilled, "2");
}

TEST(bucket, that_nobody_limits_has_no_row_and_no_wait) {
    test_database db;
    EXPECT_EQ(
        db.value("select postrider.bucket_take('x') || ' ' || postrider.bucket_lease('x', 7)"),
        "0 7"
    );
    EXPECT_EQ(db.value("select count(*) from postrider.bucket"), "0");
}

TEST(breaker, opens_for_longer_each_time_up_to_five_minutes) {
    test_database db;
    std::string seconds;
    for (int n = 0; n < 7; ++n) {
        db.execute("select postrider.bucket_report('x', 'failure', 5)");
        seconds +=
            db.value("select round(extract(epoch from open_until - postrider.now())) || ' ' from "
                     "postrider.bucket");
        db.execute("update postrider.bucket set open_until = postrider.now()");
        db.execute("select postrider.bucket_probe('x')");
    }
    EXPECT_EQ(seconds, "10 20 40 80 160 300 300 ");
}

TEST(breaker, forgets_failures_that_are_a_minute_old) {
    test_database db;
    db.execute("select postrider.bucket_report('x', 'failure', 4)");
    db.execute("update postrider.bucket set failed_at = failed_at - interval '61 s'");
    db.execute("select postrider.bucket_report('x', 'failure', 1)");
    EXPECT_EQ(db.value("select breaker || failures from postrider.bucket"), "closed1");
    db.execute("select postrider.bucket_report('x', 'failure', 4)");
    EXPECT_EQ(db.value("select breaker || failures from postrider.bucket"), "open0");
}

awaitable<int> take_all_one_can(limiter& from, base::steady_time until) {
    int taken = 0;
    while (base::system_clock().steady() < until) {
        auto asked = co_await from.take("x", true, milliseconds{0});
        if (asked.go())
            ++taken;
        else
            co_await base::sleep_for(1ms);
    }
    co_return taken;
}

awaitable<void> take_on(limiter& from, base::steady_time until, int& total, int& open) {
    total += co_await take_all_one_can(from, until);
    --open;
}

TEST(limiter, tells_which_breakers_are_open_and_how_often_they_opened) {
    two_nodes nodes;
    nodes.start();
    auto const is_open = [&] {
        auto const gates = nodes.limits[0]->gates();
        return gates.size() == 1 && !gates.front().open;
    };

    nodes.fail(0, base::errc::unavailable, 5);

    ASSERT_TRUE(nodes.comes_true(is_open));
    EXPECT_EQ(nodes.limits[0]->gates().front().resource, "x");
    EXPECT_EQ(nodes.limits[0]->gates().front().openings, 1u);
}

TEST(limiter, of_two_nodes_share_one_rate) {
    two_nodes nodes;
    nodes.start({{"x", 100, 10}});
    auto const began = base::system_clock().steady();
    int total = 0;
    int open = 2;

    for (auto& limiter : nodes.limits)
        boost::asio::co_spawn(
            nodes.io.context, take_on(*limiter, began + 1s, total, open), boost::asio::detached
        );
    nodes.comes_true([&] { return open == 0; });
    auto const passed =
        std::chrono::duration<double>(base::system_clock().steady() - began).count();

    EXPECT_LE(total, 100 * passed + 10 + 1);
    EXPECT_GT(total, 50) << "and most of it is used";
}

TEST(limiter, spreads_those_who_wait_at_the_rate) {
    two_nodes nodes;
    nodes.start({{"x", 10, 1}});
    EXPECT_TRUE(nodes.take(0, "x").go());

    std::vector<milliseconds> waits;
    for (int n = 0; n < 6; ++n) {
        auto asked = nodes.take(n % 2, "x");
        EXPECT_TRUE(asked.reserved);
        EXPECT_EQ(asked.reason, "bucket x is empty");
        waits.push_back(asked.wait);
    }

    for (std::size_t n = 1; n < waits.size(); ++n) EXPECT_GT(waits[n], waits[n - 1]);
    EXPECT_GT(waits.back(), 400ms);
    EXPECT_LE(waits.back(), 600ms);
}

TEST(limiter, asks_nobody_while_nothing_is_limited_or_has_failed) {
    two_nodes nodes;
    ASSERT_TRUE(nodes.io.run(nodes.limits[0]->start({{"slow", 40, 40}})));
    ASSERT_TRUE(nodes.take(0, "slow").go()); // fetches a slice of 20
    auto const before = nodes.batchers[0]->counts().units;

    for (int n = 0; n < 500; ++n) {
        EXPECT_TRUE(nodes.take(0, "x").go());
        nodes.succeed(0);
    }
    for (int n = 0; n < 19; ++n) EXPECT_TRUE(nodes.take(0, "slow").go());

    EXPECT_EQ(nodes.batchers[0]->counts().units, before);
}

TEST(limiter, opens_for_all_nodes_after_failures_in_a_row) {
    two_nodes nodes;
    nodes.start();

    nodes.fail(0, base::errc::timeout, 4);
    ASSERT_TRUE(nodes.comes_true("select failures = 4 from postrider.bucket"));
    EXPECT_TRUE(nodes.limits[0]->open("x"));
    nodes.fail(1, base::errc::overloaded);

    ASSERT_TRUE(nodes.comes_true([&] {
        return !nodes.limits[0]->open("x") && !nodes.limits[1]->open("x");
    }));
    for (int n : {0, 1}) {
        auto asked = nodes.take(n, "x");
        EXPECT_GT(asked.wait, 8s);
        EXPECT_LE(asked.wait, 10s);
        EXPECT_FALSE(asked.reserved);
        EXPECT_THAT(asked.reason, HasSubstr("breaker x is open until 20"));
    }
}

TEST(limiter, counts_only_failures_that_follow_one_another) {
    two_nodes nodes;
    nodes.start();
    for (int n = 0; n < 3; ++n) {
        nodes.fail(0, base::errc::timeout, 4);
        ASSERT_TRUE(nodes.comes_true("select failures = 4 from postrider.bucket"));
        ASSERT_TRUE(nodes.comes_true([&] {
            nodes.succeed(0); // heard once this node knows of the failures
            return nodes.db.value("select failures from postrider.bucket") == "0";
        }));
    }
    EXPECT_EQ(nodes.db.value("select breaker from postrider.bucket"), "closed");
}

TEST(limiter, lets_those_who_wait_for_a_breaker_go_one_after_the_other_page_by_page) {
    two_nodes nodes;
    nodes.start();
    nodes.limits[0]->stop_using("x", "its token was refused");
    ASSERT_TRUE(nodes.comes_true([&] { return !nodes.limits[1]->open("x"); }));
    nodes.db.execute(
        "insert into postrider.lane (lane_key) select n::text from generate_series(1, 450) n;"
        "update postrider.lane_run set ready_at = postrider.now() + interval '1 h', arrivals = 1, "
        "head = lane_id + 100;"
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, "
        "run_no, "
        "started_at, due_at, wait_reason) select lane_id + 100, lane_id, 1, 1, 'x', 'waiting', 1, "
        "postrider.now(), postrider.now() + interval '1 h', 'breaker' from postrider.lane;"
        "insert into postrider.bucket_place (job_id, lane_id, until_at, reserved, resource) "
        "select job_id, lane_id, due_at, false, 'x' from postrider.job"
    );

    nodes.limits[0]->works("x");

    ASSERT_TRUE(nodes.comes_true("select bool_and(wait_reason is null) from postrider.job"));
    // 50 a second: the last one nine seconds after the first.
    EXPECT_EQ(
        nodes.db.value("select max(due_at) - min(due_at) between interval '8.9 s' and "
                       "interval '13.9 s' from postrider.job"),
        "t"
    );
}

TEST(limiter, lets_one_try_after_the_time_and_closes_when_that_works) {
    two_nodes nodes;
    nodes.start();
    nodes.fail(0, base::errc::unavailable, 5);
    ASSERT_TRUE(nodes.comes_true([&] { return !nodes.limits[1]->open("x"); }));

    nodes.db.execute("update postrider.bucket set open_until = postrider.now()");
    ASSERT_TRUE(nodes.comes_true([&] {
        return nodes.limits[0]->open("x") && nodes.limits[1]->open("x");
    })) << "whoever comes now may try";
    auto first = nodes.take(0, "x");
    auto second = nodes.take(1, "x");
    auto third = nodes.take(0, "x");
    nodes.succeed(0);

    EXPECT_TRUE(first.go());
    EXPECT_FALSE(second.go());
    EXPECT_FALSE(third.go());
    ASSERT_TRUE(nodes.comes_true([&] { return nodes.limits[1]->open("x"); }));
    EXPECT_TRUE(nodes.take(1, "x").go());
    EXPECT_EQ(
        nodes.db.value("select breaker || failures || openings from postrider.bucket"), "closed00"
    );
}

TEST(limiter, stays_open_when_the_try_fails) {
    two_nodes nodes;
    nodes.start();
    nodes.fail(0, base::errc::unavailable, 5);
    ASSERT_TRUE(nodes.comes_true([&] { return !nodes.limits[1]->open("x"); }));
    nodes.db.execute("update postrider.bucket set open_until = postrider.now()");
    ASSERT_TRUE(nodes.comes_true([&] { return nodes.limits[1]->open("x"); }));

    ASSERT_TRUE(nodes.take(1, "x").go());
    nodes.fail(1, base::errc::timeout);

    ASSERT_TRUE(nodes.comes_true("select breaker = 'open' and openings = 2 from postrider.bucket"));
}

// covers: X.02
TEST(limiter, honours_a_retry_after_whatever_else_still_succeeds) {
    two_nodes nodes;
    nodes.start();
    base::error limited(base::errc::rate_limited);
    limited.retry_after = 30s;

    nodes.fail(0, limited);
    EXPECT_FALSE(nodes.limits[0]->open("x")) << "here at once";
    ASSERT_TRUE(nodes.comes_true([&] { return !nodes.limits[1]->open("x"); }));
    nodes.succeed(1);
    nodes.succeed(0);
    nodes.fail(1, base::errc::timeout);
    ASSERT_TRUE(nodes.comes_true("select breaker = 'open' from postrider.bucket"));

    EXPECT_GT(nodes.take(1, "x").wait, 25s);
    EXPECT_EQ(nodes.db.value("select openings from postrider.bucket"), "0");
}

TEST(limiter, counts_an_answer_that_is_a_refusal_as_a_sign_of_life) {
    two_nodes nodes;
    nodes.start();
    for (int n = 0; n < 20; ++n) nodes.fail(0, base::errc::invalid);
    nodes.fail(0, base::errc::timeout, 1);
    ASSERT_TRUE(nodes.comes_true("select failures = 1 from postrider.bucket"));
    EXPECT_EQ(nodes.db.value("select breaker from postrider.bucket"), "closed");
}

// covers: X.02
TEST(limiter, leaves_alone_what_was_stopped_until_somebody_says_that_it_works) {
    two_nodes nodes;
    nodes.start();
    nodes.limits[0]->stop_using("x", "its token was refused");
    ASSERT_TRUE(nodes.comes_true([&] { return !nodes.limits[1]->open("x"); }));
    nodes.succeed(1);
    nodes.fail(1, base::errc::timeout);
    ASSERT_TRUE(nodes.comes_true("select open_until = 'infinity' from postrider.bucket"));
    EXPECT_EQ(nodes.take(1, "x").reason, "breaker x is open: its token was refused");

    nodes.limits[1]->works("x");

    EXPECT_TRUE(nodes.comes_true([&] { return nodes.limits[0]->open("x"); }));
    EXPECT_TRUE(nodes.take(0, "x").go());
}

TEST(limiter, writes_many_reports_as_few) {
    two_nodes nodes;
    ASSERT_TRUE(nodes.io.run(nodes.limits[0]->start({})));
    auto const before = nodes.batchers[0]->counts().units;

    nodes.fail(0, base::errc::timeout, 1000);
    ASSERT_TRUE(nodes.comes_true("select breaker = 'open' from postrider.bucket"));

    EXPECT_LE(nodes.batchers[0]->counts().units, before + 2);
}

TEST(limiter, forgets_a_rate_that_is_configured_no_longer) {
    two_nodes nodes;
    nodes.start({{"x", 1, 1}});
    nodes.start({{"x", 0, 1}, {"y", 0, 1}});
    EXPECT_TRUE(nodes.take(0, "x").go());
    EXPECT_TRUE(nodes.take(0, "x").go());
    EXPECT_EQ(nodes.db.value("select count(*) from postrider.bucket"), "1");
}

} // namespace

} // namespace postrider::tests::limits_test
