#include "agent/models/openai_wire.hpp"
#include "base/json/json.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::openai::openai_wire_test {
namespace {

constexpr std::string_view self = "openai/gpt-test";

boost::json::value json_of(std::string_view text) {
    return base::parse_json(text).value();
}

boost::json::object responses_json(chat_request const& request, wire_peer const& to) {
    return json_of(responses_body(request, to)).as_object();
}
boost::json::object chat_json(chat_request const& request, wire_peer const& to) {
    return json_of(chat_body(request, to)).as_object();
}

model_options options(std::string model = "gpt-test") {
    model_options settings;
    settings.provider = "openai";
    settings.model = std::move(model);
    return settings;
}

// A question, two parallel calls and their results, the second an error.
chat_request tool_round() {
    chat_request request;
    request.system = "Be brief.";
    request.tools = {{"add", "Adds.", {{"type", "object"}}}};
    request.max_tokens = 100;
    chat_message asking{.role = role::assistant, .content = "Let me see"};
    asking.calls = {
        {"c1", "add", boost::json::object{{"a", 1}}, {}}, {"c2", "add", nullptr, "{oops"}};
    chat_message good{.role = role::tool, .content = "2"};
    good.call_id = "c1";
    chat_message bad{.role = role::tool, .content = "no JSON"};
    bad.call_id = "c2";
    bad.is_error = true;
    request.messages = {{.role = role::user, .content = "1+1"}, asking, good, bad};
    return request;
}

TEST(responses_request, is_what_the_api_wants) {
    EXPECT_EQ(responses_json(tool_round(), {options(), self}), json_of(R"({
        "model":"gpt-test","store":false,"max_output_tokens":100,"instructions":"Be brief.",
        "tools":[{"type":"function","name":"add","description":"Adds.","parameters":{"type":"object","properties":{}},"strict":false}],
        "tool_choice":"auto",
        "input":[{"role":"user","content":"1+1"},{"role":"assistant","content":"Let me see"},
            {"type":"function_call","call_id":"c1","name":"add","arguments":"{\"a\":1}"},
            {"type":"function_call","call_id":"c2","name":"add","arguments":"{oops"},
            {"type":"function_call_output","call_id":"c1","output":"2"},
            {"type":"function_call_output","call_id":"c2","output":"error: no JSON"}]})"));
}

TEST(responses_request, asks_for_reasoning_only_where_there_is_some) {
    EXPECT_TRUE(responses_json(tool_round(), {options("gpt-6-luna"), self}).contains("include"));
    EXPECT_TRUE(responses_json(tool_round(), {options("o3"), self}).contains("include"));
    EXPECT_FALSE(responses_json(tool_round(), {options("gpt-4o-mini"), self}).contains("include"));
    EXPECT_FALSE(
        responses_json(tool_round(), {options("gpt-5-chat-latest"), self}).contains("include")
    );
    EXPECT_FALSE(responses_json(tool_round(), {options("llama3"), self}).contains("include"));
}

TEST(responses_reply, reads_text_calls_and_usage) {
    auto reply = read_response(
                     R"({"status":"completed","model":"gpt-test-2026","error":null,"output":[
        {"type":"reasoning","id":"rs_1","summary":[]},{"type":"novelty"},
        {"type":"message","role":"assistant","content":[{"type":"output_text","text":"A","annotations":[]},
                                                        {"type":"output_text","text":"B"}]},
        {"type":"function_call","id":"fc_1","call_id":"call_1","name":"add","arguments":"{\"a\":1}"}],
        "usage":{"input_tokens":12,"input_tokens_details":{"cached_tokens":4},"output_tokens":3}})",
                     {options(), self}
    )
                     .value()
                     .reply;

    EXPECT_EQ(reply.text, "AB");
    ASSERT_EQ(reply.calls.size(), 1u);
    EXPECT_EQ(reply.calls[0].id, "call_1"); // not the item's own id
    EXPECT_EQ(reply.calls[0].arguments, json_of(R"({"a":1})"));
    EXPECT_EQ(reply.stop, stop_reason::tool_calls);
    EXPECT_EQ(reply.usage.input, 12);
    EXPECT_EQ(reply.usage.cached, 4);
    EXPECT_EQ(reply.usage.output, 3);
    EXPECT_TRUE(reply.provider_state.is_null()); // that reasoning cannot be sent back
}

