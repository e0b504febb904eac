// The node that obeys administrators: whose word counts, and what it comes to.
// covers: X.09 S4.17
#include "tests/unit/agent/flow/obedient_group.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::spam_command_node_test {
namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using namespace commanding;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(spam_command, deletes_bans_and_teaches_without_an_admin_chat) {
    obedient_group w;
    auto const outcome = w.say("/spam");

    EXPECT_EQ(word_of(outcome), "spam");
    EXPECT_THAT(w.operations(), ElementsAre("delete", "delete", "ban")) << "the command goes, too";
    EXPECT_EQ(std::get<agent::ban_member>(w.chat.moderated[2].second).user, eve);
    ASSERT_THAT(w.rows("train_samples"), SizeIs(1));
    EXPECT_EQ(w.rows("train_samples")[0].at("kind"), "spam");
    EXPECT_EQ(w.rows("train_samples")[0].at("whose"), "user:5");
    EXPECT_EQ(w.rows("withdraw_texts")[0].at("kind"), "ham");
    ASSERT_THAT(w.rows("ban_members"), SizeIs(1));
    EXPECT_EQ(w.rows("ban_members")[0].at("whose"), "user:5");
    EXPECT_EQ(w.rows("record_catches")[0].at("whose"), "user:5");
    EXPECT_EQ(w.rows("record_catches")[0].at("content"), "earn money");
}

TEST(spam_command, shows_what_a_training_would_change_before_it_is_confirmed) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.say("/spam");

    EXPECT_THAT(w.rows("train_samples"), IsEmpty());
    ASSERT_THAT(w.chat.sent, SizeIs(2));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("the author is banned"));
    EXPECT_THAT(w.chat.sent[0].content.text, HasSubstr("Decided by user 5"));
    EXPECT_THAT(w.chat.sent[1].content.text, HasSubstr("Teach the filter that this is spam?"));
    EXPECT_THAT(w.chat.sent[1].content.text, HasSubstr("Its points:"));
    EXPECT_THAT(w.chat.sent[1].content.buttons.at(0), SizeIs(2));
    EXPECT_THAT(w.rows("note_admin_messages"), SizeIs(1));
}

TEST(spam_command, bans_without_a_lesson) {
    obedient_group w;
    EXPECT_EQ(word_of(w.say("/ban")), "ban");

    EXPECT_THAT(w.operations(), ElementsAre("delete", "delete", "ban"));
    EXPECT_THAT(w.rows("train_samples"), IsEmpty());
}

// No part of it was caught before.
TEST(spam_command, takes_away_an_album_as_a_whole) {
    for (auto const* word : {"/spam", "/ban", "/warn"}) {
        obedient_group w;
        w.album = "13";
        w.say(word);

        ASSERT_GE(w.chat.moderated.size(), 2u) << word;
        EXPECT_THAT(
            std::get<agent::remove_messages>(w.chat.moderated.at(1).second).messages,
            ElementsAre(telegram_message_id{50}, telegram_message_id{49})
        ) << word;
        EXPECT_EQ(w.rows("record_catches").at(0).at("album"), "13")
            << "parts that come later go, too";
    }
}

TEST(spam_command, takes_the_caption_of_an_album_where_another_part_was_replied_to) {
    obedient_group w;
    w.album = "13";
    w.is_wordless = true;
    w.say("/spam");

    EXPECT_EQ(w.rows("record_catches").at(0).at("content"), "earn money");
    EXPECT_EQ(w.rows("train_samples").at(0).at("content"), "earn money");
}

TEST(spam_command, approves_and_teaches_ham) {
    obedient_group w;
    EXPECT_EQ(word_of(w.say("/ham")), "ham");

    EXPECT_THAT(w.operations(), ElementsAre("delete"));
    ASSERT_THAT(w.rows("approve_members"), SizeIs(1));
    EXPECT_EQ(w.rows("approve_members")[0].at("user_id"), 7);
    EXPECT_EQ(w.rows("train_samples")[0].at("kind"), "ham");
}

TEST(spam_command, undoes_a_catch_by_ham) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.is_caught = true;
    w.say("/ham");

    EXPECT_THAT(w.operations(), ElementsAre("delete", "unban"));
    EXPECT_THAT(w.rows("unban_members"), SizeIs(1));
    EXPECT_THAT(w.rows("undo_catches"), SizeIs(1));
    EXPECT_EQ(w.rows("train_samples")[0].at("origin"), "unban");
    EXPECT_THAT(w.chat.sent, IsEmpty()) << "nothing is left to ask";
}

