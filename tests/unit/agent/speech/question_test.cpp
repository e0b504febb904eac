#include "agent/speech/question.hpp"
#include "base/json/json.hpp"
#include "tests/support/fake_workflow.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::question_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

struct asking_world {
    tests::loop io;
    tests::fake_record record;
    tests::recording_chat chat;
    tests::counting_random random;
    base::manual_clock clock;
    queue::job job;
    question asked;

    asking_world() {
        job.id = job_id{5};
        asked.to = {bot_id{1}, chat_id{10}};
        asked.text = "Ban Eve?";
        asked.choices = {{{"Ban", "ban"}, {"No", "no"}}, {{"More", "more", false}}};
        asked.only = user_id{10};
    }

    base::result<asked_question> ask(tests::fake_workflow& flow) {
        queue::workflow steps(flow);
        return io.run(agent::ask(steps, {chat, clock, random}, asked));
    }
};

TEST(question, is_open_before_it_is_sent) {
    asking_world w;
    tests::fake_workflow flow(w.job, w.record);

    auto const sent = w.ask(flow);

    ASSERT_TRUE(sent);
    EXPECT_EQ(sent->sent.message, telegram_message_id{1001});
    EXPECT_THAT(flow.log, ElementsAre("value ask-id", "commit", "effect ask", "value ask-until"));
    ASSERT_THAT(w.record.writes, SizeIs(1));
    auto const row = base::parse_json(w.record.writes[0].row).value();
    EXPECT_EQ(row.at("question_id").as_string(), boost::json::string(sent->id));
    EXPECT_EQ(row.at("place").as_string(), "1:10");
    EXPECT_EQ(row.at("user_id").as_int64(), 10);
}

TEST(question, has_buttons_that_name_it) {
    asking_world w;
    tests::fake_workflow flow(w.job, w.record);
    auto const sent = w.ask(flow).value();

    auto const& buttons = w.chat.sent.at(0).content.buttons;

    ASSERT_THAT(buttons, SizeIs(2));
    auto const ban = read_button_data(buttons[0][0].data);
    EXPECT_EQ(ban.question, sent.id);
    EXPECT_EQ(ban.value, "ban");
    EXPECT_TRUE(ban.closes);
    EXPECT_FALSE(read_button_data(buttons[1][0].data).closes);
    EXPECT_EQ(read_button_data("of another program").question, "");
}

TEST(question, keeps_its_id_through_a_crash_and_is_sent_once) {
    asking_world w;
    tests::fake_workflow first(w.job, w.record);
    auto const id = w.ask(first).value().id;
    tests::fake_workflow second(w.job, w.record);
    (void)w.io.run(first.commit_held());

    auto const again = w.ask(second);

    EXPECT_EQ(again.value().id, id);
    EXPECT_THAT(w.chat.sent, SizeIs(1));
}

// Over the API alone: nothing is sent that would tell whether its row stands.
TEST(question, without_a_chat_its_row_stands_wherever_its_id_does) {
    asking_world w;
    w.asked.to = {};
    tests::fake_workflow first(w.job, w.record);
    first.dies_at_commit = 1;
    first.held_stands = true;
    EXPECT_THROW((void)w.ask(first), tests::fake_workflow::died);
    ASSERT_TRUE(w.record.steps.contains("ask-id"));
    ASSERT_THAT(w.record.writes, SizeIs(1));
    EXPECT_EQ(w.record.writes[0].statement->name, "open_questions");

    tests::fake_workflow second(w.job, w.record);
    EXPECT_TRUE(w.ask(second));
    EXPECT_THAT(w.record.writes, SizeIs(1)) << "once";
}