TEST(responses_reply, is_echoed_with_encrypted_reasoning_to_the_same_model_only) {
    constexpr std::string_view items = R"([
        {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2VhbGVk"},
        {"type":"function_call","id":"fc_1","call_id":"c1","name":"add","arguments":"{}"}])";
    auto reply =
        read_response(
            R"({"status":"completed","output":)" + std::string(items) + "}", {options(), self}
        )
            .value()
            .reply;
    chat_request request;
    chat_message message{.role = role::assistant, .content = {}, .calls = reply.calls};
    message.provider_state = reply.provider_state;
    request.messages = {message};

    EXPECT_EQ(responses_json(request, {options(), self}).at("input"), json_of(items));
    EXPECT_EQ(
        responses_json(request, {options(), "openai/other"}).at("input"),
        json_of(R"([{"type":"function_call","call_id":"c1","name":"add","arguments":"{}"}])")
    );
}

TEST(responses_reply, tells_why_it_stopped) {
    auto stop = [](std::string_view body) {
        return read_response(body, {options("m"), self}).value().reply.stop;
    };

    EXPECT_EQ(stop(R"({"status":"completed","output":[]})"), stop_reason::end);
    EXPECT_EQ(stop(R"({"output":[]})"), stop_reason::end);
    EXPECT_EQ(
        stop(
            R"({"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]})"
        ),
        stop_reason::length
    );
    EXPECT_EQ(
        stop(
            R"({"status":"incomplete","incomplete_details":{"reason":"content_filter"},"output":[]})"
        ),
        stop_reason::refusal
    );
    EXPECT_EQ(
        stop(
            R"({"status":"completed","output":[{"type":"message","content":[{"type":"refusal","refusal":"No"}]}]})"
        ),
        stop_reason::refusal
    );
}

TEST(responses_reply, that_failed_is_an_error) {
    struct row {
        std::string_view body;
        base::errc code;
    };
    for (auto [body, code] :
         {row{R"({"status":"failed","error":{"code":"rate_limit_exceeded","message":"m"}})",
              base::errc::rate_limited},
          row{R"({"status":"failed","error":{"code":"server_error","message":"m"}})",
              base::errc::unavailable},
          row{R"({"status":"failed","error":{"code":"invalid_prompt","message":"m"}})",
              base::errc::invalid},
          row{R"({"status":"failed","error":null})", base::errc::unavailable},
          row{R"({"status":"in_progress"})", base::errc::unavailable},
          row{R"({"status":"completed"})", base::errc::unavailable},
          row{R"({"error":"out of memory"})", base::errc::unavailable},
          row{"", base::errc::unavailable},
          row{"[1]", base::errc::unavailable}})
        EXPECT_EQ(read_response(body, {options("m"), self}).error().code, code) << body;
}

TEST(chat_completions_request, is_what_compatible_servers_want) {
    EXPECT_EQ(chat_json(tool_round(), {options(), self, false}), json_of(R"({
        "model":"gpt-test","max_tokens":100,"tool_choice":"auto",
        "tools":[{"type":"function","function":{"name":"add","description":"Adds.","parameters":{"type":"object","properties":{}}}}],
        "messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"1+1"},
            {"role":"assistant","content":"Let me see","tool_calls":[
                {"id":"c1","type":"function","function":{"name":"add","arguments":"{\"a\":1}"}},
                {"id":"c2","type":"function","function":{"name":"add","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"c1","content":"2"},
            {"role":"tool","tool_call_id":"c2","content":"error: no JSON"}]})"));
}

TEST(responses_request, begins_with_what_was_sent_before) {
    auto request = tool_round();
    request.trailing_context = "(It is noon.)";
    auto first = responses_json(request, {options(), self});
    request.messages.push_back({.role = role::assistant, .content = "2."});
    request.messages.push_back({.role = role::user, .content = "And 2+2?"});
    request.trailing_context = "(It is one.)";
    auto second = responses_json(request, {options(), self});

    auto const note = first.at("input").as_array().back();
    EXPECT_EQ(note, json_of(R"json({"role":"system","content":"(It is noon.)"})json"));
    first.at("input").as_array().pop_back();
    auto const& sent = first.at("input").as_array();
    auto const& sent_next = second.at("input").as_array();
    ASSERT_EQ(sent_next.size(), sent.size() + 3);
    EXPECT_TRUE(std::equal(sent.begin(), sent.end(), sent_next.begin()));
    EXPECT_EQ(first.at("instructions"), second.at("instructions"));
}

// covers: S1.06
TEST(openai_requests, leave_a_temperature_out_where_it_is_refused) {
    auto request = tool_round();
    request.temperature = 0.5;

    EXPECT_TRUE(responses_json(request, {options("gpt-4o"), self}).contains("temperature"));
    EXPECT_FALSE(responses_json(request, {options("gpt-6-sol"), self}).contains("temperature"));
    EXPECT_TRUE(chat_json(request, {options("gpt-4o"), self}).contains("temperature"));
    EXPECT_FALSE(chat_json(request, {options("o3"), self}).contains("temperature"));
    EXPECT_TRUE(chat_json(request, {options("gpt-5-copy"), self, false}).contains("temperature"));
}

TEST(openai_requests, have_their_own_means_for_a_schema) {
    auto request = tool_round();
    request.answer_schema = json_of(R"({"type":"object","properties":{"age":{"type":"integer"}},
        "required":["age"],"additionalProperties":false})")
                                .as_object();
    request.tools = {{"add", "", *request.answer_schema}};
    auto const format = json_of(R"({"name":"answer","strict":true,"schema":{"type":"object",
        "properties":{"age":{"type":"integer"}},"required":["age"],"additionalProperties":false}})"
    );

    auto const response = responses_json(request, {options(), self});
    EXPECT_EQ(response.at("text").at("format").at("type"), "json_schema");
    EXPECT_EQ(response.at("text").at("format").at("schema"), format.at("schema"));
    EXPECT_EQ(response.at("tools").at(0).at("strict"), true);
    auto const completion = chat_json(request, {options(), self});
    EXPECT_EQ(completion.at("response_format").at("json_schema"), format);
    EXPECT_EQ(completion.at("tools").at(0).at("function").at("strict"), true);

    request.answer_schema->erase("additionalProperties");
    EXPECT_EQ(
        chat_json(request, {options(), self}).at("response_format").at("json_schema").at("strict"),
        false
    );
}