TEST(spam_command, passes_on_what_nobody_may_command) {
    struct sample {
        agent::member_standing standing;
        bool may_restrict;
    };
    for (auto const& [standing, may_restrict] : std::vector<sample>{
             {agent::member_standing::member, true},
             {agent::member_standing::restricted, false},
             {agent::member_standing::administrator, false}}) {
        obedient_group w;
        w.make_admin(standing, may_restrict);
        auto const outcome = w.say("/spam");
        EXPECT_THAT(w.chat.moderated, IsEmpty());
        EXPECT_THAT(w.rows("record_catches"), IsEmpty());
        EXPECT_THAT(flow_world::ended(outcome), HasSubstr("/spam"));
        EXPECT_FALSE(outcome.output.at("items").at(0).as_object().contains("command"));
    }
    obedient_group w;
    w.chat.administrators.clear();
    w.say("/ban");
    EXPECT_THAT(w.chat.moderated, IsEmpty());
}

TEST(spam_command, takes_the_word_of_an_owner_of_the_bot) {
    obedient_group w;
    w.chat.administrators.clear();
    w.adjust = [](flow::node_services& services) {
        services.is_owner = [](bot_id bot, user_id user) {
            return bot == bot_id{1} && user == ada;
        };
    };
    EXPECT_EQ(word_of(w.say("/ban")), "ban");
}

TEST(spam_command, passes_on_every_other_message) {
    obedient_group w;
    auto const outcome = w.say("hello all");

    EXPECT_THAT(flow_world::ended(outcome), HasSubstr("hello all"));
    EXPECT_THAT(w.rows("record_catches"), IsEmpty());
}

TEST(spam_command, takes_a_forward_to_the_admin_chat_for_spam) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.forward = storage::message_forward{.kind = "user", .id = 7, .name = "Eve"};
    auto const outcome = w.say("earn money", admins);

    EXPECT_EQ(word_of(outcome), "spam");
    EXPECT_THAT(w.operations(), ElementsAre("delete", "ban"));
    ASSERT_THAT(w.chat.moderated, SizeIs(2));
    EXPECT_EQ(w.chat.moderated[0].first, group);
    EXPECT_THAT(w.chat.sent, SizeIs(2));
}

TEST(spam_command, keeps_what_is_said_in_the_admin_chat_there) {
    obedient_group w({{"admin_chat", base::raw(admins)}});
    w.say("what is this?", admins);
    EXPECT_THAT(w.chat.moderated, IsEmpty());

    obedient_group unknown({{"admin_chat", base::raw(admins)}});
    unknown.is_archived = false;
    unknown.forward = storage::message_forward{.kind = "hidden_user", .id = {}, .name = "Eve"};
    unknown.say("earn money", admins);
    EXPECT_THAT(unknown.chat.moderated, IsEmpty());

    obedient_group nobody({{"admin_chat", base::raw(admins)}});
    nobody.make_admin(agent::member_standing::member, false);
    nobody.forward = storage::message_forward{.kind = "user", .id = 7, .name = "Eve"};
    nobody.say("earn money", admins);
    EXPECT_THAT(nobody.chat.moderated, IsEmpty());
}

TEST(spam_command, reports_what_telegram_refuses) {
    obedient_group w;
    w.chat.moderation_failures = {
        base::error(base::errc::refused, "message can't be deleted"),
        base::error(base::errc::refused, "message can't be deleted"),
        base::error(base::errc::refused, "user is an administrator")};
    auto const outcome = w.say("/ban");

    EXPECT_THAT(w.rows("ban_members"), IsEmpty());
    EXPECT_TRUE(outcome.degraded);
    EXPECT_THAT(flow_world::ended(outcome), HasSubstr("can't be deleted"));
}

TEST(spam_command, does_nothing_in_a_silent_execution) {
    obedient_group w;
    agent::group_message message;
    message.sender.user = ada;
    message.text = "/ban";
    message.reply = agent::inside_reply{telegram_message_id{50}, eve, "Eve", "earn"};
    flow::execution_input input;
    input.flow = "guard";
    input.version = 1;
    input.heard = flow::heard_message{{bot_id{1}, group}, ada, telegram_message_id{60}};
    input.heard->seen = event_json(agent::group_event::message, message);
    input.silent = true;
    w.run(input);

    EXPECT_THAT(w.chat.moderated, IsEmpty());
}

} // namespace
} // namespace postrider::tests::spam_command_node_test
