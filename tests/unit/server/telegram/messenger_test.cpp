// What Telegram tells of chats and bots, against a simulated one.
#include "tests/unit/server/telegram/messenger_desk.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::messenger_test {
namespace {

using base::errc;
using tests::fake_telegram;
using namespace std::chrono_literals;

TEST(messenger, a_reply_refers_to_its_message_in_every_chat) {
    messenger_desk d;
    ASSERT_TRUE(d.send(alexs_chat, telegram_message_id{1}));
    ASSERT_TRUE(d.send(group, telegram_message_id{1}));

    EXPECT_TRUE(d.telegram.sent(alexs_chat).at(0).params.contains("reply_parameters"));
    EXPECT_TRUE(d.telegram.sent(group).at(0).params.contains("reply_parameters"));
}

// covers: X.02
TEST(messenger, a_limited_chat_is_left_alone_until_its_time) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::too_many_requests(14)});

    auto const first = d.send(alexs_chat);
    d.clock.advance(4s);
    auto const second = d.send(alexs_chat);

    EXPECT_EQ(first.error(), errc::rate_limited);
    EXPECT_EQ(first.error().retry_after, 14s);
    EXPECT_EQ(second.error(), errc::rate_limited);
    EXPECT_EQ(second.error().retry_after, 10s);
    EXPECT_EQ(d.requests(), 1u) << "the second was not even tried";
    EXPECT_EQ(d.db.asked, std::vector<std::string>{"delay_chat"});
    EXPECT_TRUE(d.send(group)) << "another chat is not held up";
    d.clock.advance(10s);
    EXPECT_TRUE(d.send(alexs_chat));
}

TEST(messenger, typing_is_limited_with_the_chat) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::too_many_requests(14)});
    ASSERT_FALSE(d.send(alexs_chat));

    d.loop.run(d.messenger->typing({our_bot, alexs_chat}));
    d.loop.run(d.messenger->typing({our_bot, group}));

    auto const shown = d.telegram.calls("sendChatAction");
    ASSERT_EQ(shown.size(), 1u);
    EXPECT_EQ(shown[0].chat, group);
}

// covers: X.02
TEST(messenger, a_refused_token_stops_the_bot_until_a_probe_succeeds) {
    messenger_desk d;
    d.telegram.fail({.times = 3, .fault = fake_telegram::unauthorized()});

    EXPECT_EQ(d.send(alexs_chat).error(), errc::unauthorized);
    EXPECT_EQ(d.send(group).error(), errc::unauthorized);
    EXPECT_EQ(d.requests(), 1u) << "a stopped bot calls nothing";

    d.loop.run(d.fern.breaker->until_running());

    EXPECT_EQ(d.telegram.calls("getMe").size(), 3u) << "two probes met the 401, the third worked";
    EXPECT_TRUE(d.send(group));
    EXPECT_EQ(d.db.asked, (std::vector<std::string>{"stop_bot", "start_bot"}));
}

TEST(messenger, a_bot_whose_token_works_elsewhere_alone_is_left_to_the_node_that_has_it) {
    messenger_desk d;
    agent::address const to{our_bot, group};
    EXPECT_TRUE(d.messenger->serves(to));
    d.telegram.fail({.times = -1, .fault = fake_telegram::unauthorized()});
    ASSERT_FALSE(d.send(group));

    EXPECT_TRUE(d.messenger->serves(to)) << "where it is stopped everywhere, its messages wait";
    d.runs_elsewhere = true;
    EXPECT_FALSE(d.messenger->serves(to));

    d.telegram.clear_faults();
    d.loop.run(d.fern.breaker->until_running());
    EXPECT_TRUE(d.messenger->serves(to));
}

// covers: X.02
TEST(messenger, a_chat_that_blocks_us_is_marked) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::blocked()});

    EXPECT_EQ(d.send(alexs_chat).error(), errc::refused);

    ASSERT_EQ(d.db.asked, std::vector<std::string>{"mark_blocked"});
    EXPECT_EQ(d.db.with[0].at(1).text(), "10");
}

TEST(messenger, a_group_that_moved_is_followed) {
    messenger_desk d;
    d.telegram.fail({.chat = group, .times = -1, .fault = fake_telegram::migrated(supergroup)});

    ASSERT_TRUE(d.send(group, telegram_message_id{1}));
    ASSERT_TRUE(d.send(group, telegram_message_id{1}));

    auto const seen = d.telegram.sent(supergroup);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_FALSE(seen[0].params.contains("reply_parameters")) << "message ids begin anew there";
    EXPECT_EQ(d.requests(), 3u) << "the second knew the way";
    EXPECT_EQ(d.db.asked, std::vector<std::string>{"migrate_chats"});
    EXPECT_TRUE(d.fern.settings.allowlist.chats.contains(supergroup));
}

TEST(messenger, markup_that_does_not_parse_goes_out_as_plain_text_once) {
    messenger_desk d(agent::text_markup::html);
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::cannot_parse()});

    ASSERT_TRUE(d.send(alexs_chat));

    auto const calls = d.telegram.calls("sendMessage");
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_TRUE(calls[0].params.contains("parse_mode"));
    EXPECT_FALSE(calls[1].params.contains("parse_mode"));

    d.telegram.fail({.method = "sendMessage", .times = 2, .fault = fake_telegram::cannot_parse()});
    EXPECT_EQ(d.send(alexs_chat).error(), errc::invalid);
    EXPECT_EQ(d.requests(), 4u);
}