// However long it took to be sent, whoever is asked has the whole time; once.
TEST(question, has_its_time_from_when_it_was_sent) {
    asking_world w;
    w.asked.timeout = std::chrono::minutes{10};
    tests::fake_workflow first(w.job, w.record);
    auto const until = w.ask(first).value().until;
    EXPECT_EQ(until, w.clock.now() + std::chrono::minutes{10});
    (void)w.io.run(first.commit_held());
    ASSERT_THAT(w.record.writes, SizeIs(2)) << "the question's row, and its time";
    EXPECT_EQ(base::parse_json(w.record.writes[1].row)->at("open_ms").as_int64(), 600'000);

    w.clock.advance(std::chrono::minutes{4});
    tests::fake_workflow second(w.job, w.record);
    auto const again = w.ask(second).value();
    EXPECT_EQ(again.until, until);
    (void)w.io.run(second.commit_held());
    EXPECT_THAT(w.record.writes, SizeIs(2)) << "it begins once";
    EXPECT_EQ(press_of(again, w.clock).timeout, std::chrono::minutes{6});
    w.clock.advance(std::chrono::hours{1});
    EXPECT_EQ(press_of(again, w.clock).timeout, std::chrono::minutes{0});
}

TEST(question, a_value_that_fits_into_no_button_is_invalid) {
    asking_world w;
    tests::fake_workflow flow(w.job, w.record);
    w.asked.choices[0][0].value = std::string(most_choice_value, 'v');
    EXPECT_TRUE(w.ask(flow));
    EXPECT_EQ(w.chat.sent.at(0).content.buttons[0][0].data.size(), most_button_data);

    w.asked.choices[0][0].value += 'v';
    EXPECT_EQ(w.ask(flow).error(), base::errc::invalid);
}

// A commit that is under way asks it after the run has ended.
TEST(question, what_tells_an_answer_in_words_outlives_the_question) {
    asking_world w;
    w.asked.in_words = true;
    tests::fake_workflow flow(w.job, w.record);
    auto asked = std::make_unique<asked_question>(w.ask(flow).value());
    auto const event = press_of(*asked, w.clock);
    asked.reset();

    auto input = to_json(w.asked.to);
    input["user"] = 10;
    EXPECT_TRUE(event.answered_by(boost::json::object{{"input", input}, {"text", "Ban!"}}));
    EXPECT_FALSE(event.answered_by(boost::json::object{{"input", input}, {"text", "Why?"}}));
}

// A stop word that a button has is looked for in the row: by what is folded here, not by the database's locale.
TEST(question, has_the_folded_words_that_answer_it_in_its_row) {
    auto row_of = [](bool in_words) {
        asking_world w;
        w.asked.choices = {{{"Hör AUF!", "0"}, {"„Не сейчас“", "1"}}, {{"…", "2"}}};
        w.asked.in_words = in_words;
        tests::fake_workflow flow(w.job, w.record);
        EXPECT_TRUE(w.ask(flow));
        return base::parse_json(w.record.writes.at(0).row).value();
    };

    EXPECT_EQ(row_of(true).at("words"), (boost::json::array{"hor auf", "не сеичас"}));
    EXPECT_EQ(row_of(false).at("words"), boost::json::array()) << "only a press answers";
}

TEST(question, is_not_answered_by_another_quotation) {
    asking_world w;
    w.asked.choices = {{{"“Yes”", "yes"}, {"“No”", "no"}}};
    w.asked.in_words = true;
    tests::fake_workflow flow(w.job, w.record);
    auto const event = press_of(w.ask(flow).value(), w.clock);
    auto const said = [&](std::string_view text) -> boost::json::value {
        auto input = to_json(w.asked.to);
        input["user"] = 10;
        return {{"input", input}, {"text", text}};
    };

    EXPECT_TRUE(event.answered_by(said("no")));
    EXPECT_TRUE(event.answered_by(said("\"No\"")));
    EXPECT_FALSE(event.answered_by(said("\"Maybe\"")));
}

// As of buttons: whoever is asked, and owners of the bot.
TEST(question, an_owner_answers_in_words_as_well) {
    asking_world w;
    w.asked.in_words = true;
    w.asked.is_owner = [](bot_id, user_id user) { return user == user_id{99}; };
    tests::fake_workflow flow(w.job, w.record);
    auto const asked = w.ask(flow).value();
    auto const event = press_of(asked, w.clock);
    auto const said = [&](int user) -> boost::json::value {
        auto input = to_json(w.asked.to);
        input["user"] = user;
        return {{"input", input}, {"text", "Ban!"}};
    };

    EXPECT_TRUE(event.answered_by(said(99)));
    EXPECT_FALSE(event.answered_by(said(98)));
    EXPECT_TRUE(event.concerned_by(said(99)));
    flow.events["press"] = said(99);
    auto const answer = w.io.run(wait_for_press(queue::workflow(flow), w.clock, asked));
    EXPECT_EQ(answer.value().user, user_id{99});
}

TEST(question, a_press_tells_who_chose_what) {
    asking_world w;
    tests::fake_workflow flow(w.job, w.record);
    auto const sent = w.ask(flow).value();
    press const pressed{user_id{10}, "Al", telegram_message_id{7}, "ban", "query 2"};
    flow.events["press"] = to_json(pressed, w.asked.to);

    auto const read = w.io.run(wait_for_press(queue::workflow(flow), w.clock, sent));

    ASSERT_TRUE(read);
    EXPECT_EQ(read->user, user_id{10});
    EXPECT_EQ(read->name, "Al");
    EXPECT_EQ(read->message, telegram_message_id{7});
    EXPECT_EQ(read->choice, "ban");
    EXPECT_EQ(read->id, "query 2");
    flow.events.clear();
    EXPECT_EQ(
        w.io.run(wait_for_press(queue::workflow(flow), w.clock, sent, 1)).error(),
        base::errc::timeout
    );
}

TEST(question, place_is_read_back_as_the_address) {
    address const chat{bot_id{7}, chat_id{-1001234567890}};
    auto const conversation = conversation_address("11111111-2222-3333-4444-555555555555");

    EXPECT_EQ(address_at(place_of(chat)), chat);
    EXPECT_EQ(address_at(place_of(conversation)), conversation);
    for (auto const* other : {"", ":", "7", "7:", ":7", "7:8:9", "7:x", "chat:", "chat:x"})
        EXPECT_FALSE(address_at(other).is_complete()) << other;
}

} // namespace
} // namespace postrider::agent::question_test
