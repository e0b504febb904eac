// What callers who come together ask of a bucket, and what becomes of them while it is locked.
#include "tests/integration/queue/limits_world.hpp"
#include "tests/support/held_lock.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::tests::bucket_asks_test {

namespace {

using queue::admission;

TEST(bucket_asks, gives_those_who_ask_at_once_all_that_is_free) {
    two_nodes nodes;
    nodes.start({{"x", 30, 30}});

    auto const answers = nodes.take_together(0, 30);

    EXPECT_EQ(std::ranges::count_if(answers, &admission::go), 30);
}

// covers: E.21
TEST(bucket_asks, whose_bucket_is_locked_asks_once_for_all_who_wait_and_waits_for_no_lock) {
    two_nodes nodes;
    ASSERT_TRUE(nodes.io.run(nodes.limits[0]->start({{"x", 100, 100}}))); // and nothing polls
    auto const before = nodes.batchers[0]->counts().units;
    held_lock lock{nodes.db.url(), "select from postrider.bucket for update"};

    auto const answers = nodes.take_together(0, 20);
    auto const asked = nodes.batchers[0]->counts().units - before;
    lock.release();

    ASSERT_EQ(answers.size(), 20u);
    for (auto const& answer : answers) {
        EXPECT_EQ(answer.reason, "bucket x is locked");
        EXPECT_FALSE(answer.reserved);
    }
    EXPECT_LE(asked, 60u) << "a question every 20 ms for a second";
    EXPECT_TRUE(nodes.take(0, "x").go());
}

// covers: E.21
TEST(bucket_asks, writes_the_reports_of_others_while_a_bucket_is_locked) {
    two_nodes nodes;
    nodes.start();
    nodes.db.execute("select postrider.bucket_report('locked', 'failure')");
    held_lock lock{nodes.db.url(), "select from postrider.bucket for update"};

    nodes.limits[0]->report("locked", base::error(base::errc::timeout));
    nodes.fail(0, base::errc::timeout);
    EXPECT_TRUE(nodes.comes_true("select failures = 1 from postrider.bucket where name = 'x'"));
    lock.release();

    EXPECT_TRUE(nodes.comes_true("select failures = 2 from postrider.bucket where name = 'locked'")
    );
}

} // namespace

} // namespace postrider::tests::bucket_asks_test
