// Streams as servers send them that fail in the middle, or that do not keep to the letter of their API.
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/openai_wire.hpp"
#include "base/json/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::stream_faults_test {
namespace {

using base::errc;
using testing::SizeIs;

model_options const anything;

std::string events(std::vector<std::string_view> const& all) {
    std::string text;
    for (auto event : all) text.append("data: ").append(event).append("\n\n");
    return text;
}

using reply_result = base::result<wire_reply>;

reply_result read_chat(std::string_view bytes) {
    auto const pieces = openai::completion_stream_of([](std::string_view) {}, "m");
    pieces->take(bytes);
    auto const document = pieces->document();
    if (!document) return document.error();
    return openai::read_completion(*document, {anything, "m"});
}

reply_result read_message(std::string_view bytes) {
    auto const pieces = anthropic::stream_of([](std::string_view) {}, "m");
    pieces->take(bytes);
    auto const document = pieces->document();
    if (!document) return document.error();
    return anthropic::read_reply(*document, {anything, "m"});
}

constexpr std::string_view half = R"({"choices":[{"index":0,"delta":{"content":"Half"}}]})";
constexpr std::string_view stopped =
    R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})";
constexpr std::string_view done = "[DONE]";

TEST(completion_stream, that_tells_a_failure_in_any_form_is_tried_again) {
    for (std::string_view const failure :
         {R"({"type":"error","message":"boom"})",
          R"({"object":"error","message":"boom"})",
          R"({"detail":"Internal error"})",
          R"({"status":"error","message":"boom"})",
          R"({"code":500,"message":"boom"})",
          R"({"id":"","choices":[],"msg":"boom"})",
          R"({"errors":["boom"]})"}) {
        auto const reply = read_chat(events({half, failure, done}));
        ASSERT_FALSE(reply) << failure;
        EXPECT_TRUE(base::retryable(reply.error().code)) << failure;
    }
    EXPECT_THAT(
        read_chat(events({half, R"({"detail":"Out of memory"})", done})).error().detail,
        testing::HasSubstr("“Out of memory”")
    );
}

TEST(completion_stream, takes_what_else_servers_tell_for_no_failure) {
    for (std::string_view const more :
         {R"({"choices":[]})",
          R"({"type":"ping"})",
          R"({"choices":[],"prompt_filter_results":[{"prompt_index":0}]})",
          R"({"choices":[],"usage":{"prompt_tokens":3},"status":"ok"})",
          R"({"choices":null,"error":null,"message":null})"}) {
        auto const reply = read_chat(events({half, more, done}));
        ASSERT_TRUE(reply) << more;
        EXPECT_EQ(reply->reply.text, "Half") << more;
    }
    auto const whole =
        read_chat(events({R"({"message":"2 requests before yours"})", half, stopped, done}));
    ASSERT_TRUE(whole) << "a reason says that all is there";
    EXPECT_EQ(whole->reply.text, "Half");
}

TEST(completion_stream, reads_one_choice) {
    auto const reply = read_chat(events(
        {R"({"choices":[{"index":0,"delta":{"content":"one"}},{"index":1,"delta":{"content":"TWO"}}]})",
         R"({"choices":[{"index":1,"delta":{},"finish_reason":"length"}]})",
         R"({"choices":[{"delta":{"content":" more"}}]})",
         R"({"choices":[{"index":"0","delta":{},"finish_reason":"stop"},{"index":"1","delta":{"content":"."}}]})"}
    ));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->reply.text, "one more");
    EXPECT_EQ(reply->reply.stop, stop_reason::end);
}

struct pieces_case {
    std::string_view name;
    std::vector<std::string_view> pieces; // of calls, each in a chunk of its own
    std::vector<std::string> calls;       // their names and arguments
};

