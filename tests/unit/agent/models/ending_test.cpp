#include "agent/models/anthropic_wire.hpp"
#include "agent/models/ending.hpp"
#include "agent/models/openai_wire.hpp"

#include <gtest/gtest.h>

#include <optional>

namespace postrider::agent::wire::ending_test {
namespace {

using base::errc;

model_options const anything;

struct outcome {
    std::optional<stop_reason> stop;
    std::string text;
    errc code{};
    bool operator==(outcome const&) const = default;
};

outcome outcome_of(base::result<wire_reply> const& read) {
    if (!read) return {.stop = std::nullopt, .text = {}, .code = read.error().code};
    return {.stop = read->reply.stop, .text = read->reply.text};
}

std::string quoted(std::string_view text) {
    return '"' + std::string(text) + '"';
}

outcome of_completion(std::string_view text, std::string_view word) {
    auto const body = R"({"choices":[{"message":{"content":)" + quoted(text) +
                      R"(},"finish_reason":)" + quoted(word) + "}]}";
    return outcome_of(openai::read_completion(body, {anything, "m"}));
}

outcome of_message(std::string_view text, std::string_view word) {
    auto const body = R"({"content":[{"type":"text","text":)" + quoted(text) +
                      R"(}],"stop_reason":)" + quoted(word) + "}";
    return outcome_of(anthropic::read_reply(body, {anything, "m"}));
}

outcome of_response(std::string_view text, std::string_view word) {
    auto const status = word.empty() ? "completed" : "incomplete";
    auto const body = R"({"status":)" + quoted(status) + R"(,"incomplete_details":{"reason":)" +
                      quoted(word) + R"(},"output":[{"type":"message","content":[{"text":)" +
                      quoted(text) + "}]}]}";
    return outcome_of(openai::read_response(body, {anything, "m"}));
}

void expect_everywhere(std::string_view text, std::string_view word, outcome const& expected) {
    EXPECT_EQ(of_completion(text, word), expected) << "completion: " << word;
    EXPECT_EQ(of_message(text, word), expected) << "message: " << word;
    EXPECT_EQ(of_response(text, word), expected) << "response: " << word;
}

TEST(ending, tells_half_an_answer_from_a_whole_one) {
    constexpr std::string_view half = "Half of an answ";
    for (auto const* word :
         {"",
          "stop",
          "STOP",
          "FINISH_REASON_STOP",
          "end_turn",
          "EndTurn",
          "eos_token",
          "COMPLETE",
          "finish"})
        expect_everywhere(half, word, {stop_reason::end, std::string(half)});
    for (auto const* word :
         {"length",
          "model_context_window_exceeded",
          "MAX_OUTPUT_TOKENS",
          "maxTokens",
          "max_time",
          "token_limit",
          "out_of_tokens",
          "pause_turn"})
        expect_everywhere(half, word, {stop_reason::length, std::string(half)});
    for (auto const* word : {"pending", "FINISH_REASON_UNSPECIFIED", "something_new"})
        expect_everywhere(half, word, {stop_reason::broken_off, std::string(half)});
    for (auto const* word :
         {"content_filter: RECITATION",
          "recitation",
          "contentFilter",
          "IMAGE_SAFETY",
          "PROHIBITED_CONTENT",
          "blocklist",
          "refusal"})
        expect_everywhere(half, word, {stop_reason::refusal, ""});
    for (auto const* word :
         {"function_call_filter: MALFORMED_FUNCTION_CALL",
          "UNEXPECTED_TOOL_CALL",
          "TOO_MANY_TOOL_CALLS",
          "Network_Error",
          "cancelled",
          "insufficient_system_resource"})
        expect_everywhere(half, word, {std::nullopt, "", errc::unavailable});
}

TEST(ending, without_an_answer_is_tried_again_unless_its_reason_is_known) {
    expect_everywhere("", "stop", {stop_reason::end, ""});
    expect_everywhere("", "length", {stop_reason::length, ""});
    expect_everywhere("", "tool_calls", {std::nullopt, "", errc::unavailable});
    expect_everywhere("I will do it.", "tool_use", {std::nullopt, "", errc::unavailable});
    expect_everywhere("", "something_new", {std::nullopt, "", errc::unavailable});
    expect_everywhere(
        "", "MODEL_CONTEXT_WINDOW_EXCEEDED", {std::nullopt, "", errc::context_too_long}
    );
}

TEST(ending, of_a_response_is_also_its_status) {
    constexpr std::string_view half =
        R"("output":[{"type":"message","content":[{"text":"Half"}]}]})";
    constexpr std::string_view half_item =
        R"({"output":[{"type":"message","status":"incomplete","content":[{"text":"Half"}]}]})";
    auto const outcome_in = [](std::string const& body) {
        return outcome_of(openai::read_response(body, {anything, "m"}));
    };
    outcome const cut{stop_reason::broken_off, "Half"};

    EXPECT_EQ(outcome_in(R"({"status":"INCOMPLETE",)" + std::string(half)), cut);
    EXPECT_EQ(outcome_in(std::string(half_item)), cut);
    EXPECT_EQ(
        outcome_in(R"({"status":"incomplete","output":[]})"),
        (outcome{std::nullopt, "", errc::unavailable})
    );
}

// Half a call must not run, and a whole one may have an ending of any name.
TEST(ending, that_is_not_known_leaves_whole_calls_to_be_run) {
    struct sample {
        std::string_view arguments;
        std::string_view word;
        stop_reason stop;
    };
    for (auto const& [arguments, word, stop] :
         {sample{R"({"a":1})", "something_new", stop_reason::tool_calls},
          sample{R"({"a":1})", "stop", stop_reason::tool_calls},
          sample{R"({"a":)", "something_new", stop_reason::broken_off},
          sample{R"({"a":1})", "MAX_TOKENS", stop_reason::length}}) {
        chat_reply reply;
        reply.calls.push_back(call_from_text("c", "add", std::string(arguments)));
        EXPECT_TRUE(note_ending(reply, word)) << word;
        EXPECT_EQ(reply.stop, stop) << arguments << ' ' << word;
    }
}

} // namespace
} // namespace postrider::agent::wire::ending_test
