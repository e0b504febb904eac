// Buttons, media, presses and members, against a simulated Telegram.
#include "server/telegram/drafts.hpp"
#include "tests/unit/server/telegram/messenger_desk.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::telegram::messenger_acts_test {
namespace {

using base::errc;
using tests::fake_telegram;
using namespace std::chrono_literals;

agent::address const private_chat{our_bot, alexs_chat};
agent::address const in_group{our_bot, group};

agent::message_content asking(std::string text) {
    agent::message_content content{.text = std::move(text)};
    content.buttons = {
        {{.text = "Yes", .data = "q1:yes"}, {.text = "No", .data = "q1:no"}},
        {{.text = "Help", .url = "https://example.org"}}};
    return content;
}

std::string parameter(simulated_call const& call, std::string_view name) {
    auto const* value = call.params.if_contains(name);
    return value ? boost::json::serialize(*value) : std::string{};
}

TEST(messenger_acts, sends_buttons_in_rows) {
    messenger_desk d;
    agent::outgoing message{private_chat, asking("Sure?"), {}};

    ASSERT_TRUE(d.loop.run(d.messenger->send(std::move(message))));

    EXPECT_EQ(
        parameter(d.telegram.sent().at(0), "reply_markup"),
        R"({"inline_keyboard":[[{"text":"Yes","callback_data":"q1:yes"},)"
        R"({"text":"No","callback_data":"q1:no"}],[{"text":"Help","url":"https://example.org"}]]})"
    );
}

TEST(messenger_acts, a_button_that_telegram_would_refuse_is_refused_without_a_call) {
    messenger_desk d;
    agent::message_content content{.text = "Sure?"};
    content.buttons = {{{.text = "Yes", .data = std::string(65, 'x')}}};
    agent::outgoing message{private_chat, content, {}};

    EXPECT_EQ(d.loop.run(d.messenger->send(message)).error(), errc::invalid);
    EXPECT_EQ(d.requests(), 0u);

    message.content.buttons[0][0].data.pop_back();
    EXPECT_TRUE(d.loop.run(d.messenger->send(message))) << "64 bytes are taken";
}

TEST(messenger_acts, an_edit_turns_buttons_into_their_outcome) {
    messenger_desk d;
    agent::outgoing message{private_chat, asking("Sure?"), {}};
    auto const id = d.loop.run(d.messenger->send(std::move(message))).value();
    auto edit = [&](agent::message_content content) {
        return d.loop.run(d.messenger->edit(private_chat, id, std::move(content)));
    };

    EXPECT_TRUE(edit({.text = "Sure? Yes, said Alex."}));
    EXPECT_TRUE(edit({.text = "Sure? Yes, said Alex."})) << "it is so already";
    auto buttons_alone = asking("");
    EXPECT_TRUE(edit(buttons_alone));

    auto const edits = d.telegram.calls("editMessageText");
    ASSERT_EQ(edits.size(), 2u);
    EXPECT_EQ(parameter(edits[0], "reply_markup"), "") << "without it the keyboard goes";
    EXPECT_EQ(edits[1].status, 400) << "not modified";
    EXPECT_EQ(d.telegram.calls("editMessageReplyMarkup").at(0).status, 200);
}

TEST(messenger_acts, media_have_a_caption_that_can_be_edited) {
    messenger_desk d;
    agent::message_content photo{.text = "A fern"};
    photo.media = agent::media{agent::media_kind::photo, "https://example.org/fern.jpg"};
    agent::message_content document{};
    document.media = agent::media{agent::media_kind::document, "BQACAgIAAxkBAAI"};

    auto const id = d.loop.run(d.messenger->send({private_chat, photo, {}})).value();
    ASSERT_TRUE(d.loop.run(d.messenger->send({private_chat, document, {}})));
    ASSERT_TRUE(d.loop.run(d.messenger->edit(private_chat, id, {.text = "A young fern"})));

    auto const sent = d.telegram.calls("sendPhoto").at(0);
    EXPECT_EQ(parameter(sent, "photo"), R"("https://example.org/fern.jpg")");
    EXPECT_EQ(parameter(sent, "caption"), R"("A fern")");
    EXPECT_EQ(
        parameter(d.telegram.calls("sendDocument").at(0), "document"), R"("BQACAgIAAxkBAAI")"
    );
    EXPECT_EQ(d.telegram.calls("editMessageText").at(0).status, 400) << "it has no text";
    EXPECT_EQ(
        parameter(d.telegram.calls("editMessageCaption").at(0), "caption"), R"("A young fern")"
    );
}

base::awaitable<base::result<std::string>> as_loaded(base::result<std::string> bytes) {
    co_return bytes;
}

agent::message_content uploading(base::result<std::string> bytes) {
    agent::message_content content{.text = "A page"};
    content.media = agent::media{agent::media_kind::document, "file-1"};
    content.media->upload =
        agent::upload{"page \"1\".pdf", "application/pdf", [bytes] { return as_loaded(bytes); }};
    return content;
}

TEST(messenger_acts, a_file_is_uploaded_with_its_caption) {
    messenger_desk d;
    auto const sent = d.loop.run(d.messenger->send({private_chat, uploading("bytes"), {}}));

    ASSERT_TRUE(sent) << to_string(sent.error());
    auto const call = d.telegram.calls("sendDocument").at(0);
    EXPECT_EQ(parameter(call, "document"), R"("upload:page %221%22.pdf")");
    EXPECT_EQ(parameter(call, "caption"), R"("A page")");
}

// Nothing is said to Telegram, and the chat is as open as before.
TEST(messenger_acts, a_file_that_cannot_be_loaded_is_not_sent) {
    messenger_desk d;
    auto const fail = [&d](errc code) {
        auto content = uploading(base::error(code, "no file"));
        return d.loop.run(d.messenger->send({private_chat, std::move(content), {}})).error().code;
    };
    EXPECT_EQ(fail(errc::unavailable), errc::unavailable);
    EXPECT_EQ(fail(errc::refused), errc::invalid);
    EXPECT_EQ(fail(errc::not_found), errc::invalid);

    EXPECT_TRUE(d.telegram.calls("sendDocument").empty());
}

TEST(messenger_acts, a_caption_that_is_too_long_follows_its_media) {
    messenger_desk d;
    auto content = asking("<b>" + std::string(2000, 'a') + "</b>");
    content.markup = agent::text_markup::html;
    content.media = agent::media{agent::media_kind::photo, "https://example.org/fern.jpg"};

    auto const parts = d.messenger->split({}, content);

    ASSERT_EQ(parts.size(), 2u);
    EXPECT_TRUE(parts[0].media);
    EXPECT_EQ(parts[0].text, "");
    EXPECT_TRUE(parts[0].buttons.empty());
    EXPECT_FALSE(parts[1].media);
    EXPECT_EQ(parts[1].text, content.text);
    EXPECT_EQ(parts[1].buttons, content.buttons);
}

// A draft that came behind its message would stand below it.
TEST(messenger_acts, a_message_waits_for_the_draft_of_its_chat) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessageDraft", .fault = fake_telegram::slow(50ms)});
    auto const screen = make_drafts({&d.fern}, d.clock);
    base::task_group tasks(d.loop.executor());
    auto show = [](agent::draft_screen& on) -> base::awaitable<void> {
        (void)co_await on.show(private_chat, 7, "**Ferns** like");
    };
    tasks.spawn("draft", show(*screen));

    ASSERT_TRUE(d.send(alexs_chat));
    d.loop.run(tasks.join());

    auto const calls = d.telegram.record().calls;
    ASSERT_GE(calls.size(), 2u);
    EXPECT_EQ(calls[calls.size() - 2].method, "sendMessageDraft");
    EXPECT_EQ(calls.back().method, "sendMessage");
}

TEST(messenger_acts, all_that_is_shown_stands_in_its_topic) {
    messenger_desk d;
    auto const screen = make_drafts({&d.fern}, d.clock);
    agent::address const topic{our_bot, alexs_chat, thread_id{17}};

    (void)d.loop.run(d.messenger->send({topic, asking("Which?"), {}}));
    (void)d.loop.run(d.messenger->send({topic, uploading("bytes"), {}}));
    d.loop.run(d.messenger->typing(topic));
    (void)d.loop.run(screen->show(topic, 7, "Ferns"));

    for (auto const* method : {"sendMessage", "sendDocument", "sendChatAction", "sendMessageDraft"})
        EXPECT_EQ(parameter(d.telegram.calls(method).at(0), "message_thread_id"), "17") << method;
}

TEST(messenger_acts, drafts_have_styles_and_are_of_private_chats) {
    messenger_desk d;
    auto const screen = make_drafts({&d.fern}, d.clock);
    auto const show = [&](agent::address where, std::string text) {
        return d.loop.run(screen->show(where, 7, std::move(text)));
    };

    ASSERT_TRUE(show(private_chat, "**Ferns** like"));
    auto const drawn = d.telegram.calls("sendMessageDraft").at(0);
    EXPECT_EQ(drawn.text, "<b>Ferns</b> like");
    EXPECT_EQ(parameter(drawn, "draft_id"), "7");
    EXPECT_EQ(parameter(drawn, "can_stop"), "true");
    EXPECT_EQ(parameter(drawn, "parse_mode"), "\"HTML\"");

    d.clock.advance(1s);
    ASSERT_TRUE(show(private_chat, std::string(5000, 'a') + "\nthe end"));
    EXPECT_TRUE(d.telegram.calls("sendMessageDraft").at(1).text.ends_with("the end"))
        << "what is written now";

    EXPECT_FALSE(screen->shows(in_group));
    EXPECT_EQ(show(in_group, "x").error(), errc::refused);
    d.fern.settings.drafts = false;
    EXPECT_FALSE(screen->shows(private_chat));
}

TEST(messenger_acts, an_older_server_is_asked_for_a_draft_once) {
    messenger_desk d;
    auto const screen = make_drafts({&d.fern}, d.clock);
    d.telegram.fail(
        {.method = "sendMessageDraft", .times = -1, .fault = fake_telegram::server_error(404)}
    );

    EXPECT_EQ(d.loop.run(screen->show(private_chat, 7, "Ferns")).error(), errc::refused);
    EXPECT_FALSE(screen->shows(private_chat));
    EXPECT_EQ(d.loop.run(screen->show(private_chat, 7, "Ferns")).error(), errc::refused);
    EXPECT_EQ(d.telegram.calls("sendMessageDraft").size(), 1u);
    EXPECT_TRUE(d.send(alexs_chat)) << "messages come all the same";
}

TEST(messenger_acts, drafts_that_telegram_limits_say_for_how_long) {
    messenger_desk d;
    auto const screen = make_drafts({&d.fern}, d.clock);
    d.telegram.fail({.method = "sendMessageDraft", .fault = fake_telegram::too_many_requests(14)});
    auto const limited = d.loop.run(screen->show(private_chat, 7, "Ferns"));
    EXPECT_EQ(limited.error(), errc::rate_limited);
    EXPECT_EQ(limited.error().retry_after, 14s);
    EXPECT_TRUE(screen->shows(private_chat));

    d.clock.advance(20s);
    for (int n = 0; n < draft_state::most_in_a_second; ++n)
        ASSERT_TRUE(d.loop.run(screen->show(private_chat, 7, "Ferns")));
    EXPECT_EQ(d.loop.run(screen->show(private_chat, 7, "Ferns")).error(), errc::overloaded);
}

TEST(messenger_acts, a_press_is_answered_once) {
    messenger_desk d;
    simulated_press press{.from = alex, .chat = alexs_chat};
    press.data = "q1:yes";
    auto const query = d.telegram.press(press).query;
    auto answer = [&](std::string note) {
        return d.loop.run(d.messenger->answer_press({our_bot}, query, std::move(note), true));
    };

    EXPECT_TRUE(answer(std::string(300, 'n')));
    EXPECT_EQ(answer("").error(), errc::stale);

    auto const answered = d.telegram.calls("answerCallbackQuery").at(0);
    EXPECT_LE(parameter(answered, "text").size(), 202u);
    EXPECT_EQ(parameter(answered, "show_alert"), "true");
}

TEST(messenger_acts, a_press_is_answered_in_a_chat_that_has_to_wait) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::too_many_requests(14)});
    ASSERT_FALSE(d.send(alexs_chat));
    simulated_press press{.from = alex, .chat = alexs_chat};
    auto const query = d.telegram.press(press).query;

    EXPECT_TRUE(d.loop.run(d.messenger->answer_press(private_chat, query, "", false)));
}

