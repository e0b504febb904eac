// Answers that come in pieces: what is heard, and what is put together.
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/openai_wire.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::streams_test {
namespace {

namespace anthropic = agent::anthropic;
namespace openai = agent::openai;
using base::errc;
using testing::ElementsAre;

agent::model_options const anything;

struct ear {
    std::vector<std::string> heard;
    agent::text_listener listener() {
        return [this](std::string_view text) { heard.emplace_back(text); };
    }
};

std::string events(std::vector<std::string_view> const& all) {
    std::string text;
    for (auto event : all) text.append("data: ").append(event).append("\n\n");
    return text;
}

base::result<std::string> put_together(
    std::shared_ptr<agent::wire::stream> const& stream, std::string_view bytes
) {
    for (char c : bytes) stream->take(std::string_view(&c, 1));
    return stream->document();
}

constexpr std::string_view start =
    R"({"type":"message_start","message":{"model":"m","content":[],"usage":{"input_tokens":20,"output_tokens":1}}})";
constexpr std::string_view text_block =
    R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}})";
constexpr std::string_view yes =
    R"({"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"Yes, "}})";
constexpr std::string_view ending =
    R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":31}})";
constexpr std::string_view stop = R"({"type":"message_stop"})";

TEST(anthropic_stream, becomes_the_message) {
    ear recorder;
    auto const message = put_together(
        anthropic::stream_of(recorder.listener(), "m"),
        events(
            {start,
             R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}})",
             R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}})",
             R"({"type":"ping"})",
             R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})",
             R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"Yes, "}})",
             R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"größer"}})",
             R"({"type":"content_block_stop","index":1})",
             R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t1","name":"find","input":{}}})",
             R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"query\": \"fe"}})",
             R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"rn\"}"}})",
             ending,
             stop}
        )
    );
    ASSERT_TRUE(message) << message.error().detail;
    EXPECT_THAT(recorder.heard, ElementsAre("Yes, ", "größer"));
    auto const read = anthropic::read_reply(*message, {anything, "m"}).value();
    EXPECT_EQ(read.reply.text, "Yes, größer");
    ASSERT_EQ(read.reply.calls.size(), 1u);
    EXPECT_EQ(read.reply.calls[0].arguments.at("query"), "fern");
    EXPECT_EQ(read.reply.usage.input, 20);
    EXPECT_EQ(read.reply.usage.output, 31) << "what comes later is of all, not added";
    EXPECT_EQ(read.blocks.at(0).at("signature"), "c2ln");
    EXPECT_EQ(read.reply.stop, agent::stop_reason::tool_calls);
}

TEST(anthropic_stream, that_was_cut_or_is_out_of_order_is_an_error) {
    ear recorder;
    auto error_of = [&](std::vector<std::string_view> all) {
        auto result = put_together(anthropic::stream_of(recorder.listener(), "m"), events(all));
        return result ? errc{} : result.error().code;
    };
    EXPECT_EQ(error_of({}), errc::unavailable);
    EXPECT_EQ(error_of({start, text_block, yes}), errc::unavailable);
    EXPECT_EQ(error_of({start, text_block, yes, ending}), errc::unavailable);
    EXPECT_EQ(error_of({start, yes, stop}), errc::unavailable);
    EXPECT_EQ(error_of({start, text_block, text_block, stop}), errc::unavailable);
    EXPECT_EQ(error_of({start, "{no JSON"}), errc::unavailable);
    EXPECT_EQ(error_of({start, text_block, yes, ending, stop}), errc{});
}

TEST(anthropic_stream, tells_a_page_from_a_stream_that_was_cut) {
    ear recorder;
    auto told_of = [&](std::string_view bytes) {
        return put_together(anthropic::stream_of(recorder.listener(), "m"), bytes).error().detail;
    };
    EXPECT_EQ(
        told_of("<html>\n\n<body>Sign in</body></html>"),
        "the answer is neither an event stream nor JSON"
    );
    for (auto const* cut : {"", "\n", "ev", "event: mess", ": ping\n\n", "data: {"})
        EXPECT_EQ(told_of(cut), "the stream ended early") << cut;
}

