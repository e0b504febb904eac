// A business account through the real binary: its owner connects the bot, and a customer is answered.
#include "tests/end_to_end/server/scene.hpp"

#include <gmock/gmock.h>

#include <fstream>

namespace postrider::tests::business_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr chat_id bobs_chat{7002}; // Telegram calls it so, also where Bob is Alice's customer

// Alice's business account is served. Bob, who may use the bot himself, is her customer.
struct shop : scene {
    explicit shop(bool is_set = true) {
        if (is_set) set();
        product().start();
        introduce();
    }

    void set() {
        std::ofstream(product().folder() / "postrider.toml") << "[bots.main]\nbusiness = [7001]\n";
    }

    bool connect(bool is_enabled = true) {
        telegram.connect({.id = "c1", .account = alice, .is_enabled = is_enabled});
        return comes_true(
            "select count(*) = 1 from postrider.business_connection where is_enabled = " +
            std::string(is_enabled ? "true" : "false")
        );
    }
    telegram::said write(user_id sender, std::string text) {
        telegram::simulated_message message;
        message.from = sender;
        message.text = std::move(text);
        message.business = "c1";
        message.customer = bobs_chat;
        return telegram.say(message);
    }
    bool is_quiet() const {
        return comes_true("select not exists (select from postrider.job where finished_at is null)"
        );
    }
    // What was sent in Alice's name.
    std::vector<telegram::simulated_call> in_her_name() const {
        auto calls = telegram.sent(bobs_chat);
        std::erase_if(calls, [](auto const& call) {
            return !call.params.if_contains("business_connection_id");
        });
        return calls;
    }
    std::string role_of(std::string const& text) const {
        return value("select role from postrider.message where content = '" + text + "'");
    }
};

TEST(business, a_customer_is_answered_in_the_owners_name) {
    shop s;
    ASSERT_TRUE(s.connect()) << s.product().log();
    s.models.script(fake_reply::saying("We open at nine."));

    auto const asked = s.write(bob, "when do you open?");

    ASSERT_TRUE(s.replies(3)) << s.product().log();
    ASSERT_THAT(s.in_her_name(), SizeIs(1));
    auto const sent = s.in_her_name().front();
    EXPECT_EQ(sent.text, "We open at nine.");
    EXPECT_EQ(sent.params.at("business_connection_id"), "c1");
    EXPECT_FALSE(sent.params.if_contains("reply_markup"));
    ASSERT_TRUE(s.is_quiet());
    for (auto const& draft : s.telegram.calls("sendMessageDraft"))
        EXPECT_NE(draft.text, "We open at nine.");

    // Alice writes there by hand, and Bob deletes his question.
    auto const requests = s.models.requests().size();
    s.write(alice, "Ten on Sundays.");
    s.telegram.deliver(
        "business deletions",
        {{"deleted_business_messages",
          {{"business_connection_id", "c1"},
           {"chat", {{"id", base::raw(bobs_chat)}, {"type", "private"}}},
           {"message_ids", {base::raw(asked.message)}}}}}
    );
    ASSERT_TRUE(
        s.comes_true("select count(*) = 1 from postrider.message where removed_at is not null")
    ) << s.product().log();
    ASSERT_TRUE(
        s.comes_true("select count(*) = 1 from postrider.message where content = 'Ten on Sundays.'")
    );
    EXPECT_EQ(s.role_of("Ten on Sundays."), "assistant");
    EXPECT_EQ(s.models.requests().size(), requests) << "she speaks for herself";
    EXPECT_EQ(
        s.value("select content from postrider.message where removed_at is not null"),
        "when do you open?"
    );
}

TEST(business, a_connection_from_before_the_setting_is_served) {
    shop s(false);
    s.telegram.connect({.id = "c1", .account = alice});
    ASSERT_TRUE(
        s.comes_true("select count(*) = 1 from postrider.inbox where reason = 'business:account'")
    ) << s.product().log();
    s.product().stop();
    s.set();
    s.product().start();
    s.models.script(fake_reply::saying("We open at nine."));

    s.write(bob, "when do you open?");

    ASSERT_TRUE(s.replies(3)) << s.product().log();
    ASSERT_THAT(s.in_her_name(), SizeIs(1));
    EXPECT_EQ(s.in_her_name().front().text, "We open at nine.");
    EXPECT_THAT(s.telegram.calls("getBusinessConnection"), SizeIs(1));
}

TEST(business, nothing_is_sent_once_the_connection_is_off) {
    shop s;
    ASSERT_TRUE(s.connect()) << s.product().log();
    auto thinking = fake_reply::saying("We open at nine.");
    thinking.hold = true;
    s.models.script(thinking);
    auto const requests = s.models.requests().size();
    s.write(bob, "when do you open?");
    ASSERT_TRUE(s.models.wait_for_requests(requests + 1, 20s)) << s.product().log();

    ASSERT_TRUE(s.connect(false));
    s.models.release();
    s.write(bob, "hello?");

    ASSERT_TRUE(s.is_quiet()) << s.product().log();
    ASSERT_TRUE(
        s.comes_true("select count(*) = 1 from postrider.inbox where reason = 'business:no_right'")
    );
    EXPECT_THAT(s.in_her_name(), IsEmpty());
    EXPECT_EQ(
        s.value("select count(*) from postrider.degraded_jobs where reason = 'undelivered'"), "1"
    ) << "it is on the page Attention";
    EXPECT_THAT(
        s.texts(chat_id{base::raw(alice)}),
        ElementsAre(testing::_, testing::HasSubstr("not connected with your business account"))
    );
}

} // namespace
} // namespace postrider::tests::business_test