struct member_change {
    std::string name;
    std::function<base::awaitable<base::result<void>>(agent::messenger&, agent::address, user_id)>
        act;
    std::string standing; // afterwards
};

std::vector<member_change> const changes{
    {"restrict",
     [](agent::messenger& out, agent::address place, user_id user) {
         return out.moderate(place, agent::restrict_member{.user = user});
     },
     "restricted"},
    {"ban",
     [](agent::messenger& out, agent::address place, user_id user) {
         return out.moderate(place, agent::ban_member{.user = user});
     },
     "banned"},
};

TEST(messenger_acts, members_are_looked_at_and_changed) {
    for (auto const& change : changes) {
        SCOPED_TRACE(change.name);
        messenger_desk d;
        d.telegram.set_member(group, d.telegram.bot().id, "administrator");
        auto look = [&] { return d.loop.run(d.messenger->get_member(in_group, alex)); };

        EXPECT_EQ(to_string(look().value().standing), "member");
        EXPECT_TRUE(d.loop.run(change.act(*d.messenger, in_group, alex)));
        EXPECT_TRUE(d.loop.run(change.act(*d.messenger, in_group, alex))) << "twice equals once";
        EXPECT_EQ(to_string(look().value().standing), change.standing);
    }
}

TEST(messenger_acts, what_may_not_be_done_to_members_is_refused_and_the_chat_stays_open) {
    for (auto const& change : changes) {
        SCOPED_TRACE(change.name);
        messenger_desk d;
        auto act = [&](agent::address place, user_id user) {
            return d.loop.run(change.act(*d.messenger, place, user)).error().code;
        };

        EXPECT_EQ(act(in_group, alex), errc::refused) << "not enough rights";
        d.telegram.set_member(group, d.telegram.bot().id, "administrator");
        EXPECT_EQ(act(in_group, user_id{99}), errc::not_found);
        d.telegram.set_member(group, user_id{20}, "creator");
        EXPECT_EQ(act(in_group, user_id{20}), errc::refused);
        d.telegram.set_member(group, user_id{21}, "administrator");
        EXPECT_EQ(act(in_group, user_id{21}), errc::refused);
        EXPECT_EQ(act(private_chat, alex), errc::refused);

        EXPECT_TRUE(d.db.asked.empty()) << "no chat is marked as one that does not want us";
        EXPECT_EQ(
            d.loop.run(d.messenger->get_member(in_group, user_id{99})).error(), errc::not_found
        );
    }
}

