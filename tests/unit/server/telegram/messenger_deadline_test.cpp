// All forms that a message takes have one deadline, so that a try ends before its step.
#include "tests/unit/server/telegram/messenger_desk.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::messenger_deadline_test {
namespace {

using base::errc;
using tests::fake_telegram;
using namespace std::chrono_literals;

// Each look at it finds that so much time has passed: a call between two looks took that long.
class stepping_clock final : public base::clock {
public:
    explicit stepping_clock(base::duration step) : step_(step) {}

    base::sys_time now() const override { return time_.now(); }
    base::steady_time steady() const override {
        time_.advance(step_);
        return time_.steady();
    }
    std::chrono::nanoseconds boot() const override { return time_.boot(); }

private:
    base::duration step_;
    mutable base::manual_clock time_;
};

// A message of a group that Telegram takes in its third form: without markup, and without a reply.
struct twice_refused {
    messenger_desk desk{agent::text_markup::html};
    stepping_clock clock;
    std::unique_ptr<telegram_messenger> messenger =
        make_messenger({&desk.fern}, desk.moves, clock, desk.db);

    explicit twice_refused(base::duration of_each_call) : clock(of_each_call) {
        desk.telegram.fail({.method = "sendMessage", .fault = fake_telegram::cannot_parse()});
        desk.telegram.fail({.method = "sendMessage", .fault = fake_telegram::reply_target_gone()});
    }

    base::result<telegram_message_id> send() {
        agent::message_content content{"<b>hello</b>", agent::text_markup::html};
        agent::outgoing message{{our_bot, group}, std::move(content), telegram_message_id{1}};
        return desk.loop.run(messenger->send(std::move(message)));
    }
};

TEST(messenger_deadline, leaves_time_for_a_third_form) {
    twice_refused quick(1s);

    EXPECT_TRUE(quick.send());
    EXPECT_EQ(quick.desk.requests(), 3u);
}

TEST(messenger_deadline, is_one_for_all_forms_of_a_message) {
    twice_refused slow(longest_send / 2 + 1s);

    EXPECT_EQ(slow.send().error(), errc::timeout) << "it is not there, so a try may follow";
    EXPECT_EQ(slow.desk.requests(), 2u);
    EXPECT_TRUE(slow.desk.telegram.sent(group).empty());
}

TEST(messenger_deadline, holds_for_the_messages_of_a_long_text) {
    messenger_desk d;
    stepping_clock clock(longest_send / 2 + 1s);
    auto const messenger = make_messenger({&d.fern}, d.moves, clock, d.db);
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::too_long()});
    std::string const text = std::string(1500, 'a') + "\n" + std::string(1500, 'b');

    auto const sent = d.loop.run(messenger->send({{our_bot, alexs_chat}, {text}, {}}));

    EXPECT_EQ(sent.error(), errc::ambiguous) << "the first part is there";
    EXPECT_EQ(d.telegram.sent(alexs_chat).size(), 1u);
}

TEST(messenger_deadline, is_one_for_all_forms_of_a_change) {
    messenger_desk d;
    agent::message_content photo{.text = "A fern"};
    photo.media = agent::media{agent::media_kind::photo, "https://example.org/fern.jpg"};
    auto const id = d.loop.run(d.messenger->send({{our_bot, alexs_chat}, photo, {}})).value();
    d.telegram.fail({.method = "editMessageText", .fault = fake_telegram::cannot_parse()});
    stepping_clock clock(longest_change / 2 + 1s);
    auto const messenger = make_messenger({&d.fern}, d.moves, clock, d.db);
    agent::message_content caption{"<i>A young fern</i>", agent::text_markup::html};

    auto const edited = d.loop.run(messenger->edit({our_bot, alexs_chat}, id, std::move(caption)));

    EXPECT_EQ(edited.error(), errc::timeout);
    EXPECT_EQ(d.telegram.calls("editMessageText").size(), 2u);
    EXPECT_TRUE(d.telegram.calls("editMessageCaption").empty());
}

} // namespace
} // namespace postrider::telegram::messenger_deadline_test
