// Which published flow answers a message, and in which lane.
#include "server/bots/answering_flows.hpp"
#include "tests/integration/agent/flow_library_world.hpp"

#include <gtest/gtest.h>

namespace postrider::server::answering_flows_test {
namespace {

namespace json = boost::json;

class answering : public agent::flow::flow_library {
protected:
    answering() {
        publish(
            "desk",
            tests::flow_builder("desk")
                .settings({{"lane", "desk"}, {"mailbox", "interrupt"}, {"timeout", "1h"}})
                .trigger("In", "telegram.message", {{"chats", json::array{7}}})
                .text()
        );
        refresh(flows_);
    }

    std::optional<telegram::chosen_flow> choose(std::int64_t chat, std::string_view text) const {
        agent::flow::heard_message heard;
        heard.from.chat = chat_id{chat};
        auto const command = text.starts_with('/') ? text : std::string_view();
        return answering_flows(flows_).choose({}, heard, {text, command});
    }

private:
    agent::flow::library flows_ = make();
};

TEST_F(answering, a_message_is_put_into_the_lane_of_its_flow) {
    auto const chosen = choose(7, "Hello");

    ASSERT_TRUE(chosen);
    EXPECT_NE(chosen->lane_key, "");
    EXPECT_TRUE(chosen->manner);
    EXPECT_TRUE(chosen->deadline);
    EXPECT_FALSE(choose(8, "Hello"));
}

// It would begin a conversation anew that is not this chat's.
TEST_F(answering, a_command_that_a_flow_lends_itself_to_stays_in_the_chats_own_lane) {
    auto const chosen = choose(8, "/new");

    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->flow, "desk");
    EXPECT_EQ(chosen->lane_key, "");
    EXPECT_FALSE(chosen->manner);
    EXPECT_FALSE(chosen->deadline);
}

} // namespace
} // namespace postrider::server::answering_flows_test