TEST(messenger_acts, a_stopped_bot_does_none_of_it) {
    messenger_desk d;
    d.telegram.fail({.times = 1, .fault = fake_telegram::unauthorized()});
    EXPECT_EQ(d.loop.run(d.messenger->get_member(in_group, alex)).error(), errc::unauthorized);
    auto const calls = d.telegram.calls("getChatMember").size();

    EXPECT_EQ(
        d.loop.run(d.messenger->moderate(in_group, agent::ban_member{alex})).error(),
        errc::unauthorized
    );
    EXPECT_EQ(
        d.loop.run(d.messenger->answer_press(private_chat, "1", "", false)).error(),
        errc::unauthorized
    );
    EXPECT_EQ(calls, 1u);
    EXPECT_TRUE(d.telegram.calls("banChatMember").empty());
    EXPECT_TRUE(d.telegram.calls("answerCallbackQuery").empty());
}

TEST(messenger_acts, a_limit_of_the_chat_holds_for_changes_of_members) {
    messenger_desk d;
    d.telegram.fail({.method = "banChatMember", .fault = fake_telegram::too_many_requests(9)});

    auto const ban = [&](user_id user) {
        return d.loop.run(d.messenger->moderate(in_group, agent::ban_member{user})).error();
    };
    EXPECT_EQ(ban(alex).retry_after, std::chrono::seconds{9});
    EXPECT_EQ(d.send(group).error(), errc::rate_limited);
    EXPECT_EQ(d.requests(), 0u);
    EXPECT_EQ(ban(user_id{99}), errc::rate_limited) << "the rest of a wave of bans waits";
    EXPECT_EQ(d.telegram.calls("banChatMember").size(), 1u);
}

} // namespace
} // namespace postrider::telegram::messenger_acts_test