TEST(anthropic_stream, has_begun_with_the_first_event_that_is_no_error) {
    ear recorder;
    auto const good = anthropic::stream_of(recorder.listener(), "m");
    auto const bad = anthropic::stream_of(recorder.listener(), "m");

    good->take(": ping\n\n");
    EXPECT_FALSE(good->has_begun());
    good->take(events({start}));
    bad->take(events({R"({"type":"error","error":{"type":"overloaded_error","message":"no"}})"}));

    EXPECT_TRUE(good->has_begun());
    EXPECT_FALSE(bad->has_begun());
}

TEST(anthropic_stream, tells_the_failure_that_comes_after_a_good_beginning) {
    struct sample {
        std::string_view type;
        errc code;
    };
    for (auto [type, code] : {
             sample{"overloaded_error", errc::overloaded},
             sample{"rate_limit_error", errc::rate_limited},
             sample{"billing_error", errc::budget},
             sample{"not_found_error", errc::not_found},
             sample{"something_new", errc::unavailable},
         }) {
        ear recorder;
        auto const error =
            R"({"type":"error","error":{"type":")" + std::string(type) + R"(","message":"no"}})";
        auto result = put_together(
            anthropic::stream_of(recorder.listener(), "m"),
            events({start, text_block, yes, error, stop})
        );
        ASSERT_FALSE(result) << type;
        EXPECT_EQ(result.error().code, code) << type;
    }
}

TEST(responses_stream, becomes_the_response_that_its_end_brings) {
    ear recorder;
    auto const response = put_together(
        openai::responses_stream(recorder.listener(), "m"),
        events(
            {R"({"type":"response.created","response":{"status":"in_progress"}})",
             R"({"type":"response.output_text.delta","delta":"Hel"})",
             R"({"type":"response.output_text.delta","delta":"lo"})",
             R"({"type":"response.completed","response":{"status":"completed","output":[]}})"}
        )
    );
    EXPECT_EQ(response.value(), R"({"status":"completed","output":[]})");
    EXPECT_THAT(recorder.heard, ElementsAre("Hel", "lo"));
    auto failing = [&](std::string_view event) {
        return put_together(openai::responses_stream(recorder.listener(), "m"), events({event}))
            .error();
    };
    EXPECT_EQ(failing(R"({"type":"error","code":"rate_limit_exceeded"})"), errc::rate_limited);
    EXPECT_EQ(
        failing(R"({"type":"error","error":{"type":"x","code":"insufficient_quota"}})"),
        errc::budget
    );
    EXPECT_EQ(failing(R"({"type":"response.in_progress"})"), errc::unavailable);
}

TEST(completion_stream, becomes_the_completion) {
    ear recorder;
    auto const completion = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events(
            {R"({"model":"m","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]})",
             R"({"model":"m","choices":[{"index":0,"delta":{"content":"Hel"}}]})",
             R"({"model":"m","choices":[{"index":0,"delta":{"content":"lo"}}]})",
             R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}}]})",
             R"({"choices":[{"delta":{"tool_calls":[{"index":1,"id":"b","function":{"name":"g","arguments":""}}]}}]})",
             R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":": 1}"}}]}}]})",
             R"({"choices":[{"delta":{},"finish_reason":"tool_calls"}]})",
             R"({"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":4}})",
             "[DONE]"}
        )
    );
    auto const reply = openai::read_completion(completion.value(), {anything, "m"}).value().reply;
    EXPECT_EQ(reply.text, "Hello");
    EXPECT_THAT(recorder.heard, ElementsAre("Hel", "lo"));
    ASSERT_EQ(reply.calls.size(), 2u);
    EXPECT_EQ(reply.calls[0].arguments.at("x"), 1);
    EXPECT_EQ(reply.calls[1].name, "g");
    EXPECT_EQ(reply.usage.output, 4);
}

TEST(completion_stream, takes_what_local_servers_send) {
    ear recorder;
    auto const completion = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events(
            {R"({"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":{"x":1}}},{"function":{"name":"g","arguments":"{}"}}]}}]})",
             R"({"choices":[{"delta":{},"finish_reason":"stop"}]})"}
        )
    );
    auto const reply = openai::read_completion(completion.value(), {anything, "m"}).value().reply;
    ASSERT_EQ(reply.calls.size(), 2u);
    EXPECT_EQ(reply.calls[0].arguments.at("x"), 1);
    EXPECT_EQ(reply.calls[1].name, "g");
    EXPECT_NE(reply.calls[0].id, reply.calls[1].id);
}

