#include "agent/models/provider.hpp"
#include "agent/models/rules_intent.hpp"
#include "tests/unit/agent/tool_bench.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::rules_test {
namespace {

using kind = intent::kind;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

struct understood {
    std::string_view message;
    kind topic;
    std::string_view argument;
};

TEST(rules_intent, understands) {
    for (auto [message, topic, argument] : {
             understood{"What is 12*(3+4)?", kind::arithmetic, "12*(3+4)"},
             understood{"2+2", kind::arithmetic, "2+2"},
             understood{"2 + 2 = ?", kind::arithmetic, "2 + 2"},
             understood{"please calculate sqrt(16)", kind::arithmetic, "sqrt(16)"},
             understood{"how much is 6 times 7", kind::arithmetic, "6 * 7"},
             understood{"and (2+3)*4?", kind::arithmetic, "(2+3)*4"},
             understood{"1/0", kind::arithmetic, "1/0"},
             understood{"-5", kind::arithmetic, "-5"},
             understood{"What time is it?", kind::time, ""},
             understood{"what time is it in UTC+2", kind::time, "utc+2"},
             understood{"What time is it in Tokyo?", kind::time, "tokyo"},
             understood{"what's the time in New York right now, please?", kind::time, "new york"},
             understood{"Time in St. Louis", kind::time, "st. louis"},
             understood{"current time in Paris, France", kind::time, "paris, france"},
             understood{"Which one? What day is today", kind::time, ""},
             understood{"Hello!", kind::greeting, ""},
             understood{"hi there", kind::greeting, ""},
             understood{"/start", kind::greeting, ""},
             understood{"who are you?", kind::help, ""},
             understood{"?", kind::help, ""},
             understood{"Thanks!", kind::thanks, ""},
             understood{"Monday 10-12", kind::unknown, ""},
             understood{"42", kind::unknown, ""},
             understood{"history of Rome", kind::unknown, ""},
             understood{"", kind::unknown, ""},
         }) {
        auto read = understand(message);
        EXPECT_EQ(read.topic, topic) << message;
        EXPECT_EQ(read.argument, argument) << message;
    }
}

class rules : public testing::Test {
protected:
    chat_reply ask(std::string text) {
        request_.messages.push_back({.role = role::user, .content = std::move(text)});
        return reply();
    }
    chat_reply reply() { return io_.run(model_->chat(request_)).value(); }
    // The round that the turn would go.
    chat_reply after_tools(chat_reply const& asking) {
        request_.messages.push_back({.role = role::assistant, .content = {}, .calls = asking.calls}
        );
        for (auto const& call : asking.calls) {
            auto result = bench_.run(call);
            chat_message message{
                .role = role::tool, .content = result ? result->text : result.error().detail};
            message.call_id = call.id;
            message.is_error = !result;
            request_.messages.push_back(message);
        }
        return reply();
    }

    tests::loop io_;
    base::manual_clock clock_;
    tests::tool_bench bench_{clock_};
    std::unique_ptr<model> model_ = find_provider("rules")->make_built_in();
    chat_request request_{{}, {}, tests::offered_table().specs(), tool_choice::automatic, 100};
};

TEST_F(rules, calculate_with_the_calculator) {
    auto asking = ask("What is 12 * (3 + 4)?");

    ASSERT_EQ(asking.stop, stop_reason::tool_calls);
    EXPECT_EQ(asking.calls.at(0).name, "calculator");
    EXPECT_EQ(after_tools(asking).text, "12 * (3 + 4) = 84");
}

TEST_F(rules, tell_a_failed_tool_plainly) {
    EXPECT_EQ(after_tools(ask("1/0")).text, "That did not work: division by zero.");
}

TEST_F(rules, tell_the_time_with_the_tool) {
    EXPECT_EQ(
        after_tools(ask("What time is it?")).text, "It is " + base::to_iso8601(clock_.now()) + "."
    );
    EXPECT_THAT(after_tools(ask("what time is it in utc+2")).text, HasSubstr("+02:00"));
}

TEST_F(rules, tell_the_time_of_a_place) {
    EXPECT_THAT(
        after_tools(ask("What time is it in Tokyo?")).text, HasSubstr("+09:00 (Asia/Tokyo).")
    );
    EXPECT_THAT(
        after_tools(ask("what time is it in Atlantis?")).text,
        HasSubstr("there is no time zone 'atlantis'")
    );
}

TEST_F(rules, say_what_they_are_and_how_to_get_more) {
    for (auto text : {"help", "What is the meaning of life?"}) {
        auto said = ask(text).text;
        EXPECT_THAT(said, HasSubstr("no language model is configured"));
        EXPECT_THAT(said, HasSubstr("ANTHROPIC_API_KEY"));
    }
    EXPECT_THAT(ask("hello").text, HasSubstr("rules model"));
}

TEST_F(rules, speak_the_language_of_the_message) {
    auto const answer = ask("Wer hat den Faust geschrieben?").text;
    EXPECT_THAT(answer, StartsWith("Darauf kann ich nicht antworten. Ich bin "));
    EXPECT_THAT(answer, HasSubstr("es ist kein Sprachmodell eingerichtet"));
    EXPECT_THAT(answer, HasSubstr("ANTHROPIC_API_KEY"));
    EXPECT_THAT(answer, Not(HasSubstr("language model")));
    EXPECT_THAT(ask("добавь молоко").text, StartsWith("Я не веду задач."));
}

// covers: X.16
TEST_F(rules, say_who_keeps_tasks) {
    for (auto text : {"remind me to buy milk", "what's on my list?", "delete task 2", "help"}) {
        auto const answer = ask(text).text;
        EXPECT_THAT(answer, HasSubstr("postrider chat --agent todo")) << text;
        EXPECT_THAT(answer, Not(HasSubstr("cannot answer"))) << text;
    }
    EXPECT_THAT(ask("Who wrote Faust?").text, Not(HasSubstr("todo")));
}

TEST_F(rules, call_no_tool_that_is_not_offered) {
    request_.choice = tool_choice::none;
    EXPECT_TRUE(ask("2+2").calls.empty());

    request_.choice = tool_choice::automatic;
    request_.tools = {};
    EXPECT_TRUE(ask("What time is it?").calls.empty());
}

} // namespace
} // namespace postrider::agent::rules_test
