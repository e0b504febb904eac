#include "agent/loop/decide.hpp"
#include "tests/unit/agent/turn_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::turn_test {
namespace {

using agent::role;
using base::errc;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

auto add(std::string expression) {
    return std::pair<std::string, boost::json::object>{"calculator", {{"expression", expression}}};
}

bool is_tool_step(std::string const& entry) {
    return entry.starts_with("value assistant/tool:"); // of an instant tool
}

// covers: S0.04
TEST(turn, answers_with_two_commits_after_the_inbox) {
    turn_world world;
    world.model.script.push_back(says("It is a fern."));

    auto outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_EQ(noted(outcome, "delivery"), boost::json::value("sent"));
    EXPECT_THAT(
        world.log, ElementsAre("step assistant/model", "commit", "effect reply/send", "commit")
    );
    ASSERT_THAT(world.chat.sent, SizeIs(1));
    EXPECT_EQ(world.chat.sent[0].content.text, "It is a fern.");
    EXPECT_EQ(world.last_row().at("content"), "It is a fern.");
    EXPECT_EQ(world.last_row().at("delivery"), "sent");
    EXPECT_EQ(world.last_row().at("telegram_message_id"), 1001);
    EXPECT_EQ(world.record.paid.tokens_in, 10);
    EXPECT_EQ(world.record.paid.tokens_out, 3);
}

TEST(turn, stores_the_reply_as_pending_before_it_is_sent) {
    turn_world world;
    world.model.script.push_back(says("It is a fern."));

    world.run_and_die(2);

    EXPECT_THAT(world.chat.sent, SizeIs(1));
    EXPECT_EQ(world.last_row().at("delivery"), "pending");
    EXPECT_EQ(
        world.record.effects.at("reply/send").effect_class, queue::effect_class::at_least_once
    );
}

TEST(turn, a_run_that_died_before_its_outcome_asks_the_model_once_and_sends_again) {
    turn_world world;
    world.model.script.push_back(says("It is a fern."));
    world.run_and_die(2);

    auto outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_THAT(world.model.requests, SizeIs(1));
    EXPECT_THAT(world.log, ElementsAre("effect reply/send", "commit"));
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre("It is a fern."));
    EXPECT_EQ(world.record.paid.tokens_in, 10); // of the recorded reply
}

// covers: S0.03
TEST(turn, asks_with_prompt_history_and_question) {
    turn_world world;
    world.table.add(
        {{"lane_id", 1},
         {"job_id", 90},
         {"conversation_id", 5},
         {"position", 0},
         {"role", "user"},
         {"content", "Hello"},
         {"id", "old1"}}
    );
    world.table.add(
        {{"lane_id", 1},
         {"job_id", 90},
         {"conversation_id", 5},
         {"position", 1},
         {"role", "assistant"},
         {"content", "Hello to you"},
         {"id", "old2"}}
    );
    world.model.script.push_back(says("A fern."));

    world.run();

    ASSERT_THAT(world.model.requests, SizeIs(1));
    auto const& request = world.model.requests[0];
    ASSERT_THAT(request.messages, SizeIs(3));
    EXPECT_EQ(request.messages[0].content, "Hello");
    EXPECT_EQ(request.messages[1].role, role::assistant);
    EXPECT_EQ(request.messages[2].content, "What is it?");
    EXPECT_THAT(request.system, HasSubstr("calculator"));
    EXPECT_THAT(request.trailing_context, HasSubstr(base::to_iso8601(world.clock.now())));
}

