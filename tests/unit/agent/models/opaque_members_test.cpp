// What a server adds to a message or a call for itself comes back to it with the next request.
#include "agent/models/openai_wire.hpp"
#include "agent/models/reply_json.hpp"
#include "base/json/json.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::openai::opaque_members_test {
namespace {

namespace json = boost::json;

constexpr std::string_view self = "openai/m";

json::value json_of(std::string_view text) {
    return base::parse_json(text).value();
}

struct streamed_case {
    std::string_view name;
    std::string_view message;             // as it comes in one piece
    std::vector<std::string_view> deltas; // as it comes in pieces
    std::string_view kept;                // members of the message that is sent next
};

void PrintTo(streamed_case const& named, std::ostream* out) {
    *out << named.name;
}

constexpr std::string_view calls =
    R"("tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\":1}"}}])";

chat_reply read_whole(std::string const& message) {
    model_options const options;
    auto const body =
        R"({"model":"m","choices":[{"message":)" + message + R"(,"finish_reason":"stop"}]})";
    return read_completion(body, {options, self}).value().reply;
}

chat_reply read_streamed(std::vector<std::string_view> const& deltas) {
    model_options const options;
    auto const pieces = completion_stream_of([](std::string_view) {}, "m");
    for (auto const delta : deltas)
        pieces->take(R"(data: {"choices":[{"delta":)" + std::string(delta) + "}]}\n\n");
    pieces->take("data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\n");
    return read_completion(pieces->document().value(), {options, self}).value().reply;
}

// The assistant's message of the next request, with the reply as the step has recorded it.
json::object sent_next(chat_reply const& reply, std::string_view to, bool is_vendor = false) {
    auto const recorded = reply_from_json(to_json(reply)).value();
    chat_message said{.role = role::assistant, .content = recorded.text, .calls = recorded.calls};
    said.provider_state = recorded.provider_state;
    chat_request request;
    request.messages = {{.role = role::user, .content = "x"}, said};
    for (auto const& call : said.calls) {
        chat_message result{.role = role::tool, .content = "1"};
        result.call_id = call.id;
        request.messages.push_back(result);
    }
    model_options const options;
    auto const body = json_of(chat_body(request, {options, to, is_vendor}));
    return body.at("messages").at(1).as_object();
}

void expect_members(json::object const& sent, std::string_view wanted) {
    auto const members = json_of(wanted).as_object();
    for (auto const& [name, value] : members) {
        ASSERT_TRUE(sent.contains(name)) << name << " in " << json::serialize(sent);
        EXPECT_EQ(sent.at(name), value);
    }
}

class opaque_members : public testing::TestWithParam<streamed_case> {};

