// The node that acts on members and messages of groups.
#include "tests/support/flow_builder.hpp"
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::telegram_moderate_node_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

std::string moderating(json::object parameters) {
    return flow_builder("guard")
        .trigger("In", "telegram.group")
        .node("Act", "telegram.moderate", std::move(parameters))
        .text();
}

// A message of user 7, or of the channel -8, in the group -100.
flow::execution_input in_group(bool of_channel = false) {
    agent::group_message message;
    message.sender.user = user_id{7};
    if (of_channel) message.sender.chat = chat_id{-8};
    flow::execution_input input;
    input.heard =
        flow::heard_message{{bot_id{1}, chat_id{-100}}, user_id{7}, telegram_message_id{50}};
    input.heard->seen = event_json(agent::group_event::message, message);
    return input;
}

agent::moderation only_act(flow_world const& w) {
    EXPECT_THAT(w.chat.moderated, SizeIs(1));
    EXPECT_EQ(w.chat.moderated.at(0).first, chat_id{-100});
    return w.chat.moderated.at(0).second;
}

agent::moderation act_of(json::object parameters, bool of_channel = false) {
    flow_world w(moderating(std::move(parameters)));
    auto const outcome = w.run(in_group(of_channel));
    EXPECT_EQ(outcome.state, queue::job_state::completed) << outcome.error.detail;
    return only_act(w);
}

TEST(telegram_moderate, acts_on_the_sender_of_the_message_or_on_whoever_is_named) {
    auto const ban = std::get<agent::ban_member>(act_of({{"operation", "ban"}}));
    EXPECT_EQ(ban.user, user_id{7});
    EXPECT_FALSE(ban.until);
    EXPECT_FALSE(ban.deletes_messages);
    auto const other = std::get<agent::ban_member>(
        act_of({{"operation", "ban"}, {"user", "{{ $json.user + 1 }}"}, {"delete_messages", true}})
    );
    EXPECT_EQ(other.user, user_id{8});
    EXPECT_TRUE(other.deletes_messages);
    EXPECT_EQ(std::get<agent::unban_member>(act_of({{"operation", "unban"}})).user, user_id{7});
    EXPECT_TRUE(std::get<agent::restrict_member>(act_of({{"operation", "unrestrict"}})).may_send);
    EXPECT_TRUE(std::get<agent::answer_join_request>(act_of({{"operation", "approve"}})).approves);
    EXPECT_FALSE(std::get<agent::answer_join_request>(act_of({{"operation", "decline"}})).approves);
}

TEST(telegram_moderate, ends_a_restriction_when_it_is_told) {
    flow_world w(moderating({{"operation", "restrict"}, {"for", "24h"}}));
    w.run(in_group());

    auto const act = std::get<agent::restrict_member>(only_act(w));
    EXPECT_FALSE(act.may_send);
    EXPECT_EQ(act.until, w.clock.now() + std::chrono::hours{24});
}

TEST(telegram_moderate, deletes_the_message_or_those_that_are_named) {
    auto const own = std::get<agent::remove_messages>(act_of({{"operation", "delete"}}));
    EXPECT_EQ(own.messages, std::vector{telegram_message_id{50}});
    auto const many = std::get<agent::remove_messages>(
        act_of({{"operation", "delete"}, {"messages", json::array{3, 4}}})
    );
    EXPECT_THAT(many.messages, SizeIs(2));
}

TEST(telegram_moderate, bans_the_channel_that_wrote) {
    EXPECT_EQ(
        std::get<agent::ban_sender_chat>(act_of({{"operation", "ban_chat"}}, true)).chat,
        chat_id{-8}
    );
    EXPECT_EQ(
        std::get<agent::unban_sender_chat>(
            act_of({{"operation", "unban_chat"}, {"sender_chat", -9}})
        ).chat,
        chat_id{-9}
    );
}

// Telegram's stand-in for the channel is nobody to ban.
TEST(telegram_moderate, takes_a_channels_stand_in_for_no_person) {
    flow_world w(moderating({{"operation", "ban"}}));
    auto const outcome = w.run(in_group(true));

    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(outcome.error.detail, HasSubstr("a chat wrote the message"));
    EXPECT_THAT(w.chat.moderated, IsEmpty());
}

TEST(telegram_moderate, fails_without_anybody_to_act_on) {
    struct sample {
        std::string operation;
        std::string missing;
    };
    for (auto const& [operation, missing] : std::vector<sample>{
             {"ban", "name the user"},
             {"approve", "name the user"},
             {"ban_chat", "name the sender chat"},
             {"delete", "name the messages"}}) {
        flow_world w(flow_builder("guard")
                         .trigger("In", "manual")
                         .node(
                             "Act",
                             "telegram.moderate",
                             {{"operation", operation}, {"bot", "fern"}, {"chat", -100}}
                         )
                         .text());
        auto const outcome = w.run();
        EXPECT_EQ(outcome.state, queue::job_state::failed) << operation;
        EXPECT_THAT(outcome.error.detail, HasSubstr(missing)) << operation;
    }
}

TEST(telegram_moderate, refuses_bad_values_before_it_acts) {
    for (json::object const& parameters : std::vector<json::object>{
             {{"operation", "ban"}, {"user", "{{ 0 }}"}},
             {{"operation", "ban"}, {"user", "{{ 'eve' }}"}},
             {{"operation", "restrict"}, {"for", "{{ 'soon' }}"}},
             {{"operation", "delete"}, {"messages", "{{ [] }}"}}}) {
        flow_world w(moderating(parameters));
        EXPECT_EQ(w.run(in_group()).state, queue::job_state::failed);
        EXPECT_THAT(w.chat.moderated, IsEmpty());
    }
}

TEST(telegram_moderate, is_an_effect_that_is_done_once) {
    flow_world w(moderating({{"operation", "delete"}}));
    auto const outcome = w.run(in_group());
    w.run(in_group()); // a repeated run finds it in the record

    EXPECT_THAT(w.chat.moderated, SizeIs(1));
    EXPECT_EQ(outcome.state, queue::job_state::completed);
}

TEST(telegram_moderate, fails_as_telegram_refuses) {
    flow_world w(moderating({{"operation", "ban"}}));
    w.chat.moderation_failures = {
        base::error(base::errc::refused, "user is an administrator of the chat")};
    auto const outcome = w.run(in_group());

    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_THAT(outcome.error.detail, HasSubstr("administrator"));
}

TEST(telegram_moderate, does_nothing_in_a_silent_execution) {
    flow_world w(moderating({{"operation", "ban"}}));
    auto input = in_group();
    input.silent = true;
    auto const outcome = w.run(input);

    EXPECT_THAT(w.chat.moderated, IsEmpty());
    EXPECT_THAT(flow_world::ended(outcome), HasSubstr("withheld"));
}

} // namespace
} // namespace postrider::tests::telegram_moderate_node_test