// covers: S3.03
TEST(turn, runs_tools_and_gives_their_results_to_the_model) {
    turn_world world;
    world.model.script.push_back(calls({add("2+2"), add("3*3")}));
    world.model.script.push_back(says("4 and 9"));

    auto outcome = world.run();

    EXPECT_EQ(noted(outcome, "tool_calls"), 2);
    ASSERT_THAT(world.model.requests, SizeIs(2));
    auto const& messages = world.model.requests[1].messages;
    ASSERT_THAT(messages, SizeIs(4)); // question, calls, two results
    EXPECT_THAT(messages[1].calls, SizeIs(2));
    EXPECT_EQ(messages[2].content, "4");
    EXPECT_EQ(messages[2].call_id, messages[1].calls[0].id);
    EXPECT_EQ(messages[3].content, "9");
    EXPECT_THAT(world.texts_of("tool"), ElementsAre("4", "9"));
    EXPECT_EQ(world.texts_of("assistant").back(), "4 and 9");
    EXPECT_EQ(world.record.paid.tokens_in, 20);
}

TEST(turn, keeps_a_providers_state_for_its_rounds_and_the_next_turns) {
    turn_world world;
    auto first = calls({add("1+1")});
    first.provider_state = boost::json::object{{"model", "m"}, {"blocks", boost::json::array{1}}};
    world.model.script.push_back(first);
    world.model.script.push_back(says("2"));

    world.run();

    EXPECT_EQ(world.model.requests[1].messages[1].provider_state, first.provider_state);
    auto const asking = std::ranges::find_if(world.table.rows, [](auto const& row) {
        return row.at("role") == "assistant";
    });
    ASSERT_NE(asking, world.table.rows.end());
    EXPECT_EQ(asking->at("detail").at("state"), first.provider_state);
}

TEST(turn, an_unknown_tool_and_wrong_arguments_are_told_to_the_model) {
    turn_world world;
    world.model.script.push_back(calls({{"teleport", {}}, {"calculator", {{"formula", "1"}}}}));
    world.model.script.push_back(says("I cannot."));

    auto outcome = world.run();

    auto const& messages = world.model.requests[1].messages;
    ASSERT_THAT(messages, SizeIs(4));
    EXPECT_TRUE(messages[2].is_error);
    EXPECT_THAT(messages[2].content, HasSubstr("no tool of this name"));
    EXPECT_TRUE(messages[3].is_error);
    EXPECT_THAT(messages[3].content, HasSubstr("must have the member \"expression\""));
    EXPECT_EQ(noted(outcome, "delivery"), boost::json::value("sent"));
}

// tests/integration/agent/side_by_side_test.cpp has the process that dies between the two.
TEST(turn, resumes_behind_tool_calls_without_running_anything_twice) {
    turn_world world;
    world.model.script.push_back(calls({add("2+2"), add("3*3")}));
    world.model.script.push_back(says("4 and 9"));
    world.model.script.push_back(says("4 and 9"));
    world.run_and_die(2); // the answer's

    auto outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::completed);
    EXPECT_THAT(world.model.requests, SizeIs(3));
    EXPECT_EQ(std::ranges::count_if(world.log, is_tool_step), 0);
    EXPECT_THAT(world.texts_of("tool"), ElementsAre("4", "9"));
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre("", "4 and 9"));
    EXPECT_EQ(world.model.requests[2].messages[2].content, "4"); // served from the record
}

// covers: S0.06
TEST(turn, a_sixth_call_in_a_batch_is_not_run_and_the_model_concludes_without_tools) {
    turn_world world;
    world.model.script.push_back(calls({add("1"), add("2"), add("3"), add("4"), add("5"), add("6")})
    );
    world.model.script.push_back(says("1 to 5"));

    auto outcome = world.run();

    EXPECT_EQ(noted(outcome, "tool_calls"), 5);
    EXPECT_THAT(world.texts_of("tool"), ElementsAre("1", "2", "3", "4", "5", agent::limit_reached));
    EXPECT_EQ(std::ranges::count_if(world.log, is_tool_step), 5);
    auto const& last = world.model.requests[1];
    EXPECT_EQ(last.choice, agent::tool_choice::none);
    ASSERT_THAT(last.messages, SizeIs(8));
    EXPECT_EQ(last.messages[7].content, agent::limit_reached);
    EXPECT_TRUE(last.messages[7].is_error);
    EXPECT_EQ(world.chat.sent.at(0).content.text, "1 to 5");
}

