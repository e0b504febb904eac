// Telegram declines, delays, moves a chat or loses its answer: what the product makes of it.
#include "tests/end_to_end/server/scene.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::delivery_test {

namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::ElementsAre;

fault_order sends(telegram::simulated_fault fault, int times = 1) {
    fault_order order;
    order.method = "sendMessage";
    order.times = times;
    order.fault = std::move(fault);
    return order;
}

// covers: X.02
TEST(delivery, waits_as_long_as_telegram_asks_without_holding_a_slot) {
    scene s;
    s.telegram.fail(sends(fake_telegram::too_many_requests(3)));
    s.product().start();

    s.say(alice, "hello");

    ASSERT_TRUE(s.comes_true("select count(*) = 1 from postrider.job where state = 'retryable'"))
        << s.product().log();
    EXPECT_EQ(s.value("select state from postrider.effect"), "planned");
    EXPECT_EQ(s.value("select count(*) from postrider.busy_lane where node_id is null"), "1");
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.models.requests().size(), 1u);
    auto const calls = s.telegram.calls("sendMessage");
    ASSERT_EQ(calls.size(), 2u);
    EXPECT_GE(calls[1].at - calls[0].at, 3s);
    s.check_oracle();
}

// covers: X.02
TEST(delivery, marks_a_chat_that_does_not_want_us) {
    scene s;
    s.telegram.fail(sends(fake_telegram::blocked()));
    s.product().start();

    s.say(alice, "hello");

    ASSERT_TRUE(s.settles()) << s.product().log();
    EXPECT_EQ(
        s.value("select blocked_at is not null from postrider.chat where chat_id = 7001"), "t"
    );
    EXPECT_EQ(
        s.value("select state || ' ' || (select delivery from postrider.message where role = "
                "'assistant') "
                "from postrider.effect"),
        "failed failed"
    );
    EXPECT_EQ(s.telegram.calls("sendMessage").size(), 1u);

    s.say(alice, "I unblocked you");
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_TRUE(s.comes_true("select blocked_at is null from postrider.chat where chat_id = 7001"));
}

// covers: X.02
TEST(delivery, stops_the_bot_when_its_token_is_revoked_instead_of_storming) {
    scene s;
    s.product().start();
    s.introduce();
    auto const before = s.telegram.calls("sendMessage").size();
    fault_order order;
    order.times = -1;
    order.fault = fake_telegram::unauthorized();
    s.telegram.fail(order);

    for (int n = 0; n < 10; ++n) s.say(n % 2 ? alice : bob, "question " + std::to_string(n));

    ASSERT_TRUE(s.comes_true("select stopped_at is not null from postrider.bot"))
        << s.product().log();
    ASSERT_TRUE(s.comes_true("select count(*) = 12 from postrider.inbox"));
    EXPECT_LE(s.telegram.calls("sendMessage").size() - before, 2u)
        << "one for each chat at the most";
}

// covers: X.02
TEST(delivery, follows_a_group_that_became_a_supergroup) {
    scene s(environment{{"POSTRIDER_ALLOWED_CHATS", "-100200,-1007007"}});
    s.telegram.fail(sends(fake_telegram::migrated(chat_id{-1007007})));
    s.product().start();

    telegram::simulated_message message;
    message.from = alice;
    message.group = chat_id{-100200};
    message.text = "@fern_bot hello";
    s.telegram.say(message);
    message.group = chat_id{-1007007};
    message.text =
        "where did everybody go?"; // Telegram knows the new chat; nobody asks the bot there
    s.telegram.say(message);

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(s.telegram.sent().at(0).chat, chat_id{-1007007});
    EXPECT_EQ(
        s.value("select migrated_to from postrider.chat where chat_id = -100200"), "-1007007"
    );
    EXPECT_EQ(s.value("select count(*) from postrider.lane where chat_id = -1007007"), "1");
}

// covers: X.02
TEST(delivery, hears_a_group_under_its_new_id_at_every_process) {
    scene s(environment{{"POSTRIDER_ALLOWED_CHATS", "-100200"}});
    s.telegram.fail(sends(fake_telegram::migrated(chat_id{-1007007})));
    s.product().start();
    auto const other = s.neighbour();
    other->start();
    telegram::simulated_message message;
    message.from = alice;
    message.group = chat_id{-100200};
    message.text = "@fern_bot hello";
    s.telegram.say(message); // the first process hears of the new id
    ASSERT_TRUE(s.comes_true("select count(*) > 0 from postrider.chat where migrated_to is not null"
    ));

    std::int64_t update = 900'000;
    auto const heard = [&] {
        auto body = json::parse(update_json(update_id{++update}, stranger, "@fern_bot hello"));
        body.at_pointer("/message/chat") = {{"id", -1007007}, {"type", "supergroup"}};
        EXPECT_EQ(post_update(other->port(), s.secret, json::serialize(body)).status, 200);
        auto const id = std::to_string(update);
        return s.value("select disposition from postrider.inbox where update_id = " + id) == "job";
    };
    EXPECT_TRUE(eventually(heard)) << other->log();
}

// covers: E.14
TEST(delivery, flags_the_message_whose_answer_was_lost) {
    scene s;
    s.telegram.fail(sends(fake_telegram::lost_answer()));
    s.product().start();

    s.say(alice, "hello");

    ASSERT_TRUE(s.settles(60s)) << s.product().log();
    EXPECT_EQ(s.texts().size(), 2u);
    EXPECT_EQ(s.value("select state || ' ' || flagged from postrider.effect"), "done true");
    s.check_oracle();
}

