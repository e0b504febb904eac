#include "agent/models/anthropic_wire.hpp"
#include "base/json/json.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::anthropic::anthropic_wire_test {
namespace {

constexpr std::string_view self = "anthropic/claude-test";

boost::json::value json_of(std::string_view text) {
    return base::parse_json(text).value();
}

boost::json::object request_json(chat_request const& request, wire_peer const& to) {
    return json_of(request_body(request, to)).as_object();
}

model_options options() {
    model_options settings;
    settings.provider = "anthropic";
    settings.model = "claude-test";
    return settings;
}

chat_message user(std::string text) {
    return {.role = role::user, .content = std::move(text)};
}

chat_message calling(std::vector<tool_call> calls, std::string text = "") {
    return {.role = role::assistant, .content = std::move(text), .calls = std::move(calls)};
}

chat_message result(std::string id, std::string text, bool is_error = false) {
    chat_message message{.role = role::tool, .content = std::move(text)};
    message.call_id = std::move(id);
    message.is_error = is_error;
    return message;
}

tool_call add(std::string id) {
    return {std::move(id), "add", boost::json::object{{"a", 1}}, {}};
}

boost::json::value messages_of(std::vector<chat_message> messages) {
    chat_request request;
    request.messages = std::move(messages);
    return request_json(request, {options(), self}).at("messages");
}

TEST(anthropic_request, is_what_the_api_wants) {
    chat_request request;
    request.system = "Be brief.";
    request.messages = {user("Hello")};
    request.tools = {{"add", "Adds.", {{"type", "object"}}}};
    request.max_tokens = 100;

    EXPECT_EQ(request_json(request, {options(), self}), json_of(R"({
        "model":"claude-test","max_tokens":100,
        "system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],
        "tools":[{"name":"add","description":"Adds.","input_schema":{"type":"object"},
                  "cache_control":{"type":"ephemeral"}}],
        "tool_choice":{"type":"auto"},
        "messages":[{"role":"user","content":[{"type":"text","text":"Hello",
                                               "cache_control":{"type":"ephemeral"}}]}]})"));
}

TEST(anthropic_request, leaves_out_what_is_empty_and_bounds_the_tokens) {
    chat_request request;
    request.messages = {user("Hello")};
    request.max_tokens = 1'000'000;

    auto body = request_json(request, {options(), self});

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

    auto body = request_json(request, {options(), self});

    EXPECT_EQ(body.at("tool_choice"), json_of(R"({"type":"none"})"));
    EXPECT_TRUE(body.contains("tools"));
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
        {"role":"user","content":[{"type":"text","text":"1+1 and 2+2"}]},
        {"role":"assistant","content":[{"type":"text","text":"Let me see"},
            {"type":"tool_use","id":"t1","name":"add","input":{"a":1}},
            {"type":"tool_use","id":"t2","name":"add","input":{"a":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"2"},
            {"type":"tool_result","tool_use_id":"t2","content":"no","is_error":true}]},
        {"role":"user","content":[{"type":"text","text":"and?",
                                   "cache_control":{"type":"ephemeral"}}]}])"));
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
        {"role":"user","content":[{"type":"text","text":"(earlier messages are left out)"}]},
        {"role":"assistant","content":[{"type":"text","text":"I was first"}]},
        {"role":"user","content":[{"type":"text","text":"Oh"}]},
        {"role":"assistant","content":[{"type":"tool_use","id":"t","name":"add","input":{"a":1}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t",
                                   "cache_control":{"type":"ephemeral"}}]}])json"));
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

    auto body = request_json(request, {options(), self});

    EXPECT_EQ(body.at("system").at(0).at("text"), "Be brief.\n\nIt rains.");
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
    auto reply = read_reply(thinking_reply, {options(), self}).value().reply;

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

TEST(anthropic_reply, counts_no_more_tokens_than_a_call_can_use) {
    auto const reply = read_reply(
        R"({"type":"message","content":[],"stop_reason":"end_turn","usage":{
            "input_tokens":9223372036854775807,"cache_read_input_tokens":9223372036854775807,
            "output_tokens":-1}})",
        {options(), self}
    );
    ASSERT_TRUE(reply);
    EXPECT_EQ(reply->reply.usage.input, 2'000'000'000'000);
    EXPECT_EQ(reply->reply.usage.output, 0);
}

TEST(anthropic_reply, is_echoed_unchanged_to_the_same_model_only) {
    auto reply = read_reply(thinking_reply, {options(), self}).value().reply;
    auto message = calling(reply.calls, reply.text);
    message.provider_state = reply.provider_state;
    chat_request request;
    request.messages = {user("x"), message, result("toolu_1", "2")};

    auto same = request_json(request, {options(), self}).at("messages").at(1).at("content");
    auto other =
        request_json(request, {options(), "anthropic/another"}).at("messages").at(1).at("content");

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
        {options(), self}
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
          row{"pause_turn", stop_reason::length, true},
          row{"something_new", stop_reason::broken_off, false}}) {
        auto read = read_reply(
            R"({"content":[{"type":"text","text":"words"}],"stop_reason":")" + std::string(reason) +
                "\"}",
            {options(), self}
        );
        EXPECT_EQ(read.value().reply.stop, stop) << reason;
        EXPECT_EQ(read.value().paused, paused) << reason;
        EXPECT_EQ(read.value().reply.text.empty(), stop == stop_reason::refusal) << reason;
    }
}

