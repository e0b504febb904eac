#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::turn_delivery_test {
namespace {

using base::errc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

TEST(turn_delivery, sends_a_long_reply_in_parts_each_committed_before_the_next) {
    turn_world world;
    world.chat.part_size = 4;
    world.model.script.push_back(says("aaaabbbbcc"));

    auto outcome = world.run();

    EXPECT_THAT(
        world.log,
        ElementsAre(
            "step assistant/model",
            "commit",
            "effect reply/send",
            "commit",
            "effect reply/send#2",
            "commit",
            "effect reply/send#3",
            "commit"
        )
    );
    ASSERT_THAT(world.chat.sent, SizeIs(3));
    EXPECT_EQ(world.chat.sent[2].content.text, "cc");
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre("aaaabbbbcc"));
    EXPECT_EQ(world.last_row().at("telegram_message_id"), 1001);
    EXPECT_EQ(noted(outcome, "delivery"), boost::json::value("sent"));
}

// A fork answers nowhere: what it would have said stands in its output alone.
TEST(turn_delivery, a_silent_turn_sends_and_keeps_nothing) {
    turn_world world;
    world.job.input.as_object()["silent"] = true;
    world.model.script.push_back(says("aaaa"));

    auto const outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_THAT(world.chat.sent, SizeIs(0));
    EXPECT_EQ(world.chat.typed, 0);
    EXPECT_THAT(world.texts_of("assistant"), SizeIs(0));
    EXPECT_EQ(outcome.output.at("items").at(0).at("delivery"), boost::json::value("withheld"));
}

TEST(turn_delivery, a_failure_is_logged_when_it_happens_and_not_when_its_record_is_read) {
    turn_world world;
    world.model.script.push_back(base::error(errc::unauthorized));
    auto const logged = [&world] {
        testing::internal::CaptureStderr();
        world.run();
        return testing::internal::GetCapturedStderr();
    };

    auto const then = logged();
    auto const later = logged();

    EXPECT_THAT(then, HasSubstr("turn.model_failed"));
    EXPECT_THAT(later, Not(HasSubstr("turn.model_failed")));
}

TEST(turn_delivery, a_refused_send_is_logged_when_it_happens) {
    turn_world world;
    world.model.script.push_back(says("aaaa"));
    world.chat.failures.push_back(base::error(errc::refused, "blocked"));

    testing::internal::CaptureStderr();
    world.run();
    EXPECT_THAT(testing::internal::GetCapturedStderr(), HasSubstr("turn.not_delivered"));
    testing::internal::CaptureStderr();
    world.run();
    EXPECT_THAT(testing::internal::GetCapturedStderr(), Not(HasSubstr("turn.not_delivered")));
}

TEST(turn_delivery, a_refused_send_leaves_the_turn_degraded_and_undelivered) {
    turn_world world;
    world.chat.part_size = 4;
    world.model.script.push_back(says("aaaabbbb"));
    world.chat.failures.push_back(base::error(errc::refused, "blocked"));

    auto outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->error, errc::refused);
    EXPECT_EQ(outcome.degraded->reason, "undelivered");
    EXPECT_EQ(noted(outcome, "delivery"), boost::json::value("failed"));
    EXPECT_EQ(noted(outcome, "delivery_error"), boost::json::value("refused"));
    EXPECT_THAT(world.chat.sent, SizeIs(0)); // the second part is not tried
    EXPECT_EQ(world.last_row().at("delivery"), "failed");
    EXPECT_FALSE(world.record.steps.at("reply/send#2").has_value());
}

TEST(turn_delivery, a_send_that_may_have_happened_is_told_as_unknown) {
    turn_world world;
    world.model.script.push_back(says("aaaa"));
    world.chat.failures.push_back(base::error(errc::ambiguous));

    auto outcome = world.run();

    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->error, errc::ambiguous);
    EXPECT_EQ(outcome.degraded->reason, "delivery_unknown");
    EXPECT_EQ(noted(outcome, "delivery"), boost::json::value("unknown"));
    EXPECT_EQ(world.last_row().at("delivery"), "unknown");
}

TEST(turn_delivery, quotes_the_message_in_groups_only) {
    turn_world in_private;
    in_private.model.script.push_back(says("yes"));
    in_private.run();
    EXPECT_EQ(in_private.chat.sent.at(0).reply_to, telegram_message_id{0});

    turn_world in_group;
    in_group.job.input = heard_in({bot_id{1}, chat_id{-7}, thread_id{3}});
    in_group.model.script.push_back(says("yes"));
    in_group.run();
    EXPECT_EQ(in_group.chat.sent.at(0).reply_to, telegram_message_id{50});
    EXPECT_EQ(in_group.chat.sent.at(0).to.thread, thread_id{3});
}

// A job of a newer server: its flow answers, rather than nobody.
TEST(turn_delivery, of_an_unknown_command_is_the_flows) {
    turn_world world;
    world.job.input.as_object()["command"] = "/later";
    world.model.script.push_back(says("Hello"));

    world.run();

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre("Hello"));
}

} // namespace
} // namespace postrider::tests::turn_delivery_test