TEST(completion_stream, may_end_without_a_reason) {
    ear recorder;
    auto const completion = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events({R"({"choices":[{"delta":{"content":[{"type":"text","text":"Hello"}]}}]})", "[DONE]"}
        )
    );
    EXPECT_EQ(
        openai::read_completion(completion.value(), {anything, "m"}).value().reply.text, "Hello"
    );
    EXPECT_THAT(recorder.heard, ElementsAre("Hello"));
}

TEST(completion_stream, tells_calls_of_one_number_apart) {
    ear recorder;
    auto const completion = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events(
            {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}}]}}]})",
             R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"name":"f","arguments":"{\"x\""}}]}}]})",
             R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"b","function":{"arguments":":2}"}}]}}]})",
             "[DONE]"}
        )
    );
    auto const reply = openai::read_completion(completion.value(), {anything, "m"}).value().reply;
    ASSERT_EQ(reply.calls.size(), 2u);
    EXPECT_EQ(reply.calls[0].arguments.at("x"), 1);
    EXPECT_EQ(reply.calls[1].arguments.at("x"), 2);
}

agent::chat_reply completion_of(std::vector<std::string_view> const& all) {
    ear recorder;
    auto const whole =
        put_together(openai::completion_stream_of(recorder.listener(), "m"), events(all));
    return openai::read_completion(whole.value(), {anything, "m"}).value().reply;
}

constexpr std::string_view calls_end = R"({"choices":[{"delta":{},"finish_reason":"tool_calls"}]})";

TEST(completion_stream, goes_on_with_the_last_call_where_a_piece_names_none) {
    auto const reply = completion_of(
        {R"({"choices":[{"delta":{"tool_calls":[{"id":"a","function":{"name":"f","arguments":""}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"function":{"arguments":"{\"x\""}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"index":null,"id":"","function":{"name":null,"arguments":":1}"}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"name":"g","arguments":"{\"x\""}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"id":"b","function":{"arguments":":2}"}}]}}]})",
         calls_end}
    );
    ASSERT_EQ(reply.calls.size(), 2u);
    EXPECT_EQ(reply.calls[0].name, "f");
    EXPECT_EQ(reply.calls[0].arguments.at("x"), 1);
    EXPECT_EQ(reply.calls[1].name, "g");
    EXPECT_EQ(reply.calls[1].arguments.at("x"), 2);
}

TEST(completion_stream, tells_whole_calls_of_one_number_apart_without_ids) {
    auto const reply = completion_of(
        {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"x\":1}"}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"name":"f","arguments":"{\"x\":2}"}}]}}]})",
         calls_end}
    );
    ASSERT_EQ(reply.calls.size(), 2u);
    EXPECT_EQ(reply.calls[1].arguments.at("x"), 2);
}

TEST(completion_stream, takes_a_name_that_every_piece_repeats) {
    auto const reply = completion_of(
        {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":""}}]}}]})",
         calls_end}
    );
    ASSERT_EQ(reply.calls.size(), 1u);
    EXPECT_EQ(reply.calls[0].arguments.at("x"), 1);
}

TEST(completion_stream, goes_on_where_a_name_is_repeated_without_number_and_id) {
    auto const reply = completion_of(
        {R"({"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"{\"x\""}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":":1}"}}]}}]})",
         R"({"choices":[{"delta":{"tool_calls":[{"function":{"name":"f","arguments":"{\"x\":2}"}}]}}]})",
         calls_end}
    );
    ASSERT_EQ(reply.calls.size(), 2u);
    EXPECT_EQ(reply.calls[0].arguments.at("x"), 1);
    EXPECT_EQ(reply.calls[1].arguments.at("x"), 2);
}