TEST(anthropic_reply, drops_the_character_that_the_database_refuses_from_what_is_said) {
    auto read = read_reply(R"({"content":[{"type":"text","text":"a\u0000b"}]})", {options(), self});

    EXPECT_EQ(read.value().reply.text, "ab");
}

// Without it "1\u00002" would be another number.
TEST(anthropic_reply, leaves_no_call_to_be_run_whose_arguments_hold_that_character) {
    auto read = read_reply(
        R"({"content":[{"type":"tool_use","id":"t","name":"add","input":{"a":"1\u00002"}}]})",
        {options(), self}
    );

    auto const& call = read.value().reply.calls.at(0);
    EXPECT_TRUE(call.arguments.is_null());
    EXPECT_EQ(call.raw, R"({"a":"1\u00002"})");
    EXPECT_EQ(unusable_arguments(call), "the character U+0000 in the arguments cannot be stored");
}

TEST(anthropic_request, sends_a_temperature_only_where_it_is_taken) {
    chat_request request;
    request.messages = {user("Hello")};
    request.temperature = 0.5;
    struct row {
        std::string_view version;
        std::string_view model;
        bool sent;
    };
    for (auto [version, model, sent] :
         {row{"", "claude-haiku-4-5", false},
          row{"2026-10-21", "claude-haiku-4-5", false},
          row{"2023-06-01", "claude-haiku-4-5", true},
          row{"2023-06-01", "claude-opus-4-6", true},
          row{"2023-06-01", "claude-opus-4-7", false},
          row{"2023-06-01", "claude-sonnet-5-5", false},
          row{"2023-06-01", "claude-next", false}}) {
        auto with = options();
        with.version = version;
        with.model = model;
        EXPECT_EQ(request_json(request, {with, self}).contains("temperature"), sent)
            << version << ' ' << model;
    }
}

// What is left of a request without the note at its end and the marks, which providers do not count.
boost::json::array kept_messages(chat_request const& request) {
    auto messages = request_json(request, {options(), self}).at("messages").as_array();
    for (auto& message : messages)
        for (auto& block : message.at("content").as_array())
            block.as_object().erase("cache_control");
    messages.back().at("content").as_array().pop_back();
    return messages;
}

TEST(anthropic_request, begins_with_what_was_sent_before) {
    chat_request request;
    request.messages = {user("1+1?")};
    request.trailing_context = "(It is noon.)";
    auto const first = kept_messages(request);
    request.messages.push_back(calling({add("t1")}));
    request.messages.push_back(result("t1", "2"));
    request.trailing_context = "(It is one.)";
    auto const second = kept_messages(request);
    request.messages.push_back(calling({}, "2."));
    request.messages.push_back(user("And 2+2?"));
    auto const third = kept_messages(request);

    ASSERT_EQ(second.size(), 3u);
    ASSERT_EQ(third.size(), 5u);
    EXPECT_TRUE(std::equal(first.begin(), first.end(), second.begin()));
    EXPECT_TRUE(std::equal(second.begin(), second.end(), third.begin()));
}

TEST(anthropic_request, says_last_and_without_a_mark_what_holds_only_now) {
    chat_request request;
    request.messages = {user("1+1?"), calling({add("t1")}), result("t1", "2")};
    request.trailing_context = "(It is noon.)";

    auto const body = request_json(request, {options(), self});

    EXPECT_EQ(body.at("messages").as_array().back().at("content"), json_of(R"json([
        {"type":"tool_result","tool_use_id":"t1","content":"2",
         "cache_control":{"type":"ephemeral"}},
        {"type":"text","text":"(It is noon.)"}])json"));
}

// The last one may be longer in the next request: then the one before it is what was kept.
// covers: X.21 S4.08
TEST(anthropic_request, marks_the_last_two_pieces_of_a_question) {
    chat_request request;
    request.messages = {user("one"), user("two"), user("three")};
    request.trailing_context = "(It is noon.)";

    auto const body = request_json(request, {options(), self});

    EXPECT_EQ(body.at("messages"), json_of(R"json([
        {"role":"user","content":[{"type":"text","text":"one"}]},
        {"role":"user","content":[{"type":"text","text":"two","cache_control":{"type":"ephemeral"}}]},
        {"role":"user","content":[{"type":"text","text":"three","cache_control":{"type":"ephemeral"}},
                                  {"type":"text","text":"(It is noon.)"}]}])json"));
}

TEST(anthropic_request, has_its_own_means_for_a_schema_that_they_take) {
    chat_request request;
    request.messages = {user("Hello")};
    request.answer_schema = json_of(R"({"type":"object","properties":{"age":{"type":"integer"}},
        "required":["age"],"additionalProperties":false})")
                                .as_object();
    request.tools = {{"strict", "", *request.answer_schema}, {"loose", "", {{"type", "object"}}}};

    auto const body = request_json(request, {options(), self});
    EXPECT_EQ(body.at("output_config").at("format").at("schema"), *request.answer_schema);
    EXPECT_EQ(body.at("tools").at(0).at("strict"), true);
    EXPECT_FALSE(body.at("tools").at(1).as_object().contains("strict"));

    request.answer_schema->at("properties").at("age").as_object()["minimum"] = 0;
    EXPECT_FALSE(request_json(request, {options(), self}).contains("output_config"));
}

TEST(anthropic_reply, that_is_no_message_is_worth_another_try) {
    for (auto body : {"", "not json", "[]", "{}", R"({"content":"text"})", R"({"type":"error"})"})
        EXPECT_EQ(read_reply(body, {options(), self}).error().code, base::errc::unavailable)
            << body;
}

} // namespace
} // namespace postrider::agent::anthropic::anthropic_wire_test