TEST(openai_requests, have_no_strict_tool_whose_parameter_may_be_anything) {
    auto request = tool_round();
    auto parameters = json_of(R"({"type":"object","properties":{"a":{"type":"any"}},
        "required":["a"],"additionalProperties":false})");
    request.tools = {{"add", "", parameters.as_object()}};

    EXPECT_EQ(responses_json(request, {options(), self}).at("tools").at(0).at("strict"), false);
}

// OpenAI refuses a format whose root is no object; the prompt has the schema all the same.
TEST(openai_requests, have_no_format_for_what_is_no_object) {
    auto request = tool_round();
    request.answer_schema = json_of(R"({"type":"array"})").as_object();
    EXPECT_FALSE(responses_json(request, {options(), self}).contains("text"));
    EXPECT_FALSE(chat_json(request, {options(), self}).contains("response_format"));
}

// Their grammar would leave no room for a call.
TEST(chat_completions_request, asks_compatible_servers_for_a_format_only_without_tools) {
    auto request = tool_round();
    request.answer_schema = boost::json::object{{"type", "object"}};

    EXPECT_FALSE(chat_json(request, {options(), self, false}).contains("response_format"));
    request.choice = tool_choice::none;
    EXPECT_TRUE(chat_json(request, {options(), self, false}).contains("response_format"));
}

TEST(chat_completions_request, says_last_what_holds_only_now) {
    auto request = tool_round();
    request.trailing_context = "(It is noon.)";
    auto const note = json_of(R"json({"role":"system","content":"(It is noon.)"})json");

    auto const to_vendor = chat_json(request, {options(), self}).at("messages").as_array();
    auto const to_other = chat_json(request, {options(), self, false}).at("messages").as_array();

    ASSERT_EQ(to_vendor.size(), 6u);
    EXPECT_EQ(to_vendor.back(), note);
    EXPECT_EQ(to_vendor[4].at("content"), "error: no JSON");
    ASSERT_EQ(to_other.size(), 5u);
    EXPECT_EQ(to_other[1].at("content"), "1+1");
    EXPECT_EQ(to_other[4].at("content"), "error: no JSON\n\n(It is noon.)");
}

TEST(chat_completions_request, leaves_the_models_own_last_words_as_they_are) {
    chat_request request;
    request.messages = {{.role = role::assistant, .content = "Well"}};
    request.trailing_context = "(It is noon.)";

    auto const body = chat_json(request, {options(), self, false});

    EXPECT_EQ(body.at("messages").at(0).at("content"), "Well");
}

TEST(openai_requests, write_numbers_plainly_and_members_always_in_one_order) {
    auto const call = wire::call_from_text("c", "add", R"({"bb":0.5,"a":3.5,"c":{"y":1,"x":46}})");

    EXPECT_EQ(wire::arguments_text(call, true), R"({"a":3.5,"c":{"x":46,"y":1},"bb":0.5})");
}