TEST(messenger, markup_that_telegram_cannot_parse_is_never_lost) {
    messenger_desk d(agent::text_markup::html); // what is sent is "<b>hello": the tag is not closed
    auto const sent = d.send(alexs_chat);
    ASSERT_TRUE(sent);
    EXPECT_EQ(d.telegram.sent(alexs_chat).at(0).text, "hello");
    EXPECT_EQ(d.telegram.sent(alexs_chat).at(0).message, *sent);

    EXPECT_TRUE(d.loop.run(d.messenger->edit({our_bot, alexs_chat}, *sent, {"<i>changed", d.markup})
    ));
    auto const edits = d.telegram.calls("editMessageText");
    ASSERT_EQ(edits.size(), 2u);
    EXPECT_EQ(edits[0].status, 400);
    EXPECT_EQ(edits[1].status, 200);
}

TEST(messenger, a_reply_whose_target_is_gone_goes_out_without_it) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::reply_target_gone()});

    ASSERT_TRUE(d.send(group, telegram_message_id{1}));

    auto const calls = d.telegram.calls("sendMessage");
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_TRUE(calls[0].params.contains("reply_parameters"));
    EXPECT_FALSE(calls[1].params.contains("reply_parameters"));

    d.telegram.fail(
        {.method = "sendMessage", .times = 2, .fault = fake_telegram::reply_target_gone()}
    );
    EXPECT_EQ(d.send(group, telegram_message_id{1}).error(), errc::invalid);
    EXPECT_EQ(d.requests(), 4u) << "once more, not for ever";
}

TEST(messenger, an_answer_to_a_topic_that_is_gone_goes_out_without_it) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::thread_gone()});
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::reply_target_gone()});
    agent::address const topic{our_bot, group, thread_id{7}};

    ASSERT_TRUE(d.loop.run(d.messenger->send({topic, {"hello"}, telegram_message_id{1}})));

    auto const calls = d.telegram.calls("sendMessage");
    ASSERT_EQ(calls.size(), 3u);
    EXPECT_TRUE(calls[0].params.contains("message_thread_id"));
    EXPECT_FALSE(calls[1].params.contains("message_thread_id"));
    EXPECT_TRUE(calls[1].params.contains("reply_parameters"));
    EXPECT_FALSE(calls[2].params.contains("reply_parameters"));

    d.telegram.fail({.method = "sendMessage", .times = -1, .fault = fake_telegram::thread_gone()});
    EXPECT_EQ(d.loop.run(d.messenger->send({topic, {"hello"}, {}})).error(), errc::invalid);
    EXPECT_EQ(d.requests(), 5u) << "once more, not for ever";
}

std::string const long_text = std::string(1500, 'a') + "\n" + std::string(1500, 'b');

TEST(messenger, a_text_that_is_too_long_goes_out_in_several_messages) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::too_long()});

    auto const sent =
        d.loop.run(d.messenger->send({{our_bot, group}, {long_text}, telegram_message_id{1}}));

    ASSERT_TRUE(sent);
    auto const seen = d.telegram.sent(group);
    ASSERT_EQ(seen.size(), 2u);
    EXPECT_EQ(seen[0].text, std::string(1500, 'a'));
    EXPECT_EQ(seen[1].text, std::string(1500, 'b'));
    EXPECT_EQ(seen[0].message, *sent);
    EXPECT_TRUE(seen[0].params.contains("reply_parameters"));
    EXPECT_FALSE(seen[1].params.contains("reply_parameters"));
}

TEST(messenger, several_messages_that_were_not_ended_are_in_doubt) {
    messenger_desk d;
    d.telegram.fail({.method = "sendMessage", .fault = fake_telegram::too_long()});
    // The first part passes, the second meets the fault.
    auto after_the_first = fake_telegram::too_many_requests(14);
    d.telegram.fail({.method = "sendMessage", .skip = 1, .fault = after_the_first});

    auto const sent = d.loop.run(d.messenger->send({{our_bot, alexs_chat}, {long_text}, {}}));

    EXPECT_EQ(sent.error(), errc::ambiguous);
    EXPECT_EQ(d.telegram.sent(alexs_chat).size(), 1u);

    d.clock.advance(14s);
    d.telegram.fail({.method = "sendMessage", .times = 2, .fault = fake_telegram::too_long()});
    auto const none = d.loop.run(d.messenger->send({{our_bot, alexs_chat}, {long_text}, {}}));
    EXPECT_EQ(none.error(), errc::invalid) << "nothing of it is there";
}

TEST(messenger, removes_its_own_messages_and_says_what_it_may_not) {
    messenger_desk d;
    auto const theirs = d.telegram.say({.from = alex, .group = group, .text = "mine"}).message;
    auto const own = d.send(group).value();
    auto remove = [&](telegram_message_id message) {
        return d.loop.run(d.messenger->remove({our_bot, group}, message));
    };

    EXPECT_TRUE(remove(own));
    auto const refused = remove(theirs);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error(), errc::refused);
    EXPECT_TRUE(d.db.asked.empty()) << "the chat is not marked for it";
    ASSERT_TRUE(d.send(group, theirs)) << "and is written to as before";
}

TEST(messenger, remembers_what_an_earlier_process_was_told) {
    messenger_desk d;
    d.db.answer = {
        storage::row({"1", "10", std::nullopt, "5000"}),
        storage::row({"1", "-500", "-100500", std::nullopt})};

    ASSERT_TRUE(d.loop.run(d.messenger->restore()));

    EXPECT_EQ(d.send(alexs_chat).error().retry_after, 5s);
    ASSERT_TRUE(d.send(group));
    EXPECT_EQ(d.telegram.sent(supergroup).size(), 1u);
}

TEST(messenger, a_bot_that_is_not_configured_any_more) {
    messenger_desk d;
    auto const sent = d.loop.run(d.messenger->send({{bot_id{9}, alexs_chat}, {"x"}, {}}));
    EXPECT_EQ(sent.error(), errc::not_found);
}

} // namespace
} // namespace postrider::telegram::messenger_test