TEST(delivery, answers_others_while_one_chat_must_wait) {
    scene s;
    auto slow_chat = sends(fake_telegram::too_many_requests(30), -1);
    slow_chat.chat = chat_id{base::raw(alice)};
    s.telegram.fail(slow_chat);
    s.product().start();

    s.say(alice, "flooded");
    s.say(bob, "quiet");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_EQ(s.telegram.sent().at(0).chat, chat_id{base::raw(bob)});
}

TEST(delivery, shows_the_markdown_of_a_model_as_styles_and_keeps_its_words) {
    scene s;
    s.models.script(fake_reply::saying("**Weekly**:\n- at `18 °C`\n- less < in winter"));
    s.product().start();

    s.say(alice, "How often do I water a fern?");

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    auto const sent = s.telegram.sent().at(0);
    EXPECT_EQ(sent.text, "<b>Weekly</b>:\n\n• at <code>18 °C</code>\n• less &lt; in winter");
    EXPECT_EQ(sent.params.at("parse_mode"), "HTML");
    EXPECT_EQ(sent.params.at("link_preview_options").at("is_disabled"), true);
    ASSERT_TRUE(s.settles());
    EXPECT_EQ(
        s.value("select content from postrider.message where role = 'assistant'"),
        "**Weekly**:\n- at `18 °C`\n- less < in winter"
    ) << "what the model said, it reads again";
}

// Alice asks, and a draft shows the beginning of the answer: its end waits for models.release().
bool is_shown_growing(scene& s, std::string answer) {
    auto held = fake_reply::saying(std::move(answer));
    held.hold = true;
    s.models.script(held);
    s.product().start();
    s.say(alice, "What do ferns like?");
    return s.telegram.wait_for_calls("sendMessageDraft", 1, 20s);
}

// covers: X.01
TEST(delivery, shows_an_answer_while_it_is_written_and_then_the_message) {
    scene s;
    ASSERT_TRUE(is_shown_growing(s, "Ferns like **shade** and water.")) << s.product().log();
    EXPECT_TRUE(s.texts().empty());
    s.models.release();

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    auto const draft = s.telegram.calls("sendMessageDraft").at(0);
    EXPECT_EQ(draft.chat, chat_id{base::raw(alice)});
    EXPECT_TRUE(draft.text.starts_with("Ferns")) << draft.text;
    EXPECT_THAT(s.texts(), testing::ElementsAre("Ferns like <b>shade</b> and water."));
    std::vector<std::string> shown;
    for (auto const& call : s.telegram.record().calls)
        if (call.method.starts_with("sendMessage")) shown.push_back(call.method);
    EXPECT_EQ(shown.back(), "sendMessage") << "no draft stands below its message";
    EXPECT_EQ(s.value("select count(*) from postrider.effect"), "1") << "a draft is none";
    s.check_oracle();
}

TEST(delivery, of_an_answer_that_the_person_stops_ends_with_what_was_said) {
    scene s;
    ASSERT_TRUE(is_shown_growing(s, "Ferns like **shade** and water.")) << s.product().log();
    auto const draft = s.telegram.calls("sendMessageDraft").at(0);
    EXPECT_EQ(draft.params.at("can_stop"), true);
    auto const stop = [&](user_id in) {
        s.telegram.deliver(
            "stop",
            {{"stopped_message_generation",
              {{"chat", {{"id", base::raw(in)}, {"type", "private"}}},
               {"draft_id", draft.params.at("draft_id")}}}}
        );
    };

    stop(bob);
    stop(alice);

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    stop(alice);
    s.models.release();
    ASSERT_TRUE(s.settles());
    ASSERT_EQ(s.texts().size(), 1u) << "a press behind the end starts nothing";
    EXPECT_TRUE(s.texts()[0].starts_with("Ferns")) << s.texts()[0];
    EXPECT_TRUE(s.texts()[0].ends_with("(You stopped the answer here.)")) << s.texts()[0];
    EXPECT_EQ(s.models.requests().size(), 1u) << "no model is asked again";
    s.check_oracle();
}

// covers: X.01 E.14
TEST(delivery, of_an_answer_whose_draft_a_kill_left_is_one_message) {
    scene s;
    ASSERT_TRUE(is_shown_growing(s, "A first answer.")) << s.product().log();
    s.models.script(fake_reply::saying("The answer."));
    s.product().kill();
    s.models.release();

    s.product().start();

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    ASSERT_TRUE(s.settles());
    EXPECT_THAT(s.texts(), testing::ElementsAre("The answer."));
    s.check_oracle();
}

TEST(delivery, goes_on_without_drafts_where_the_server_knows_none) {
    scene s;
    s.telegram.fail(
        {.method = "sendMessageDraft", .times = -1, .fault = fake_telegram::server_error(404)}
    );
    ASSERT_TRUE(is_shown_growing(s, "Ferns like shade.")) << s.product().log();
    s.models.release();

    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_NE(s.product().log().find("telegram.drafts_refused"), std::string::npos);
    EXPECT_EQ(s.telegram.calls("sendMessageDraft").size(), 1u);
}

} // namespace

} // namespace postrider::tests::delivery_test