TEST(openai_replies, leave_no_call_to_be_run_whose_arguments_hold_u_0000) {
    constexpr std::string_view arguments = R"({"expression":"1\u00002"})";
    auto const call = wire::call_from_text("c", "calculator", std::string(arguments));

    EXPECT_TRUE(call.arguments.is_null());
    EXPECT_EQ(call.raw, arguments);
    EXPECT_EQ(unusable_arguments(call), "the character U+0000 in the arguments cannot be stored");
}

TEST(chat_completions_request, names_the_limit_as_openai_does_where_it_goes_there) {
    auto body = chat_json(tool_round(), {options(), self, true});

    EXPECT_TRUE(body.contains("max_completion_tokens"));
    EXPECT_FALSE(body.contains("max_tokens"));
}

chat_reply completion(std::string_view message, std::string_view finish = "stop") {
    auto body = R"({"choices":[{"message":)" + std::string(message) + R"(,"finish_reason":")" +
                std::string(finish) + R"("}],"usage":{"prompt_tokens":5,"completion_tokens":2}})";
    return read_completion(body, {options("m"), self}).value().reply;
}

TEST(chat_completions_reply, reads_what_openai_sends) {
    auto reply = completion(
        R"({"role":"assistant","content":null,"refusal":null,"tool_calls":[{"id":"call_7","type":"function",
            "function":{"name":"add","arguments":"{\"a\":1}"}}]})",
        "tool_calls"
    );

    EXPECT_EQ(reply.text, "");
    EXPECT_EQ(reply.stop, stop_reason::tool_calls);
    EXPECT_EQ(reply.calls.at(0).id, "call_7");
    EXPECT_EQ(reply.calls.at(0).arguments, json_of(R"({"a":1})"));
    EXPECT_EQ(reply.usage.input, 5);
    EXPECT_EQ(reply.usage.output, 2);
}

TEST(chat_completions_reply, forgives_what_local_servers_do) {
    auto reply = completion(
        R"({"content":[{"type":"text","text":"hm"}],"reasoning_content":"secret","tool_calls":[
            {"function":{"name":"add","arguments":{"a":1}}},
            {"id":"","function":{"name":"add","arguments":"\"{\\\"a\\\":2}\""}},
            {"id":"x","function":{"name":"now","arguments":""}},
            {"id":"x","function":{"name":"now","arguments":"{broken"}}]})"
    );

    EXPECT_EQ(reply.text, "hm");
    EXPECT_EQ(reply.stop, stop_reason::tool_calls); // though it says stop
    ASSERT_EQ(reply.calls.size(), 4u);
    EXPECT_EQ(reply.calls[0].arguments, json_of(R"({"a":1})"));
    EXPECT_EQ(reply.calls[1].arguments, json_of(R"({"a":2})"));
    EXPECT_EQ(reply.calls[2].arguments, json_of("{}"));
    EXPECT_TRUE(reply.calls[3].arguments.is_null());
    EXPECT_EQ(reply.calls[3].raw, "{broken");
    std::set<std::string> ids;
    for (auto const& call : reply.calls) {
        EXPECT_FALSE(call.id.empty());
        EXPECT_TRUE(ids.insert(call.id).second) << call.id;
    }
}

TEST(chat_completions_reply, tells_why_it_stopped) {
    EXPECT_EQ(completion(R"({"content":"a"})", "length").stop, stop_reason::length);
    EXPECT_EQ(completion(R"({"content":"a"})", "content_filter").stop, stop_reason::refusal);
    EXPECT_EQ(completion(R"({"content":null,"refusal":"No"})").stop, stop_reason::refusal);
    EXPECT_EQ(completion(R"({"content":null,"refusal":"No"})").text, "No");
    EXPECT_EQ(completion(R"({"content":"a"})", "eos").stop, stop_reason::end);
}

TEST(chat_completions_reply, without_a_message_is_an_error) {
    for (auto body :
         {"",
          "null",
          "{}",
          R"({"choices":[]})",
          R"({"choices":[{}]})",
          R"({"choices":[{"message":"x"}]})"})
        EXPECT_EQ(read_completion(body, {options("m"), self}).error().code, base::errc::unavailable)
            << body;
    EXPECT_EQ(
        read_completion(R"({"error":{"code":"insufficient_quota"}})", {options("m"), self})
            .error()
            .code,
        base::errc::budget
    );
}

} // namespace
} // namespace postrider::agent::openai::openai_wire_test
