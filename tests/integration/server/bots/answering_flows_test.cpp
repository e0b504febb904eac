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
        return answering_flows(flows_, moves_).choose({}, heard, {text, command});
    }

    void publish_guard() {
        publish(
            "guard",
            tests::flow_builder("guard")
                .settings({{"mailbox", "coalesce"}, {"debounce", "1s"}})
                .trigger("In", "telegram.group", {{"chats", json::array{-3}}})
                .text()
        );
        refresh(flows_);
    }
    std::optional<telegram::chosen_flow> watch(telegram::watched_update const& incident) const {
        return answering_flows(flows_, moves_).choose_watching({}, incident);
    }
    std::set<agent::group_event> asked_for() const {
        return answering_flows(flows_, moves_).watched_events({});
    }

    telegram::chat_moves moves_{{}};

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

TEST_F(answering, a_watched_group_is_its_flows_alone) {
    telegram::watched_update incident;
    incident.job.heard.from.chat = chat_id{-3};
    incident.event = agent::group_event::edit;
    EXPECT_FALSE(watch(incident)) << "no flow watches groups yet";
    publish_guard();

    auto const chosen = watch(incident);

    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->flow, "guard");
    EXPECT_EQ(chosen->lane_key, "") << "the chat's own";
    EXPECT_EQ(chosen->manner->mailbox, "coalesce");
    EXPECT_EQ(chosen->manner->debounce, std::chrono::seconds{1});
    incident.event = agent::group_event::reaction;
    EXPECT_FALSE(watch(incident)) << "it does not ask for these";
    EXPECT_EQ(asked_for().size(), 2u);
}

TEST_F(answering, a_group_that_became_a_supergroup_keeps_its_flow) {
    publish_guard();
    telegram::watched_update incident;
    incident.job.heard.from.chat = chat_id{-1003};
    EXPECT_FALSE(watch(incident));

    moves_.note({}, chat_id{-3}, chat_id{-1003});

    auto const chosen = watch(incident);
    ASSERT_TRUE(chosen);
    EXPECT_EQ(chosen->flow, "guard");
    incident.job.heard.from.chat = chat_id{-4};
    EXPECT_FALSE(watch(incident));
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
