// What is done to members and messages of a group, against a simulated Telegram.
#include "agent/talk/refusal_words.hpp"
#include "server/telegram/moderation_calls.hpp"
#include "tests/unit/server/telegram/messenger_desk.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::telegram::moderation_test {
namespace {

using base::errc;
using tests::fake_telegram;

agent::address const in_group{our_bot, group};
constexpr user_id eve{66};

struct moderated_group : messenger_desk {
    moderated_group() {
        telegram.set_member(group, telegram.bot().id, "administrator");
        telegram.set_member(group, eve, "member");
    }

    base::result<void> moderate(agent::moderation act) {
        return loop.run(messenger->moderate(in_group, std::move(act)));
    }
    std::string standing(user_id user) {
        return std::string(to_string(loop.run(messenger->get_member(in_group, user))->standing));
    }
    telegram_message_id say(std::string text) {
        return telegram.say({.from = eve, .group = group, .text = std::move(text)}).message;
    }
};

std::string parameters(simulated_call const& call) {
    return boost::json::serialize(call.params);
}

TEST(moderation, each_act_is_its_method) {
    moderated_group w;
    auto const until = base::sys_time{std::chrono::seconds{1'800'000'000}};
    EXPECT_TRUE(w.moderate(agent::ban_member{eve, true, until}));
    EXPECT_EQ(w.standing(eve), "banned");
    EXPECT_TRUE(w.moderate(agent::unban_member{eve}));
    EXPECT_EQ(w.standing(eve), "left");
    EXPECT_TRUE(w.moderate(agent::ban_sender_chat{chat_id{-8}}));
    EXPECT_TRUE(w.moderate(agent::unban_sender_chat{chat_id{-8}}));
    w.telegram.ask_to_join(group, user_id{67});
    EXPECT_TRUE(w.moderate(agent::answer_join_request{user_id{67}}));
    EXPECT_EQ(w.standing(user_id{67}), "member");
    w.telegram.ask_to_join(group, user_id{68});
    EXPECT_TRUE(w.moderate(agent::answer_join_request{user_id{68}, false}));
    EXPECT_EQ(w.standing(user_id{68}), "left");

    EXPECT_EQ(
        parameters(w.telegram.calls("banChatMember").at(0)),
        R"({"chat_id":-500,"user_id":66,"revoke_messages":true,"until_date":1800000000})"
    );
    EXPECT_EQ(
        parameters(w.telegram.calls("unbanChatMember").at(0)),
        R"({"chat_id":-500,"user_id":66,"only_if_banned":true})"
    ) << "else a member would be removed";
    EXPECT_EQ(
        parameters(w.telegram.calls("banChatSenderChat").at(0)),
        R"({"chat_id":-500,"sender_chat_id":-8})"
    );
}

TEST(moderation, many_messages_are_removed_by_hundreds) {
    moderated_group w;
    std::vector<telegram_message_id> spam;
    for (int at = 0; at < 101; ++at) spam.push_back(w.say("buy"));

    EXPECT_TRUE(w.moderate(agent::remove_messages{spam}));
    EXPECT_TRUE(w.moderate(agent::remove_messages{spam})) << "they are gone already";

    auto const calls = w.telegram.calls("deleteMessages");
    ASSERT_EQ(calls.size(), 4u);
    EXPECT_EQ(calls[0].params.at("message_ids").as_array().size(), 100u);
    EXPECT_EQ(calls[1].params.at("message_ids").as_array().size(), 1u);
}

TEST(moderation, a_request_that_was_answered_is_answered) {
    moderated_group w;
    w.telegram.ask_to_join(group, user_id{67});
    ASSERT_TRUE(w.moderate(agent::answer_join_request{user_id{67}}));
    EXPECT_TRUE(w.moderate(agent::answer_join_request{user_id{67}})) << "twice equals once";
    EXPECT_TRUE(w.moderate(agent::answer_join_request{eve, false}));
}

TEST(moderation, fails_as_telegram_says) {
    struct sample {
        simulated_fault fault;
        errc code;
    };
    for (auto const& [fault, code] : std::vector<sample>{
             {fake_telegram::not_enough_rights(), errc::refused},
             {fake_telegram::user_is_administrator(), errc::refused},
             {fake_telegram::user_not_found(), errc::not_found},
             {fake_telegram::cannot_be_deleted(), errc::refused},
             {fake_telegram::too_many_requests(3), errc::rate_limited}}) {
        for (agent::moderation const& act : std::vector<agent::moderation>{
                 agent::ban_member{eve},
                 agent::restrict_member{eve},
                 agent::unban_member{eve},
                 agent::ban_sender_chat{chat_id{-8}},
                 agent::answer_join_request{eve},
                 agent::remove_messages{{telegram_message_id{1}}}}) {
            moderated_group w;
            w.telegram.fail({.method = std::string(method_of(act).name), .fault = fault});
            EXPECT_EQ(w.moderate(act).error(), code) << fault.description;
            if (code == errc::rate_limited) continue;
            EXPECT_TRUE(w.db.asked.empty()) << "the chat is open all the same";
        }
    }
}

TEST(moderation, gives_a_failure_the_reason_that_people_read_in_words) {
    for (auto const& [fault, reason] : std::vector<std::pair<simulated_fault, std::string_view>>{
             {fake_telegram::not_enough_rights(), agent::messenger_refusal::missing_right},
             {fake_telegram::user_is_administrator(), agent::messenger_refusal::of_administrator},
             {fake_telegram::user_not_found(), agent::messenger_refusal::no_person},
             {fake_telegram::cannot_be_deleted(), agent::messenger_refusal::undeletable}}) {
        moderated_group w;
        w.telegram.fail({.method = "banChatMember", .fault = fault});
        EXPECT_EQ(w.moderate(agent::ban_member{eve}).error().reason, reason) << fault.description;
    }
}

TEST(moderation, needs_its_rights) {
    moderated_group w;
    auto const message = w.say("buy");
    w.telegram.deny(group, w.telegram.bot().id, "can_restrict_members");
    EXPECT_EQ(w.moderate(agent::ban_member{eve}).error(), errc::refused);
    EXPECT_TRUE(w.moderate(agent::remove_messages{{message}}));

    auto const other = w.say("buy");
    w.telegram.deny(group, w.telegram.bot().id, "can_delete_messages");
    EXPECT_EQ(w.moderate(agent::remove_messages{{other}}).error(), errc::refused);
    EXPECT_EQ(w.loop.run(w.messenger->remove(in_group, other)).error(), errc::refused);
    EXPECT_TRUE(w.db.asked.empty()) << "no chat is marked as one that does not want us";
}

TEST(moderation, administrators_are_asked_for_once_in_a_while) {
    moderated_group w;
    w.telegram.set_member(group, user_id{20}, "creator");
    w.telegram.deny(group, w.telegram.bot().id, "can_invite_users");
    auto const look = [&] { return w.loop.run(w.messenger->get_administrators(in_group)).value(); };

    auto const members = look();
    ASSERT_EQ(members.size(), 2u);
    auto const& own = members[0].user == w.telegram.bot().id ? members[0] : members[1];
    EXPECT_TRUE(own.may_delete);
    EXPECT_TRUE(own.may_restrict);
    EXPECT_FALSE(own.may_invite);
    look();
    EXPECT_EQ(w.telegram.calls("getChatAdministrators").size(), 1u);
    w.clock.advance(std::chrono::minutes{5});
    look();
    EXPECT_EQ(w.telegram.calls("getChatAdministrators").size(), 2u);
}

TEST(moderation, administrators_are_asked_for_anew_once_they_have_changed) {
    moderated_group w;
    auto const look = [&] { return w.loop.run(w.messenger->get_administrators(in_group)).value(); };
    EXPECT_EQ(look().size(), 1u);
    w.telegram.set_member(group, eve, "administrator");
    EXPECT_EQ(look().size(), 1u) << "as of a moment ago";

    w.messenger->forget_administrators(in_group);

    EXPECT_EQ(look().size(), 2u);
    EXPECT_EQ(w.telegram.calls("getChatAdministrators").size(), 2u);
}

TEST(moderation, the_title_of_a_group_comes_with_its_administrators) {
    moderated_group w;
    w.telegram.set_title(group, "Gardeners");
    EXPECT_EQ(w.loop.run(w.messenger->get_title(in_group)), "Gardeners");
    EXPECT_EQ(w.loop.run(w.messenger->get_administrators(in_group)).value().size(), 1u);
    EXPECT_EQ(w.telegram.calls("getChat").size(), 1u) << "one look for both";

    moderated_group mute;
    mute.telegram.fail({.method = "getChat", .fault = fake_telegram::not_enough_rights()});
    EXPECT_EQ(mute.loop.run(mute.messenger->get_title(in_group)), "") << "a notice does without";
}

// Its owners write in its name, and nothing in such a message tells it from that of any other channel.
TEST(moderation, the_linked_channel_is_one_of_those_who_run_the_group) {
    moderated_group w;
    w.telegram.link(group, chat_id{-8});
    auto const look = [&] { return w.loop.run(w.messenger->get_administrators(in_group)); };

    auto const members = look().value();
    ASSERT_EQ(members.size(), 2u);
    EXPECT_EQ(members[1].user, user_id{-8});

    moderated_group slow;
    slow.telegram.fail({.method = "getChat", .fault = fake_telegram::too_many_requests(3)});
    EXPECT_EQ(
        slow.loop.run(slow.messenger->get_administrators(in_group)).error(), errc::rate_limited
    ) << "it is asked again before the channel is banned";

    moderated_group mute;
    mute.telegram.fail({.method = "getChat", .fault = fake_telegram::not_enough_rights()});
    EXPECT_EQ(mute.loop.run(mute.messenger->get_administrators(in_group)).value().size(), 1u);
}

} // namespace
} // namespace postrider::telegram::moderation_test
