#include "agent/models/anthropic_wire.hpp"
#include "base/json.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::anthropic {
namespace {

constexpr std::string_view self = "anthropic/claude-test";

boost::json::value json_of(std::string_view text) {
    return base::parse_json(text).value();
}

model_options options() {
    model_options made;
    made.provider = "anthropic";
    made.model = "claude-test";
    return made;
}

chat_message user(std::string text) {
    return {.role = role::user, .content = std::move(text)};
}

chat_message calling(std::vector<tool_call> calls, std::string text = "") {
    return {.role = role::assistant, .content = std::move(text), .calls = std::move(calls)};
}

chat_message result(std::string id, std::string text, bool is_error = false) {
    chat_message made{.role = role::tool, .content = std::move(text)};
    made.call_id = std::move(id);
    made.is_error = is_error;
    return made;
}

tool_call add(std::string id) {
    return {std::move(id), "add", boost::json::object{{"a", 1}}, {}};
}

boost::json::value messages_of(std::vector<chat_message> messages) {
    chat_request request;
    request.messages = std::move(messages);
    return request_body(request, options(), self).at("messages");
}

TEST(anthropic_request, is_what_the_api_wants) {
    chat_request request;
    request.system = "Be brief.";
    request.messages = {user("Hello")};
    request.tools = {{"add", "Adds.", {{"type", "object"}}}};
    request.max_tokens = 100;

    EXPECT_EQ(request_body(request, options(), self), json_of(R"({
        "model":"claude-test","max_tokens":100,"system":"Be brief.",
        "tools":[{"name":"add","description":"Adds.","input_schema":{"type":"object"}}],
        "tool_choice":{"type":"auto"},
        "messages":[{"role":"user","content":"Hello"}]})"));
}

TEST(anthropic_request, leaves_out_what_is_empty_and_bounds_the_tokens) {
    chat_request request;
    request.messages = {user("Hello")};
    request.max_tokens = 1'000'000;

    auto body = request_body(request, options(), self);

    EXPECT_FALSE(body.contains("system"));
    EXPECT_FALSE(body.contains("tools"));
    EXPECT_FALSE(body.contains("tool_choice"));
    EXPECT_EQ(body.at("max_tokens"), options().max_tokens);
}

TEST(anthropic_request, keeps_tools_declared_when_none_may_be_used) {
    chat_request request;
    request.messages = {user("Hello")};
    request.tools = {{"add", "", {{"type", "object"}}}};
    request.choice = tool_choice::none;

    auto body = request_body(request, options(), self);

    EXPECT_EQ(body.at("tool_choice"), json_of(R"({"type":"none"})"));
    EXPECT_TRUE(body.contains("tools"));
}

TEST(anthropic_request, does_not_force_tools_on_models_that_refuse_it) {
    chat_request request;
    request.messages = {user("Hello")};
    request.tools = {{"add", "", {{"type", "object"}}}};
    request.choice = tool_choice::required;
    auto modern = options();
    modern.model = "claude-opus-5-5";

    EXPECT_EQ(request_body(request, options(), self).at("tool_choice").at("type"), "any");
    EXPECT_EQ(request_body(request, modern, self).at("tool_choice").at("type"), "auto");
}

TEST(anthropic_request, merges_parallel_results_into_one_user_message) {
    auto messages = messages_of(
        {user("1+1 and 2+2"),
         calling({add("t1"), add("t2")}, "Let me see"),
         result("t1", "2"),
         result("t2", "no", true),
         user("and?")}
    );

    EXPECT_EQ(messages, json_of(R"([
        {"role":"user","content":"1+1 and 2+2"},
        {"role":"assistant","content":[{"type":"text","text":"Let me see"},
            {"type":"tool_use","id":"t1","name":"add","input":{"a":1}},
            {"type":"tool_use","id":"t2","name":"add","input":{"a":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"2"},
            {"type":"tool_result","tool_use_id":"t2","content":"no","is_error":true}]},
        {"role":"user","content":"and?"}])"));
}

TEST(anthropic_request, filters_empty_texts_and_begins_with_the_user) {
    auto messages = messages_of(
        {calling({}, "I was first"),
         user(""),
         calling({}, ""),
         user("Oh"),
         calling({add("t")}),
         result("t", "")}
    );

    EXPECT_EQ(messages, json_of(R"json([
        {"role":"user","content":"(earlier messages are left out)"
},
        {"role":"assistant","content":[{"type":"text","text":"I was first"}]},
        {"role":"user","content":"Oh"},
        {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"add","input":{"a":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t"}]}])json"));
}

TEST(anthropic_request, makes_foreign_calls_fit) {
    tool_call broken{"functions.add:0", "add", nullptr, "{oops"};

    auto messages =
        messages_of({user("x"), calling({broken}), result("functions.add:0", "bad", true)});

    EXPECT_EQ(messages.at(1).at("content").at(0).at("id"), "functions_add_0");
    EXPECT_EQ(messages.at(1).at("content").at(0).at("input"), boost::json::object{});
    EXPECT_EQ(messages.at(2).at("content").at(0).at("tool_use_id"), "functions_add_0");
}

TEST(anthropic_request, puts_the_historys_system_messages_into_the_prompt) {
    chat_request request;
    request.system = "Be brief.";
    request.messages = {{.role = role::system, .content = "It rains."}, user("Hello")};

    auto body = request_body(request, options(), self);

    EXPECT_EQ(body.at("system"), "Be brief.\n\nIt rains.");
    EXPECT_EQ(body.at("messages").as_array().size(), 1u);
}

constexpr std::string_view thinking_reply = R"({"id":"msg_1","type":"message","role":"assistant",
    "model":"claude-test-20260101","content":[
    {"type":"thinking","thinking":"","signature":"c2ln"},
    {"type":"text","text":""},
    {"type":"text","text":"Let me look.","citations":null},
    {"type":"shiny_new_block","data":[1,2]},
    {"type":"tool_use","id":"toolu_1","name":"add","input":{"a":1},"caller":{"type":"direct"}}],
    "stop_reason":"tool_use","usage":{"input_tokens":4,"cache_creation_input_tokens":2,
    "cache_read_input_tokens":30,"output_tokens":5}})";

TEST(anthropic_reply, reads_text_calls_and_usage) {
    auto reply = read_reply(thinking_reply, self).value().reply;

    EXPECT_EQ(reply.text, "Let me look.");
    ASSERT_EQ(reply.calls.size(), 1u);
    EXPECT_EQ(reply.calls[0].id, "toolu_1");
    EXPECT_EQ(reply.calls[0].arguments, json_of(R"({"a":1})"));
    EXPECT_EQ(reply.stop, stop_reason::tool_calls);
    EXPECT_EQ(reply.model, "claude-test-20260101");
    EXPECT_EQ(reply.usage.input, 36);
    EXPECT_EQ(reply.usage.cached, 30);
    EXPECT_EQ(reply.usage.output, 5);
}

TEST(anthropic_reply, is_echoed_unchanged_to_the_same_model_only) {
    auto reply = read_reply(thinking_reply, self).value().reply;
    auto message = calling(reply.calls, reply.text);
    message.provider_state = reply.provider_state;
    chat_request request;
    request.messages = {user("x"), message, result("toolu_1", "2")};

    auto same = request_body(request, options(), self).at("messages").at(1).at("content");
    auto other =
        request_body(request, options(), "anthropic/another").at("messages").at(1).at("content");

    EXPECT_EQ(
        same,
        json_of(R"([
        {"type":"thinking","thinking":"","signature":"c2ln"},
        {"type":"text","text":"Let me look.","citations":null},
        {"type":"shiny_new_block","data":[1,2]},
        {"type":"tool_use","id":"toolu_1","name":"add","input":{"a":1},"caller":{"type":"direct"}}])"
        )
    );
    EXPECT_EQ(other, json_of(R"([
        {"type":"text","text":"Let me look."},
        {"type":"tool_use","id":"toolu_1","name":"add","input":{"a":1}}])"));
}