// covers: S0.06
TEST(turn, lists_the_results_when_the_concluding_call_fails) {
    turn_world world;
    world.profile.max_tool_calls = 1;
    world.model.script.push_back(calls({add("6*7"), add("1")}));
    world.model.script.push_back(base::error(errc::unauthorized));

    auto outcome = world.run();

    EXPECT_THAT(world.chat.sent.at(0).content.text, HasSubstr("calculator: 42"));
    ASSERT_TRUE(outcome.degraded);
    EXPECT_EQ(outcome.degraded->error.code, errc::unauthorized);
    EXPECT_EQ(noted(outcome, "error_class"), boost::json::value("unauthorized"));
}

// covers: S0.05
TEST(turn, tells_the_user_when_the_model_fails_for_good) {
    struct row {
        errc code;
        std::string_view said;
        std::size_t asked;
    };
    for (auto [code, said, asked] :
         {row{errc::timeout, "took too long", 3},
          row{errc::unavailable, "cannot reach", 3},
          row{errc::overloaded, "too busy", 3},
          row{errc::unauthorized, "not set up correctly", 1},
          row{errc::not_found, "not set up correctly", 1},
          row{errc::budget, "spending limit", 1},
          row{errc::refused, "did not accept", 1}}) {
        turn_world world;
        for (int i = 0; i < 3; ++i) world.model.script.push_back(base::error(code, "secret words"));

        auto outcome = world.run();

        EXPECT_EQ(outcome.state, queue::job_state::completed);
        EXPECT_EQ(noted(outcome, "error_class"), boost::json::value(base::to_string(code)));
        EXPECT_THAT(world.model.requests, SizeIs(asked)) << base::to_string(code);
        ASSERT_THAT(world.chat.sent, SizeIs(1));
        EXPECT_THAT(world.chat.sent[0].content.text, HasSubstr(said));
        EXPECT_THAT(world.chat.sent[0].content.text, testing::Not(HasSubstr("secret")));
        EXPECT_THAT(world.texts_of("user"), ElementsAre("What is it?"));
        EXPECT_EQ(
            world.last_row().at("content"), boost::json::string(world.chat.sent[0].content.text)
        );
        EXPECT_EQ(world.record.steps.at("assistant/model").error().code, code);
    }
}

TEST(turn, a_model_that_failed_is_not_asked_again_by_the_next_run) {
    turn_world world;
    world.model.script.push_back(base::error(errc::unauthorized));
    world.run_and_die(2);

    auto outcome = world.run();

    EXPECT_THAT(world.model.requests, SizeIs(1));
    EXPECT_THAT(world.texts_of("assistant"), SizeIs(1));
    EXPECT_EQ(noted(outcome, "error_class"), boost::json::value("unauthorized"));
}

TEST(turn, an_agent_that_is_configured_no_more_is_answered_for_by_the_assistant) {
    turn_world world;
    world.job.input = heard_in({bot_id{1}, chat_id{7}, {}}, "poet");
    world.model.script.push_back(says("A fern."));

    world.run();

    EXPECT_EQ(world.chat.sent.at(0).content.text, "A fern.");
    EXPECT_THAT(world.model.requests.at(0).system, HasSubstr("helpful personal assistant"));
}

TEST(turn, a_model_that_is_not_configured_is_said_plainly) {
    turn_world world;
    world.profile.model = nullptr;

    auto outcome = world.run();

    EXPECT_EQ(noted(outcome, "error_class"), boost::json::value("not_found"));
    EXPECT_THAT(world.chat.sent.at(0).content.text, HasSubstr("not set up correctly"));
}

TEST(turn, asks_again_when_the_question_was_edited_meanwhile) {
    turn_world world;
    world.stale_commits = 1;
    world.model.script.push_back(says("An answer to the old text"));
    world.model.script.push_back(says("An answer to the new text"));
    world.model.while_asked = [&] { world.table.rows[0]["content"] = "What is it really?"; };

    auto outcome = world.run();

    ASSERT_THAT(world.model.requests, SizeIs(2));
    EXPECT_EQ(world.model.requests[1].messages[0].content, "What is it really?");
    EXPECT_THAT(world.texts_of("assistant"), ElementsAre("An answer to the new text"));
    EXPECT_THAT(world.chat.sent, SizeIs(1));
    EXPECT_THAT(world.log, Contains("start over"));
    EXPECT_EQ(world.record.paid.tokens_in, 20); // both were paid for
}

