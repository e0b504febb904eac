// The one use that tries whether a resource works again: when it is over for all others.
#include "tests/integration/queue/limits_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::breaker_trials_test {

namespace {

using namespace std::chrono_literals;

// As of a model whose streamed answer takes minutes.
TEST(breaker_trial, lets_the_others_pass_once_the_try_is_accepted) {
    two_nodes nodes;
    nodes.start();
    nodes.open_for_a_try();
    ASSERT_TRUE(nodes.take(0, "x", {job_id{1}}).go());
    EXPECT_FALSE(nodes.take(0, "x", {job_id{2}}).go());
    nodes.limits[0]->accepted("x", job_id{2});
    EXPECT_FALSE(nodes.take(0, "x", {job_id{2}}).go()) << "that is not the one that tries";

    nodes.limits[0]->accepted("x", job_id{1});

    ASSERT_TRUE(nodes.comes_true("select breaker = 'closed' from postrider.bucket"));
    ASSERT_TRUE(nodes.comes_true([&] {
        return nodes.limits[0]->open("x") && nodes.limits[1]->open("x");
    })) << "each hears of it by itself";
    EXPECT_TRUE(nodes.take(0, "x").go());
    EXPECT_TRUE(nodes.take(1, "x").go());
}

TEST(breaker_trial, opens_again_when_an_accepted_try_fails_after_all) {
    two_nodes nodes;
    nodes.start();
    nodes.open_for_a_try();
    ASSERT_TRUE(nodes.take(0, "x", {job_id{1}}).go());
    nodes.limits[0]->accepted("x", job_id{1});
    ASSERT_TRUE(nodes.comes_true("select breaker = 'closed' from postrider.bucket"));

    nodes.fail(0, base::errc::timeout);

    ASSERT_TRUE(nodes.comes_true("select breaker = 'open' and openings = 2 from postrider.bucket"));
}

TEST(breaker_trial, lets_another_try_when_one_is_given_up) {
    two_nodes nodes;
    nodes.start();
    nodes.open_for_a_try();
    ASSERT_TRUE(nodes.take(0, "x", {job_id{1}}).go());

    nodes.limits[0]->give_up("x", job_id{2});
    nodes.limits[0]->give_up("x", job_id{1});

    ASSERT_TRUE(nodes.comes_true("select breaker = 'open' from postrider.bucket"));
    EXPECT_TRUE(nodes.take(1, "x", {job_id{3}}).go());
    EXPECT_FALSE(nodes.take(1, "x", {job_id{4}}).go());
}

// The rescue makes its job available again.
TEST(breaker_trial, waits_for_no_try_whose_job_was_rescued) {
    two_nodes nodes;
    nodes.start();
    nodes.open_for_a_try();
    ASSERT_TRUE(nodes.take(0, "x", {job_id{1}, 10min}).go());
    ASSERT_FALSE(nodes.take(1, "x", {job_id{2}, 10min}).go());

    nodes.db.execute("update postrider.job set state = 'available' where job_id = 1");
    EXPECT_TRUE(nodes.take(1, "x", {job_id{2}, 10min}).go());
    EXPECT_FALSE(nodes.take(1, "x", {job_id{3}, 10min}).go());

    EXPECT_TRUE(nodes.take(0, "x", {job_id{2}, 10min}).go()) << "it was rescued, and runs anew";
}

TEST(breaker_trial, waits_for_a_try_as_long_as_it_may_take) {
    two_nodes nodes;
    nodes.start();
    nodes.open_for_a_try();

    ASSERT_TRUE(nodes.take(0, "x", {job_id{}, 10min}).go());

    EXPECT_EQ(
        nodes.db.value("select open_until - postrider.now() between interval '9 min' and interval "
                       "'10 min' from postrider.bucket"),
        "t"
    );
}

} // namespace

} // namespace postrider::tests::breaker_trials_test