TEST(anthropic_reply, needs_no_echo_when_text_and_calls_say_it_all) {
    auto reply = read_reply(
        R"({"content":[{"type":"text","text":"hm"},{"type":"tool_use","id":"t","name":"add","input":{}}]})",
        self
    );

    EXPECT_TRUE(reply.value().reply.provider_state.is_null());
}

TEST(anthropic_reply, tells_why_it_stopped) {
    struct row {
        std::string_view reason;
        stop_reason stop;
        bool paused;
    };
    for (auto [reason, stop, paused] :
         {row{"end_turn", stop_reason::end, false},
          row{"stop_sequence", stop_reason::end, false},
          row{"max_tokens", stop_reason::length, false},
          row{"model_context_window_exceeded", stop_reason::length, false},
          row{"refusal", stop_reason::refusal, false},
          row{"pause_turn", stop_reason::end, true},
          row{"something_new", stop_reason::end, false}}) {
        auto read = read_reply(
            R"({"content":[{"type":"text","text":"words"}],"stop_reason":")" + std::string(reason) +
                "\"}",
            self
        );
        EXPECT_EQ(read.value().reply.stop, stop) << reason;
        EXPECT_EQ(read.value().paused, paused) << reason;
        EXPECT_EQ(read.value().reply.text.empty(), stop == stop_reason::refusal) << reason;
    }
}

TEST(anthropic_reply, drops_the_character_that_the_database_refuses) {
    auto read = read_reply(
        R"({"content":[{"type":"text","text":"a\u0000b"},
            {"type":"tool_use","id":"t","name":"add","input":{"k\u0000ey":"v\u0000"}}]})",
        self
    );

    EXPECT_EQ(read.value().reply.text, "ab");
    EXPECT_EQ(read.value().reply.calls[0].arguments, json_of(R"({"key":"v"})"));
}

TEST(anthropic_reply, that_is_no_message_is_invalid) {
    for (auto body : {"", "not json", "[]", "{}", R"({"content":"text"})", R"({"type":"error"})"})
        EXPECT_EQ(read_reply(body, self).error().code, base::errc::invalid) << body;
}

} // namespace
} // namespace postrider::agent::anthropic