INSTANTIATE_TEST_SUITE_P(
    servers,
    opaque_members,
    testing::Values(
        streamed_case{
            "deepseek",
            R"({"content":"","reasoning_content":"I must add",)"
            R"("tool_calls":[{"id":"c1","function":{"name":"add","arguments":"{}"}}]})",
            {R"({"role":"assistant","reasoning_content":"I must "})",
             R"({"reasoning_content":"add","content":null})",
             R"({"reasoning_content":null,"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":"{}"}}]})"},
            R"({"reasoning_content":"I must add"})"},
        streamed_case{
            "gemini",
            R"({"tool_calls":[
                {"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\":1}"},
                 "extra_content":{"google":{"thought_signature":"c2lnMQ=="}}},
                {"id":"c2","type":"function","function":{"name":"add","arguments":"{\"a\":2}"}}]})",
            {R"({"tool_calls":[{"index":0,"id":"c1","function":{"name":"add","arguments":"{\"a\":1}"},)"
             R"("extra_content":{"google":{"thought_signature":"c2lnMQ=="}}}]})",
             R"({"tool_calls":[{"index":1,"id":"c2","function":{"name":"add","arguments":"{\"a\":2}"}}]})"},
            R"({"content":null,"tool_calls":[
                {"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\":1}"},
                 "extra_content":{"google":{"thought_signature":"c2lnMQ=="}}},
                {"id":"c2","type":"function","function":{"name":"add","arguments":"{\"a\":2}"}}]})"},
        streamed_case{
            "openrouter",
            R"({"content":"Let me see.","reasoning":"ab","reasoning_details":[
                {"type":"reasoning.text","text":"ab","signature":"c2ln","format":"f","index":0},
                {"type":"reasoning.encrypted","data":"eA==","id":"r1","format":"f","index":1},
                {"type":"reasoning.encrypted","data":"eQ==","id":"r2","format":"f","index":2}]})",
            {R"({"reasoning":"a","reasoning_details":[{"type":"reasoning.text","text":"a","format":"f","index":0}]})",
             R"({"reasoning":"b","reasoning_details":[{"type":"reasoning.text","text":"b","format":"f","index":0}]})",
             R"({"reasoning_details":[{"type":"reasoning.text","signature":"c2ln","format":"f","index":0}]})",
             R"({"content":"Let me ","reasoning_details":[{"type":"reasoning.encrypted","data":"eA==","id":"r1","format":"f","index":1}]})",
             R"({"content":"see.","reasoning_details":[{"type":"reasoning.encrypted","data":"eQ==","id":"r2","format":"f","index":2}]})"},
            R"({"content":"Let me see.","reasoning":"ab","reasoning_details":[
                {"type":"reasoning.text","text":"ab","signature":"c2ln","format":"f","index":0},
                {"type":"reasoning.encrypted","data":"eA==","id":"r1","format":"f","index":1},
                {"type":"reasoning.encrypted","data":"eQ==","id":"r2","format":"f","index":2}]})"},
        streamed_case{
            "without_numbers",
            R"({"content":"x","thinking_blocks":[{"type":"thinking","thinking":"ab","signature":"s"}],
                "reasoning_details":[{"type":"reasoning.encrypted","data":"eA=="},
                                     {"type":"reasoning.encrypted","data":"eQ=="}]})",
            {R"({"thinking_blocks":[{"type":"thinking","thinking":"a"}]})",
             R"({"thinking_blocks":[{"type":"thinking","thinking":"b","signature":"s"}]})",
             R"({"reasoning_details":[{"type":"reasoning.encrypted","data":"eA=="}]})",
             R"({"content":"x","reasoning_details":[{"type":"reasoning.encrypted","data":"eQ=="}]})"},
            R"({"thinking_blocks":[{"type":"thinking","thinking":"ab","signature":"s"}],
                "reasoning_details":[{"type":"reasoning.encrypted","data":"eA=="},
                                     {"type":"reasoning.encrypted","data":"eQ=="}]})"},
        streamed_case{
            "mistral",
            R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},
                           {"type":"text","text":"Hello"}]})",
            {R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"h"}]}]})",
             R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"m"}]}]})",
             R"({"content":"Hel"})",
             R"({"content":"lo"})"},
            R"({"content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]},
                           {"type":"text","text":"Hello"}]})"},
        streamed_case{
            "thoughts_in_the_text",
            R"({"content":"<think>hm</think>\n\nLet me see."})",
            {R"({"content":"<th"})",
             R"({"content":"ink>hm</think>\n\n"})",
             R"({"content":"Let me see."})"},
            R"({"content":"<think>hm</think>\n\nLet me see."})"},
        streamed_case{
            "litellm",
            R"({"tool_calls":[{"id":"c1","function":{"name":"add","arguments":"{}",
                "provider_specific_fields":{"thought_signature":"c2ln"}}}]})",
            {R"({"tool_calls":[{"id":"c1","function":{"name":"add","arguments":"{}",)"
             R"("provider_specific_fields":{"thought_signature":"c2ln"}}}]})"},
            R"({"tool_calls":[{"id":"c1","type":"function","function":{"name":"add","arguments":"{}",
                "provider_specific_fields":{"thought_signature":"c2ln"}}}]})"}
    ),
    [](auto const& named) { return std::string(named.param.name); }
);

TEST_P(opaque_members, go_back_to_the_model_that_sent_them) {
    auto const reply = read_whole(std::string(GetParam().message));
    expect_members(sent_next(reply, self), GetParam().kept);
    expect_members(sent_next(reply, self, true), GetParam().kept);
}

TEST_P(opaque_members, are_put_together_from_a_stream) {
    expect_members(sent_next(read_streamed(GetParam().deltas), self), GetParam().kept);
}

TEST_P(opaque_members, go_to_no_other_model) {
    auto const reply = read_whole(std::string(GetParam().message));
    auto const sent = sent_next(reply, "openai/other");
    auto const text = json::serialize(sent);
    for (auto const& [name, value] : sent)
        EXPECT_TRUE(name == "role" || name == "content" || name == "tool_calls") << name;
    for (auto const word : {"signature", "think", "reasoning", "c2ln"})
        EXPECT_THAT(text, testing::Not(testing::HasSubstr(word)));
}

TEST(usual_message, has_no_opaque_members) {
    auto const reply = read_whole(
        R"({"role":"assistant","content":"x","refusal":null,"annotations":[],"audio":null,)"
        R"("function_call":null,"reasoning_content":null,)" +
        std::string(calls) + "}"
    );
    EXPECT_TRUE(reply.provider_state.is_null());
}

// The Responses API and Anthropic's have the same: members of a call or a text that only they read.
TEST(opaque_items, of_the_responses_api_go_back) {
    model_options const options;
    constexpr std::string_view item =
        R"({"type":"function_call","call_id":"c1","name":"add","arguments":"{}",
            "extra_content":{"google":{"thought_signature":"c2ln"}}})";
    auto const body = R"({"status":"completed","output":[)" + std::string(item) + "]}";
    auto const reply = read_response(body, {options, self}).value().reply;
    chat_message said{.role = role::assistant, .content = "", .calls = reply.calls};
    said.provider_state = reply.provider_state;
    chat_request request;
    request.messages = {{.role = role::user, .content = "x"}, said};
    auto const sent = json_of(responses_body(request, {options, self}));
    EXPECT_EQ(sent.at("input").at(1), json_of(item));
    auto const elsewhere = json_of(responses_body(request, {options, "openai/other"}));
    EXPECT_FALSE(elsewhere.at("input").at(1).as_object().contains("extra_content"));
}

} // namespace
} // namespace postrider::agent::openai::opaque_members_test
