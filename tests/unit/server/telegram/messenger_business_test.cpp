// Chats of business accounts, against a simulated Telegram.
#include "server/telegram/drafts.hpp"
#include "tests/unit/server/telegram/messenger_desk.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::messenger_business_test {
namespace {

using base::errc;

constexpr user_id customer{20};
constexpr chat_id customers_chat{20};
agent::address const in_business{our_bot, chat_id{4503599627370497}};

// Alex has connected the bot, and a customer has written.
struct business_desk : messenger_desk {
    explicit business_desk(bool may_reply = true) {
        telegram.connect({.id = "c1", .account = alex, .may_reply = may_reply});
        telegram.say({.from = customer, .text = "hi", .business = "c1", .customer = customers_chat}
        );
        fern.settings.business = {alex};
        fern.settings.allowlist.users = {alex};
        db.answer = {storage::row({"c1", "20", may_reply ? "t" : "f", base::to_string(alex)})};
    }
    base::result<telegram_message_id> says(agent::message_content content) {
        return loop.run(messenger->send({in_business, std::move(content), {}}));
    }
};

TEST(messenger_business, sends_by_the_connection_and_without_buttons) {
    business_desk d;
    agent::message_content question{.text = "Sure?"};
    question.buttons = {{{.text = "Yes", .data = "q1:yes"}}};

    auto const sent = d.says(std::move(question));

    ASSERT_TRUE(sent) << base::to_string(sent.error());
    auto const call = d.telegram.sent().at(0);
    EXPECT_EQ(call.chat, customers_chat);
    EXPECT_EQ(call.params.at("business_connection_id"), "c1");
    EXPECT_EQ(call.text, "Sure?\n- Yes");
    EXPECT_FALSE(call.params.if_contains("reply_markup"));

    EXPECT_TRUE(d.loop.run(d.messenger->edit(in_business, *sent, {.text = "Sure."})));
    auto const edited = d.telegram.calls("editMessageText").at(0);
    EXPECT_EQ(edited.params.at("business_connection_id"), "c1");
    d.loop.run(d.messenger->typing(in_business));
    auto const typing = d.telegram.calls("sendChatAction").at(0);
    EXPECT_EQ(typing.params.at("business_connection_id"), "c1");
    EXPECT_EQ(typing.chat, customers_chat);
}

TEST(messenger_business, a_connection_that_is_off_is_written_to_by_nobody) {
    business_desk d(false);
    EXPECT_EQ(d.says({.text = "hello"}).error(), errc::refused);
    d.db.answer = {};
    EXPECT_EQ(d.says({.text = "hello"}).error(), errc::refused) << "it is unknown";
    EXPECT_EQ(d.requests(), 0u);
}

TEST(messenger_business, an_account_that_is_served_no_longer_is_silent) {
    business_desk d;
    d.fern.settings.business.clear();
    EXPECT_EQ(d.says({.text = "hello"}).error(), errc::refused);
    EXPECT_EQ(d.requests(), 0u);
}

TEST(messenger_business, does_nothing_but_write) {
    business_desk d;
    telegram_message_id const message{1};
    EXPECT_EQ(d.loop.run(d.messenger->react(in_business, message, "🔥")).error(), errc::refused);
    EXPECT_EQ(d.loop.run(d.messenger->remove(in_business, message)).error(), errc::refused);
    EXPECT_EQ(d.loop.run(d.messenger->get_member(in_business, customer)).error(), errc::refused);
    EXPECT_TRUE(d.telegram.calls("setMessageReaction").empty());
    EXPECT_TRUE(d.telegram.calls("deleteMessage").empty());
    EXPECT_FALSE(make_drafts({&d.fern}, d.clock)->shows(in_business));
}

TEST(simulated_business, has_messages_apart_and_refuses_what_telegram_refuses) {
    business_desk d;
    d.telegram.say({.from = customer, .text = "to the bot"});
    ASSERT_TRUE(d.loop.run(d.messenger->send({{our_bot, customers_chat}, {.text = "there"}, {}})));
    d.telegram.connect({.id = "c1", .account = alex, .is_enabled = false});

    auto const late = d.says({.text = "here"});

    EXPECT_EQ(late.error(), errc::refused) << "the database knows it later than Telegram";
}

} // namespace
} // namespace postrider::telegram::messenger_business_test