// Half an answer is none.
TEST(completion_stream, that_fails_in_the_middle_is_tried_again) {
    constexpr std::string_view half = R"({"choices":[{"delta":{"content":"Half an ans"}}]})";
    constexpr std::string_view endings[]{
        R"({"choices":[{"delta":{"content":""},"finish_reason":"error"}]})",
        R"({"choices":[{"delta":{},"finish_reason":"error","error":{"code":502,"message":"Provider disconnected"}}]})",
        R"({"choices":[{"error":{"code":400,"message":"Upstream failed"}}]})",
        R"({"choices":[{"delta":{},"finish_reason":"network_error"}]})",
        R"({"choices":[{"delta":{},"finish_reason":"insufficient_system_resource"}]})",
        R"({"choices":[{"delta":{},"finish_reason":"abort"}]})",
        R"({"choices":[],"error":{"code":502,"message":"Provider disconnected"}})",
        R"({"object":"error","message":"Engine is dead","code":500})",
    };
    for (auto const ending : endings) {
        ear recorder;
        auto const whole = put_together(
            openai::completion_stream_of(recorder.listener(), "m"), events({half, ending, "[DONE]"})
        );
        auto const reply = openai::read_completion(whole.value(), {anything, "m"});
        ASSERT_FALSE(reply) << ending;
        EXPECT_TRUE(base::retryable(reply.error().code)) << ending;
    }
}

TEST(completion_stream, takes_an_event_whose_name_alone_says_that_it_is_an_error) {
    ear recorder;
    auto const failed = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events({R"({"choices":[{"delta":{"content":"Half"}}]})"}) +
            "event: error\ndata: {\"message\":\"gone\"}\n\ndata: [DONE]\n\n"
    );
    EXPECT_EQ(openai::read_completion(failed.value(), {anything, "m"}).error(), errc::unavailable);
}

TEST(completion, that_failed_in_the_middle_is_tried_again) {
    for (std::string_view choice :
         {R"({"message":{"content":"Half"},"finish_reason":"error"})",
          R"({"message":{"content":"Half"},"error":{"code":429,"message":"busy"}})",
          R"({"error":{"code":"server_error","message":"gone"}})",
          R"({"message":{"content":null},"finish_reason":"tool_calls"})"}) {
        auto const body = R"({"choices":[)" + std::string(choice) + "]}";
        auto const reply = openai::read_completion(body, {anything, "m"});
        ASSERT_FALSE(reply) << choice;
        EXPECT_TRUE(base::retryable(reply.error().code)) << choice;
    }
}

TEST(streams, do_not_show_what_a_model_thinks_first) {
    ear recorder;
    auto const whole = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events(
            {R"({"choices":[{"delta":{"content":"<th"}}]})",
             R"({"choices":[{"delta":{"content":"ink>hm"}}]})",
             R"({"choices":[{"delta":{"content":"</think>\n\nHel"}}]})",
             R"({"choices":[{"delta":{"content":"lo"},"finish_reason":"stop"}]})"}
        )
    );
    EXPECT_THAT(recorder.heard, ElementsAre("Hel", "lo"));
    EXPECT_EQ(openai::read_completion(whole.value(), {anything, "m"}).value().reply.text, "Hello");
}

// The body ended with the connection, before the first event was through.
TEST(streams, that_were_cut_at_once_are_unavailable) {
    ear recorder;
    for (std::string_view begun : {"", ": ping\n\n", "event: message_start\ndata: {\"ty"}) {
        auto const result = put_together(anthropic::stream_of(recorder.listener(), "m"), begun);
        EXPECT_EQ(result.error(), errc::unavailable) << begun;
    }
}

TEST(completion_stream, that_was_cut_or_failed_is_an_error) {
    ear recorder;
    auto const half = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events({R"({"choices":[{"delta":{"content":"Hel"}}]})"})
    );
    EXPECT_EQ(half.error(), errc::unavailable);
    auto const failed = put_together(
        openai::completion_stream_of(recorder.listener(), "m"),
        events({R"({"error":{"code":"rate_limit_exceeded"}})"})
    );
    EXPECT_EQ(openai::read_completion(failed.value(), {anything, "m"}).error(), errc::rate_limited);
}

// Old servers answer as ever.
TEST(completion_stream, takes_a_document_from_a_server_that_does_not_stream) {
    ear recorder;
    std::string const document = R"({"choices":[{"message":{"content":"Hello"}}]})";
    auto const completion =
        put_together(openai::completion_stream_of(recorder.listener(), "m"), document);
    EXPECT_EQ(completion.value(), document);
}

} // namespace
} // namespace postrider::tests::streams_test
