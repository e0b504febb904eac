// Commands in the topics of a forum.
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::command_topics_test {
namespace {

using testing::SizeIs;

void expect_answer_in_topic(std::string_view command, bool can_look_up) {
    turn_world world;
    auto& input = world.job.input.as_object();
    input["command"] = command;
    input["trigger"] = "message";
    input["thread"] = 17;
    if (!can_look_up) world.table.failures.assign(9, base::error(base::errc::unavailable));

    world.run();

    ASSERT_THAT(world.chat.sent, SizeIs(1)) << command;
    EXPECT_EQ(world.chat.sent[0].to.thread, thread_id{17}) << command;
}

TEST(command_topics, are_where_commands_are_answered) {
    for (auto const* command : {"/help", "/new", "/cancel"}) expect_answer_in_topic(command, true);
}

TEST(command_topics, are_where_people_hear_that_nothing_can_be_looked_up) {
    for (auto const* command : {"/memory", "/usage", "/approvals", "/settings"})
        expect_answer_in_topic(command, false);
}

} // namespace
} // namespace postrider::tests::command_topics_test