// What came of the old text counts no more.
TEST(turn, that_answers_after_an_edit_is_not_degraded_by_what_failed_before) {
    turn_world world;
    world.stale_commits = 1;
    world.model.script.push_back(base::error(errc::unauthorized));
    world.model.script.push_back(says("An answer to the new text"));

    auto const outcome = world.run();

    EXPECT_THAT(world.texts_of("assistant"), ElementsAre("An answer to the new text"));
    EXPECT_FALSE(outcome.degraded);
}

TEST(turn, an_edit_of_another_message_costs_no_second_model_call) {
    turn_world world;
    world.stale_commits = 1;
    world.model.script.push_back(says("The answer"));

    auto outcome = world.run();

    EXPECT_THAT(world.model.requests, SizeIs(1));
    EXPECT_EQ(world.chat.sent.at(0).content.text, "The answer");
    EXPECT_EQ(world.record.paid.tokens_in, 10);
}

TEST(turn, gives_up_following_edits_after_three) {
    turn_world world;
    world.stale_commits = 100;
    world.model.script.push_back(says("The answer"));

    world.run();

    EXPECT_EQ(std::ranges::count(world.log, "start over"), 3);
    EXPECT_EQ(world.chat.sent.at(0).content.text, "The answer");
}

TEST(turn, reads_the_history_again_when_the_database_is_away) {
    turn_world world;
    world.table.failures = {base::error(errc::unavailable), base::error(errc::timeout)};
    world.model.script.push_back(says("yes"));

    world.run();

    EXPECT_EQ(world.table.reads, 3);
    EXPECT_THAT(world.chat.sent, SizeIs(1));
}

TEST(turn, sends_no_sign_of_typing_where_the_model_is_quick) {
    turn_world world;
    world.model.script.push_back(says("yes"));

    world.run();

    EXPECT_EQ(world.chat.typed, 0);
}

TEST(turn, fails_when_its_input_is_not_readable) {
    turn_world world;
    world.job.input = boost::json::object{{"chat", 7}};

    auto outcome = world.run();

    EXPECT_EQ(outcome.state, queue::job_state::failed);
    EXPECT_EQ(outcome.error.code, errc::invalid);
}

TEST(execution_input, reads_back_what_it_wrote) {
    agent::flow::execution_input input;
    input.flow = "poet";
    input.version = 3;
    input.trigger = "in";
    input.agent = "poet";
    input.heard = {
        {bot_id{1}, chat_id{-1001234567890}, thread_id{4}},
        user_id{7'000'000'000},
        telegram_message_id{9}};
    input.start = "reply";
    input.only = true;
    input.until = "poet";
    input.pinned["Poet"] = boost::json::array{1};

    auto read = agent::flow::execution_input_from(to_json(input)).value();

    EXPECT_EQ(read.flow, "poet");
    EXPECT_EQ(read.version, 3);
    EXPECT_EQ(read.trigger, "in");
    EXPECT_EQ(read.agent, "poet");
    ASSERT_TRUE(read.heard);
    EXPECT_EQ(read.heard->from.chat, chat_id{-1001234567890});
    EXPECT_EQ(read.heard->from.thread, thread_id{4});
    EXPECT_EQ(read.heard->user, user_id{7'000'000'000});
    EXPECT_EQ(read.heard->message, telegram_message_id{9});
    EXPECT_EQ(read.start, "reply");
    EXPECT_TRUE(read.only);
    EXPECT_EQ(read.until, "poet");
    EXPECT_EQ(read.pinned, input.pinned);
}

} // namespace
} // namespace postrider::tests::turn_test