TEST(completion_stream, joins_the_pieces_of_each_call) {
    pieces_case const cases[]{
        {"numbers as text",
         {R"({"index":"0","id":"a","function":{"name":"f","arguments":"{\"x\":"}})",
          R"({"index":"0","function":{"arguments":"1}"}})",
          R"({"index":"1","id":"b","function":{"name":"f","arguments":"{\"x\":"}})",
          R"({"index":"1","function":{"arguments":"2}"}})"},
         {R"(f{"x":1})", R"(f{"x":2})"}},
        {"an id for each piece",
         {R"({"id":"a","function":{"name":"f","arguments":"{\"x\""}})",
          R"({"id":"b","function":{"arguments":":1"}})",
          R"({"id":"c","function":{"name":"","arguments":"}"}})"},
         {R"(f{"x":1})"}},
        {"an id for each piece, and a whole call before",
         {R"({"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}})",
          R"({"id":"b","function":{"arguments":"{\"x\":2}"}})"},
         {R"(f{"x":1})", R"({"x":2})"}},
        {"two calls by their ids",
         {R"({"id":"a","function":{"name":"f","arguments":"{\"x\":"}})",
          R"({"id":"b","function":{"name":"g","arguments":"{\"x\":"}})",
          R"({"id":"a","function":{"arguments":"1}"}})",
          R"({"id":"b","function":{"arguments":"2}"}})"},
         {R"(f{"x":1})", R"(g{"x":2})"}},
    };
    for (auto const& [name, pieces, calls] : cases) {
        std::string bytes;
        for (auto const piece : pieces)
            bytes += "data: {\"choices\":[{\"delta\":{\"tool_calls\":[" + std::string(piece) +
                     "]}}]}\n\n";
        auto const reply = read_chat(bytes + events({stopped}));
        ASSERT_TRUE(reply) << name;
        std::vector<std::string> read;
        for (auto const& call : reply->reply.calls)
            read.push_back(call.name + wire::arguments_text(call, true));
        EXPECT_THAT(read, testing::ElementsAreArray(calls)) << name;
    }
}

// The connection ends behind the last line.
TEST(streams, count_a_last_event_without_the_blank_line) {
    for (std::string_view const line_end : {"\n", "\r\n", "\r", ""}) {
        auto const last = "data: " + std::string(stopped) + std::string(line_end);
        auto const reply = read_chat(events({half}) + last);
        ASSERT_TRUE(reply) << testing::PrintToString(line_end);
        EXPECT_EQ(reply->reply.text, "Half");
    }
    auto const marked = read_chat(events({half}) + "data: [DONE]\n");
    EXPECT_TRUE(marked);
    auto const cut = events({half}) + "data: " + std::string(stopped.substr(0, stopped.size() - 1));
    EXPECT_EQ(read_chat(cut).error(), errc::unavailable);
}

constexpr std::string_view start =
    R"({"type":"message_start","message":{"model":"m","content":[],"stop_reason":null,"usage":{}}})";
constexpr std::string_view text_block =
    R"({"type":"content_block_start","index":0,"content_block":{"type":"text","text":"Half"}})";
constexpr std::string_view ended = R"({"type":"message_delta","delta":{"stop_reason":"end_turn"}})";
constexpr std::string_view stop = R"({"type":"message_stop"})";

TEST(anthropic_stream, without_a_reason_of_its_end_is_tried_again) {
    auto const broken = read_message(events({start, text_block, stop}));
    ASSERT_FALSE(broken);
    EXPECT_TRUE(base::retryable(broken.error().code));
    EXPECT_EQ(
        read_message(events({start, text_block, R"({"type":"message_delta","delta":{}})", stop}))
            .error(),
        errc::unavailable
    );
    EXPECT_TRUE(read_message(events({start, text_block, ended, stop})));
}

TEST(anthropic_stream, takes_blocks_by_any_number) {
    auto const reply = read_message(events(
        {start,
         R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":"Hel"}})",
         R"({"type":"content_block_start","index":3,"content_block":{"type":"text","text":"wo"}})",
         R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"lo "}})",
         R"({"type":"content_block_delta","index":3,"delta":{"type":"text_delta","text":"rld"}})",
         ended,
         stop}
    ));
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->reply.text, "Hello world");
}

// What the model alone can read goes back as it came, or not at all.
TEST(anthropic_stream, keeps_no_block_that_it_cannot_put_together) {
    auto const blocks_of = [](std::string_view block, std::string_view delta) {
        auto const opened = R"({"type":"content_block_start","index":0,"content_block":)" +
                            std::string(block) + "}";
        auto const piece =
            R"({"type":"content_block_delta","index":0,"delta":)" + std::string(delta) + "}";
        return read_message(events({start, opened, piece, ended, stop})).value().blocks;
    };
    constexpr std::string_view compaction = R"({"type":"compaction","content":null,"x":1})";

    EXPECT_EQ(
        blocks_of(compaction, R"({"type":"compaction_delta","content":"CMP"})"),
        base::parse_json(R"([{"type":"compaction","content":"CMP","x":1}])").value().as_array()
    );
    EXPECT_EQ(
        blocks_of(compaction, R"({"type":"compaction_delta","content":null})"),
        base::parse_json(R"([{"type":"compaction","content":null,"x":1}])").value().as_array()
    );
    EXPECT_THAT(blocks_of(compaction, R"({"type":"new_delta","content":"CMP"})"), SizeIs(0));
    EXPECT_THAT(
        blocks_of(
            R"({"type":"tool_use","id":"t","name":"f","input":{}})", R"({"type":"new_delta"})"
        ),
        SizeIs(1)
    );
}

} // namespace
} // namespace postrider::agent::stream_faults_test
