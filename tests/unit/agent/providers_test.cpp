// The providers' clients against their stand-ins: what unit tests of the wire formats cannot show.
#include "tests/unit/agent/providers_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::providers_test {
namespace {

using agent::role;
using agent::stop_reason;
using base::errc;
using testing::HasSubstr;
using testing::SizeIs;
using namespace std::chrono_literals;

INSTANTIATE_TEST_SUITE_P(all, providers, every_api(), [](auto const& named) {
    return named.param.name;
});

// covers: S0.07 S1.06 S3.04
TEST_P(providers, answer_in_one_format) {
    auto reply = ask(question("Hello")).value();

    EXPECT_EQ(reply.text, "You said: Hello");
    EXPECT_EQ(reply.stop, stop_reason::end);
    EXPECT_EQ(reply.model, "small-model");
    EXPECT_GT(reply.usage.input, 25);
    EXPECT_EQ(reply.usage.cached, 0);
    EXPECT_EQ(reply.usage.output, 7);
    EXPECT_EQ(fake_.requests().at(0).path, GetParam().path);
}

TEST_P(providers, tell_once_of_a_temperature_that_the_model_refuses) {
    auto with = options();
    bool const refuses = with.api.empty(); // the other is no vendor's: its models may have any name
    if (refuses) with.model = with.provider == "anthropic" ? "claude-opus-5-5" : "gpt-5";
    auto const model = agent::make_model(with, *client_, base::system_clock()).value();
    auto request = question("Hello");
    request.temperature = 0.25;
    testing::internal::CaptureStderr();
    for (int i = 0; i < 3; ++i) (void)io_.run(model->chat(request)).value();
    std::string const log = testing::internal::GetCapturedStderr();

    auto const event = log.find("model.parameter_left_out");
    EXPECT_EQ(event != log.npos, refuses) << log;
    EXPECT_EQ(log.rfind("model.parameter_left_out"), event) << "it is told once";
}

// A conversation of two questions, the first with a call, as a flow asks it: each request is sent
// with the time.
// covers: X.21
TEST_P(providers, find_in_their_cache_what_was_sent_before) {
    fake_.script(fake_reply::calling({{"calculator", {{"expression", "1+1"}}}}));
    auto request = question("1+1?");
    request.system = std::string(40'000, 'x');
    request.trailing_context = "(The current date and time is 12:00.)";
    std::vector<agent::token_usage> used;
    auto const ask_and_answer = [&] {
        auto const reply = ask(request).value();
        used.push_back(reply.usage);
        agent::chat_message said{.role = role::assistant, .content = reply.text};
        said.calls = reply.calls;
        request.messages.push_back(said);
        for (auto const& call : reply.calls) {
            agent::chat_message result{.role = role::tool, .content = "2"};
            result.call_id = call.id;
            request.messages.push_back(result);
        }
    };

    ask_and_answer();
    request.trailing_context = "(The current date and time is 12:01.)";
    ask_and_answer();
    request.messages.push_back({.role = role::user, .content = "And 2+2?"});
    request.trailing_context = "(The current date and time is 12:02.)";
    ask_and_answer();

    EXPECT_EQ(used[0].cached, 0);
    EXPECT_GE(used[1].cached, 10'000);
    EXPECT_GE(used[2].cached, used[1].cached);
    // What is new is the last answer and question, the note, and up to a piece of 128 tokens.
    EXPECT_LT(used[2].input - used[2].cached, 128 + 100);
}

TEST_P(providers, call_tools_and_take_their_results_in_a_form_that_is_accepted) {
    fake_reply asking = fake_reply::calling(
        {{"calculator", {{"expression", "1+1"}}}, {"calculator", {{"expression", "2+2"}}}}
    );
    asking.text = "Let me see.";
    asking.thinks = true;
    fake_.script(asking);
    fake_.script(fake_reply::saying("2 and 4"));
    auto request = question("1+1 and 2+2?");

    auto first = ask(request).value();
    ASSERT_THAT(first.calls, SizeIs(2));
    EXPECT_EQ(first.stop, stop_reason::tool_calls);
    agent::chat_message said{.role = role::assistant, .content = first.text, .calls = first.calls};
    said.provider_state = first.provider_state;
    request.messages.push_back(said);
    for (auto const& call : first.calls) {
        agent::chat_message result{.role = role::tool, .content = bench_.run(call).value().text};
        result.call_id = call.id;
        request.messages.push_back(result);
    }
    auto second = ask(request).value();

    EXPECT_EQ(second.text, "2 and 4");
    EXPECT_THAT(fake_.requests(), SizeIs(2));
}

TEST_P(providers, a_round_that_was_told_by_another_provider_is_accepted) {
    auto request = question("1+1?");
    agent::chat_message said{.role = role::assistant, .content = ""};
    said.calls = {{"functions.calculator:0", "calculator", nullptr, "{broken"}};
    said.provider_state = boost::json::object{
        {"model", "other/model"},
        {"blocks", boost::json::array{boost::json::object{{"type", "odd"}}}}};
    agent::chat_message result{.role = role::tool, .content = "no JSON"};
    result.call_id = "functions.calculator:0";
    result.is_error = true;
    request.messages.push_back(said);
    request.messages.push_back(result);

    EXPECT_TRUE(ask(request));
}

TEST_P(providers, that_refuse_the_state_of_a_turn_get_the_words_alone) {
    auto asking = fake_reply::calling({{"calculator", {{"expression", "1+1"}}}});
    asking.text = "Let me see.";
    asking.thinks = true;
    fake_.script(asking);
    auto request = question("1+1?");
    auto const first = ask(request).value();
    ASSERT_FALSE(first.provider_state.is_null());
    agent::chat_message said{.role = role::assistant, .content = first.text, .calls = first.calls};
    said.provider_state = first.provider_state;
    agent::chat_message result{.role = role::tool, .content = "2"};
    result.call_id = first.calls.at(0).id;
    request.messages.push_back(said);
    request.messages.push_back(result);
    for (bool const is_earlier : {false, true}) {
        if (is_earlier) request.messages.push_back({.role = role::user, .content = "And now?"});
        fake_.script(fake_reply::failing(400));
        fake_.script(fake_reply::saying("Still 2."));

        EXPECT_EQ(ask(request).value().text, "Still 2.");

        auto const all = fake_.requests();
        auto const refused = boost::json::serialize(all.at(all.size() - 2).body);
        auto const body = boost::json::serialize(all.back().body);
        EXPECT_THAT(refused, testing::ContainsRegex("thinking|reasoning"));
        EXPECT_THAT(body, HasSubstr("Let me see."));
        EXPECT_THAT(
            body, testing::Not(testing::ContainsRegex(R"("thinking"|"reasoning|signature)"))
        );
    }
}

TEST_P(providers, that_refuse_a_request_without_state_are_not_asked_again) {
    EXPECT_EQ(failure(fake_reply::failing(400)), errc::invalid);
    EXPECT_THAT(fake_.requests(), SizeIs(1));
}

TEST_P(providers, failures_have_their_class) {
    EXPECT_EQ(failure(fake_reply::failing(429)), errc::rate_limited);
    EXPECT_EQ(failure(fake_reply::failing(529)), errc::overloaded);
    EXPECT_EQ(failure(fake_reply::failing(500)), errc::unavailable);
    EXPECT_EQ(failure(fake_reply::failing(401)), errc::unauthorized);
    fake_reply garbage;
    garbage.raw = "<html>hello</html>";
    EXPECT_EQ(failure(garbage), errc::unavailable) << "the provider's fault: worth another try";
    fake_reply cut = fake_reply::saying("a long answer");
    cut.cut = true;
    EXPECT_EQ(failure(cut), errc::unavailable);
}

TEST_P(providers, say_the_same_in_pieces) {
    auto answer = fake_reply::calling(
        {{"calculator", {{"expression", "1+1"}}}, {"current_time", boost::json::object{}}}
    );
    answer.text = "Größer als zwei? 🤖";
    answer.thinks = true;
    fake_.always(answer);
    (void)ask(question("Hello")); // its prompt is in the provider's cache from now on
    auto const whole = ask(question("Hello")).value();
    auto listening = question("Hello");
    std::string heard;
    int pieces = 0;
    listening.hear = [&](std::string_view text) {
        heard += text;
        ++pieces;
    };

    auto const streamed = ask(listening).value();

    EXPECT_EQ(fake_.requests().at(2).body.at("stream"), true);
    EXPECT_EQ(heard, whole.text);
    EXPECT_GT(pieces, 1);
    EXPECT_EQ(streamed.text, whole.text);
    EXPECT_EQ(streamed.stop, whole.stop);
    EXPECT_EQ(streamed.model, whole.model);
    EXPECT_EQ(streamed.usage.input, whole.usage.input);
    EXPECT_EQ(streamed.usage.cached, whole.usage.cached);
    EXPECT_EQ(streamed.usage.output, whole.usage.output);
    EXPECT_EQ(streamed.provider_state.is_null(), whole.provider_state.is_null());
    ASSERT_THAT(streamed.calls, SizeIs(2));
    for (std::size_t i = 0; i < 2; ++i) {
        EXPECT_EQ(streamed.calls[i].name, whole.calls[i].name);
        EXPECT_EQ(streamed.calls[i].arguments, whole.calls[i].arguments);
    }
}

TEST_P(providers, are_heard_while_they_speak) {
    auto slow = fake_reply::saying("one two three");
    slow.hold = true; // the end is held back until all of the text was heard
    fake_.script(slow);
    auto listening = question("Count");
    std::string heard;
    listening.hear = [&](std::string_view text) {
        heard += text;
        if (heard == "one two three") fake_.release();
    };

    EXPECT_EQ(ask(listening).value().text, "one two three");
}

TEST_P(providers, that_break_off_while_they_speak_are_unavailable) {
    auto cut = fake_reply::saying("one two three");
    cut.cut = true;
    fake_.script(cut);
    auto listening = question("Count");
    listening.hear = [](std::string_view) {};

    EXPECT_EQ(ask(listening).error().code, errc::unavailable);
}

// Behind some of a text, in the middle of a call's arguments, behind all but the end.
// covers: S3.05 S3.06
TEST_P(providers, that_are_cut_anywhere_have_said_nothing) {
    auto whole = fake_reply::calling({{"calculator", {{"expression", "1234567+7654321"}}}});
    whole.text = "Let me see what that comes to.";
    std::vector<std::string> places{"Let m", " come", "12345"};
    if (std::string_view(GetParam().provider) == "anthropic")
        places.insert(places.end(), {"content_block_stop", R"("stop_reason":"tool_use")"});
    for (auto const& place : places) {
        auto cut = whole;
        cut.cut_behind = place;
        fake_.script(cut);
        auto listening = question("Count");
        listening.hear = [](std::string_view) {};

        auto const answer = ask(listening);

        ASSERT_FALSE(answer) << place;
        EXPECT_EQ(answer.error().code, errc::unavailable) << place;
    }
}

// covers: S3.05 S3.06
TEST_P(providers, fail_by_the_error_that_comes_in_the_middle_of_a_stream) {
    bool const anthropic = std::string_view(GetParam().provider) == "anthropic";
    struct sample {
        std::string_view error;
        errc code;
    };
    for (auto const [error, code] :
         {sample{
              anthropic ? "overloaded_error" : "server_error",
              anthropic ? errc::overloaded : errc::unavailable},
          sample{anthropic ? "rate_limit_error" : "rate_limit_exceeded", errc::rate_limited}}) {
        auto broken = fake_reply::saying("one two three");
        broken.cut_behind = "one";
        broken.error_event = error;
        fake_.script(broken);
        auto listening = question("Count");
        std::string heard;
        listening.hear = [&](std::string_view text) { heard += text; };

        auto const answer = ask(listening);

        ASSERT_FALSE(answer) << error;
        EXPECT_EQ(answer.error().code, code) << error;
        EXPECT_THAT(heard, testing::StartsWith("one"));
    }
}

// covers: S3.02
TEST_P(providers, are_told_whether_tools_may_or_must_be_called) {
    bool const anthropic = std::string_view(GetParam().provider) == "anthropic";
    for (auto const choice :
         {agent::tool_choice::automatic, agent::tool_choice::required, agent::tool_choice::none}) {
        auto request = question("Hello");
        request.choice = choice;
        (void)ask(request).value();
        auto const sent = fake_.requests().back().body.at("tool_choice");
        std::string_view const word = choice == agent::tool_choice::automatic ? "auto"
                                      : choice == agent::tool_choice::none    ? "none"
                                      : anthropic                             ? "any"
                                                                              : "required";
        EXPECT_EQ(anthropic ? sent.at("type") : sent, boost::json::value(word));
    }
}

// What a server refuses it is not sent again, and what was forced is asked for in words.
// covers: S3.02
TEST_P(providers, leave_out_what_the_server_refuses) {
    auto const model = agent::make_model(options(), *client_, base::system_clock()).value();
    fake_.refuse_parameter("tool_choice");
    auto request = question("Hello");
    request.choice = agent::tool_choice::required;
    testing::internal::CaptureStderr();

    for (int i = 0; i < 2; ++i) EXPECT_TRUE(io_.run(model->chat(request)));

    std::string const log = testing::internal::GetCapturedStderr();
    EXPECT_THAT(fake_.requests(), SizeIs(3)) << "refused once";
    EXPECT_THAT(
        boost::json::serialize(fake_.requests().back().body),
        HasSubstr("Call at least one of your tools")
    );
    auto const event = log.find("model.parameter_left_out");
    ASSERT_NE(event, log.npos) << log;
    EXPECT_EQ(log.rfind("model.parameter_left_out"), event) << "it is told once";
}

TEST_P(providers, pass_on_the_delay) {
    auto busy = fake_reply::failing(429);
    busy.retry_after = 7;
    fake_.script(busy);

    EXPECT_EQ(ask(question("Hello")).error().retry_after, 7000ms);
}

TEST_P(providers, say_plainly_that_a_model_is_missing) {
    fake_.offer_models({"big-model"});

    auto error = ask(question("Hello")).error();

    EXPECT_EQ(error.code, errc::not_found);
    EXPECT_THAT(error.detail, HasSubstr("small-model"));
}

TEST_P(providers, show_their_key) {
    fake_.require_key("key-1");
    EXPECT_TRUE(ask(question("Hello")));

    fake_.require_key("key-2");
    EXPECT_EQ(ask(question("Hello")).error().code, errc::unauthorized);
}

// Some servers repeat the key that they refuse, whatever its form.
TEST_P(providers, pass_on_why_they_refuse_and_not_the_key) {
    auto refusal = fake_reply::failing(400);
    refusal.raw = R"({"error":{"message":"No credit is left for key-1 today"}})";
    fake_.script(refusal);

    auto const error = ask(question("Hello")).error();

    EXPECT_THAT(error.detail, HasSubstr("“No credit is left for *** today”"));
}

TEST_P(providers, wait_no_longer_than_they_may) {
    fake_reply late;
    late.hold = true;
    fake_.script(late);
    auto hurried = options();
    hurried.timeout = 50ms;

    EXPECT_EQ(ask(hurried, question("Hello")).error().code, errc::unavailable);
    fake_.release();
}

TEST_P(providers, wait_no_longer_than_the_call_may) {
    fake_reply late;
    late.hold = true;
    fake_.script(late);
    auto hurried = question("Hello");
    hurried.timeout = 50ms;

    EXPECT_EQ(ask(hurried).error().code, errc::unavailable);
    fake_.release();
}

TEST_P(providers, that_are_not_there_are_unavailable) {
    auto lost = options();
    lost.base_url = "http://127.0.0.1:1/v1";

    EXPECT_EQ(ask(lost, question("Hello")).error().code, errc::unavailable);
}

} // namespace
} // namespace postrider::tests::providers_test
