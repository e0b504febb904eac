#include "agent/language/command.hpp"
#include "tests/unit/server/telegram/decided_messages.hpp"
#include "tests/unit/server/telegram/samples.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::disposition_test {
namespace {

using namespace decided;

constexpr user_id stranger_id{11};
constexpr chat_id other_group{-200};

template<class Change>
message changed(message m, Change change) {
    change(m);
    return m;
}

// covers: S3.21
TEST(disposition, a_photo_is_heard_with_and_without_words) {
    auto photo = in_private(friendly, "what is this?");
    photo.images.push_back({.file = "AgAC"});
    auto const captioned = std::get<to_job>(decide({update_id{1}, new_message{photo}}, settings()));
    EXPECT_EQ(captioned.text, "what is this?");
    ASSERT_EQ(captioned.heard.images.size(), 1u);
    EXPECT_EQ(captioned.heard.images[0].file, "AgAC");

    photo.text.reset();
    auto const alone = std::get<to_job>(decide({update_id{1}, new_message{photo}}, settings()));
    EXPECT_EQ(alone.text, "(image)");

    auto in_group = written(friendly, served_group);
    in_group.text.reset();
    EXPECT_EQ(fate_of(in_group), "no_text");
    in_group.images = photo.images;
    EXPECT_EQ(fate_of(in_group), "not_addressed");
}

TEST(disposition, what_cannot_be_read_is_answered_in_a_private_chat) {
    auto voice = changed(in_private(friendly), [](auto& m) {
        m.text.reset();
        m.attachment = "voice message";
    });
    auto const alone = std::get<to_job>(decide({update_id{1}, new_message{voice}}, settings()));
    EXPECT_EQ(alone.text, "(voice message)");
    EXPECT_EQ(alone.command, agent::unread_message.name);

    voice.text = "listen";
    auto const captioned = std::get<to_job>(decide({update_id{1}, new_message{voice}}, settings()));
    EXPECT_EQ(captioned.text, "listen");
    EXPECT_EQ(captioned.command, "");
    EXPECT_EQ(captioned.heard.attachment, "voice message");

    voice.album = "9";
    for (auto const* words : {"", "listen"}) {
        voice.text = words;
        auto const part = std::get<to_job>(decide({update_id{1}, new_message{voice}}, settings()));
        EXPECT_EQ(part.album, "9") << words;
        EXPECT_EQ(part.command, *words ? "" : agent::unread_message.name);
    }
    voice.text.reset();
    voice.from->id = stranger_id;
    EXPECT_EQ(fate_of(voice), "allowlist");
    voice.from->id = friendly;
    voice.where = {served_group, false};
    EXPECT_EQ(fate_of(voice), "not_addressed") << "it may belong to its album's turn";
    EXPECT_TRUE(std::get<to_job>(decide({update_id{1}, new_message{voice}}, settings())).only_joins
    );
    voice.album.clear();
    EXPECT_EQ(fate_of(voice), "no_text");
}

TEST(disposition, a_reply_says_which_message_it_is_about) {
    auto reply = in_private(friendly, "and this?");
    reply.reply_to = self;
    reply.replied_text = "Water it weekly.";

    auto const job = std::get<to_job>(decide({update_id{1}, new_message{reply}}, settings()));

    ASSERT_TRUE(job.heard.replied);
    EXPECT_TRUE(job.heard.replied->own);
    EXPECT_EQ(job.heard.replied->text, "Water it weekly.");
}

// covers: E.04 S0.01
TEST(disposition, who_may_write) {
    auto nobody = [](message& m) { m.from.reset(); };
    auto as_chat = [](message& m) { m.as_chat.emplace(); };

    EXPECT_EQ(fate_of(in_private(friendly)), "job");
    EXPECT_EQ(fate_of(in_private(stranger_id)), "allowlist");
    EXPECT_EQ(fate_of(written(stranger_id, served_group, "@fern_bot hi")), "job")
        << "in a group the chat decides";
    EXPECT_EQ(fate_of(written(friendly, other_group, "@fern_bot hi")), "allowlist");
    EXPECT_EQ(fate_of(changed(written(friendly, served_group, "/ask"), as_chat)), "allowlist");
    EXPECT_EQ(fate_of(changed(written(friendly, served_group, "/ask"), nobody)), "allowlist");
    EXPECT_EQ(fate_of(changed(in_private(friendly), nobody)), "allowlist");
}

// covers: E.04
TEST(disposition, a_command_in_a_group_asks_for_the_user_too) {
    EXPECT_EQ(fate_of(written(friendly, served_group, "/ask")), "job");
    EXPECT_EQ(fate_of(written(stranger_id, served_group, "/ask")), "allowlist");
    EXPECT_EQ(fate_of(written(stranger_id, served_group, "/ask@fern_bot now")), "allowlist");
    EXPECT_EQ(fate_of(written(stranger_id, served_group, "/ask@other_bot now")), "not_addressed")
        << "not a command for us";
    EXPECT_EQ(fate_of(written(stranger_id, served_group, "@fern_bot /ask")), "job");
    EXPECT_EQ(
        fate(decide(
            {update_id{1}, edited_message{written(stranger_id, served_group, "/ask")}}, settings()
        )),
        "allowlist"
    ) << "an edit makes no command that was not allowed";
    auto const refused = std::get<to_nothing>(
        decide({update_id{1}, new_message{written(stranger_id, served_group, "/ask")}}, settings())
    );
    EXPECT_EQ(refused.stranger->chat, served_group);
}

// covers: E.04
TEST(disposition, owners_are_allowed_everywhere) {
    auto bot = settings();
    bot.allowlist = {.users = {}, .chats = {}, .owners = {friendly}};
    auto fate_for = [&](auto content) { return fate(decide({update_id{1}, content}, bot)); };

    EXPECT_EQ(fate_for(new_message{in_private(friendly)}), "job");
    EXPECT_EQ(fate_for(new_message{written(friendly, other_group, "/ask")}), "job");
    EXPECT_EQ(fate_for(new_message{written(friendly, other_group, "@fern_bot hi")}), "job");
    EXPECT_EQ(fate_for(new_message{written(stranger_id, other_group, "@fern_bot")}), "allowlist");
    auto masked = written(friendly, other_group, "@fern_bot hi");
    masked.as_chat.emplace();
    EXPECT_EQ(fate_for(new_message{masked}), "allowlist") << "a mask is no owner";
    auto const aside = decide({update_id{1}, new_message{written(friendly, other_group)}}, bot);
    EXPECT_TRUE(std::holds_alternative<to_nothing>(aside)) << "the group is not listened to";
    button_press press;
    press.from.id = friendly;
    EXPECT_EQ(fate_for(press), "inline_message");
    press.where = place{other_group, false};
    EXPECT_EQ(fate_for(press), "press");
    press.shown = "Ban Eve?";
    auto const pressed = std::get<to_press>(decide({update_id{1}, press}, bot));
    EXPECT_TRUE(pressed.is_owner);
    EXPECT_EQ(pressed.shown, "Ban Eve?") << "its language is that of the note";
}

// covers: E.04
TEST(disposition, empty_lists_are_nobody) {
    auto bot = settings();
    bot.allowlist = {};
    for (auto const& m : {in_private(friendly), written(friendly, served_group, "/ask")})
        EXPECT_EQ(fate(decide({update_id{1}, new_message{m}}, bot)), "allowlist");
}

TEST(disposition, a_group_in_the_list_of_users_is_nobody) {
    auto bot = settings();
    bot.allowlist.users.insert(user_id{base::raw(other_group)});
    bot.allowlist.chats.insert(chat_id{base::raw(stranger_id)});
    EXPECT_EQ(
        fate(decide({update_id{1}, new_message{written(friendly, other_group, "/ask")}}, bot)),
        "allowlist"
    );
    EXPECT_EQ(fate(decide({update_id{1}, new_message{in_private(stranger_id)}}, bot)), "allowlist");
}

TEST(disposition, a_refused_person_is_named_and_a_mask_is_not) {
    auto const refused = std::get<to_nothing>(
        decide({update_id{1}, new_message{in_private(stranger_id, "secret plans")}}, settings())
    );
    ASSERT_TRUE(refused.stranger);
    EXPECT_EQ(refused.stranger->user, stranger_id);
    EXPECT_EQ(refused.stranger->name, "Name");

    auto masked = written(stranger_id, other_group);
    masked.as_chat.emplace();
    EXPECT_FALSE(
        std::get<to_nothing>(decide({update_id{1}, new_message{masked}}, settings())).stranger
    );
}

TEST(disposition, rules_by_name) {
    EXPECT_EQ(
        fate_of(
            changed(written(friendly, served_group, "/ask"), [](auto& m) { m.from->is_bot = true; })
        ),
        "from_bot"
    );
    EXPECT_EQ(fate_of(written(self, served_group)), "own");
    EXPECT_EQ(
        fate_of(changed(in_private(friendly), [](auto& m) { m.service = true; })), "service_message"
    );
    EXPECT_EQ(fate_of(changed(in_private(friendly), [](auto& m) { m.text.reset(); })), "no_text");
    EXPECT_EQ(fate_of(in_private(friendly, "")), "no_text");
    EXPECT_EQ(fate(decide({update_id{1}, other_update{"poll"}}, settings())), "kind:poll");
    EXPECT_EQ(fate(decide({update_id{1}, member_change{}}, settings())), "allowlist");
    member_change change;
    change.where = place{served_group, false};
    EXPECT_EQ(fate(decide({update_id{1}, change}, settings())), "member event");
}

TEST(disposition, a_member_change_tells_who_it_was_and_who_did_it) {
    member_change change;
    change.where = place{served_group, false};
    change.by.id = friendly;
    change.member.id = user_id{12};
    change.member.name = "Eve";
    change.now = agent::member_standing::banned;

    auto const told = std::get<to_member_event>(decide({update_id{1}, change}, settings())).change;

    EXPECT_EQ(told.at.bot, bot_id{3});
    EXPECT_EQ(told.at.chat, served_group);
    EXPECT_EQ(told.user, user_id{12});
    EXPECT_EQ(told.name, "Eve");
    EXPECT_EQ(told.before, agent::member_standing::left);
    EXPECT_EQ(told.now, agent::member_standing::banned);
    EXPECT_EQ(told.by, friendly);
}

TEST(disposition, what_is_addressed_in_a_group) {
    auto said = [](std::string text) {
        return fate_of(written(friendly, served_group, std::move(text)));
    };
    EXPECT_EQ(said("hi @fern_bot!"), "job");
    EXPECT_EQ(said("hi @FERN_Bot"), "job");
    EXPECT_EQ(said("hi @fern_bot2"), "not_addressed");
    EXPECT_EQ(said("mail me: a@fern_bot"), "not_addressed");
    EXPECT_EQ(said("@other and @fern_bot"), "job");
    EXPECT_EQ(said("/ask"), "job");
    EXPECT_EQ(said("/ask@fern_bot how"), "job");
    EXPECT_EQ(said("/ask@other_bot how"), "not_addressed");
    EXPECT_EQ(said("/ not a command"), "not_addressed");
    EXPECT_EQ(said("and/or"), "not_addressed");

    auto reply = written(friendly, served_group);
    reply.reply_to = self;
    EXPECT_EQ(fate_of(reply), "job");
    reply.reply_to = friendly;
    EXPECT_EQ(fate_of(reply), "not_addressed");
}

TEST(disposition, a_command_is_none_where_it_is_another_bots) {
    auto const command_of = [](std::string text) {
        auto reply = written(friendly, served_group, std::move(text));
        reply.reply_to = self; // so it is addressed in any case
        return std::get<to_job>(decide({update_id{1}, new_message{reply}}, settings())).command;
    };
    EXPECT_EQ(command_of("/new"), "/new");
    EXPECT_EQ(command_of("/new@fern_bot at once"), "/new");
    EXPECT_EQ(command_of("/new@other_bot"), "");
    EXPECT_EQ(command_of("/new@other_bot start, then @fern_bot hello"), "");
    EXPECT_EQ(command_of("/new@fern_bot2"), "");
    EXPECT_EQ(command_of("/new@FERN_bot, please"), "/new");
    EXPECT_EQ(command_of("/NEW@Fern_Bot"), "/new");
    EXPECT_EQ(command_of("/Help"), "/help");
    EXPECT_EQ(command_of("/Help@OTHER_bot"), "");
    EXPECT_EQ(command_of("new"), "");
}

TEST(disposition, what_is_said_to_the_bot_is_kept_without_its_name) {
    auto const named = [](user_id from, std::string text, std::int64_t length) {
        auto m = written(from, served_group, std::move(text));
        m.marks = {{0, length}};
        return m;
    };
    auto const heard = [](message m) {
        return std::get<to_job>(decide({update_id{1}, new_message{std::move(m)}}, settings()));
    };
    auto const answer = heard(named(friendly, "@fern_bot yes", 9));
    EXPECT_TRUE(answer.heard.addressed);
    EXPECT_EQ(answer.text, "yes");
    EXPECT_EQ(answer.command, "");
    auto const command = heard(named(friendly, "/ask@fern_bot how", 13));
    EXPECT_EQ(command.text, "/ask how");
    EXPECT_EQ(command.command, "/ask");
    EXPECT_EQ(heard(named(friendly, "@fern_bot", 9)).text, "@fern_bot") << "nothing else is there";
    EXPECT_EQ(
        std::get<to_edit>(
            decide({update_id{1}, edited_message{named(friendly, "@fern_bot no", 9)}}, settings())
        )
            .edit.text,
        "no"
    );
}

TEST(disposition, a_command_behind_the_bots_name_is_one) {
    auto named = written(friendly, served_group, "@fern_bot /ask how");
    named.marks = {{0, 9}, {10, 4}};
    auto const job = std::get<to_job>(decide({update_id{1}, new_message{named}}, settings()));
    EXPECT_EQ(job.text, "/ask how");
    EXPECT_EQ(job.command, "/ask");

    named.from->id = stranger_id;
    EXPECT_EQ(fate_of(named), "allowlist") << "else its text would be one that was not allowed";
}

TEST(disposition, a_job_knows_where_to_answer) {
    auto m = written(friendly, served_group, "/ask");
    m.thread = thread_id{17};
    m.date = 1795228800;
    m.replied = telegram_message_id{4};

    auto const job = std::get<to_job>(decide({update_id{1}, new_message{m}}, settings()));

    EXPECT_EQ(job.lane_key, "3:-100:17");
    EXPECT_EQ(job.text, "/ask");
    EXPECT_EQ(job.heard.from.bot, bot_id{3});
    EXPECT_EQ(job.heard.from.chat, served_group);
    EXPECT_EQ(job.heard.from.thread, thread_id{17});
    EXPECT_EQ(job.heard.user, friendly);
    EXPECT_EQ(job.heard.message, telegram_message_id{5});
    EXPECT_EQ(job.agent, "todo");
    EXPECT_EQ(job.circumstances.sender, "Name");
    EXPECT_EQ(job.circumstances.reply_to, telegram_message_id{4});
    EXPECT_EQ(
        job.circumstances.sent_at, std::chrono::sys_seconds{std::chrono::seconds{1795228800}}
    );
}

TEST(disposition, an_edit_is_an_event_under_the_same_rules) {
    auto edited = [](message m) {
        return fate(decide({update_id{1}, edited_message{std::move(m)}}, settings()));
    };
    EXPECT_EQ(edited(in_private(friendly)), "event");
    EXPECT_EQ(edited(in_private(stranger_id)), "allowlist");
    EXPECT_EQ(edited(changed(in_private(friendly), [](auto& m) { m.text.reset(); })), "no_text");
}

// covers: E.04
TEST(disposition, a_press_counts_as_its_user) {
    auto pressed = [](user_id by) {
        button_press press;
        press.from.id = by;
        press.where = place{served_group, false};
        return decide({update_id{1}, press}, settings());
    };
    EXPECT_EQ(fate(pressed(friendly)), "press");
    EXPECT_EQ(fate(pressed(stranger_id)), "allowlist") << "the chat is allowed, the user is not";
    EXPECT_EQ(std::get<to_nothing>(pressed(stranger_id)).stranger->chat, served_group);
}

// Its administrators need not be on any list; whether they may decide is asked by the job.
TEST(disposition, a_move_of_an_allowed_group_is_seen_whoever_did_it) {
    auto m = written(stranger_id, served_group);
    m.text.reset();
    m.service = true;
    m.as_chat.emplace();
    m.migrated_to = chat_id{-1001};

    auto const nothing = std::get<to_nothing>(decide({update_id{1}, new_message{m}}, settings()));
    EXPECT_EQ(nothing.rule, "service_message");
    ASSERT_TRUE(nothing.moved);
    EXPECT_EQ(nothing.moved->from, served_group);
    EXPECT_EQ(nothing.moved->to, chat_id{-1001});

    m.where.id = other_group;
    EXPECT_FALSE(std::get<to_nothing>(decide({update_id{1}, new_message{m}}, settings())).moved);
}

} // namespace
} // namespace postrider::telegram::disposition_test
