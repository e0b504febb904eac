// What a model said comes back in every later request of its conversation: nothing in it may be refused.
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/reply_json.hpp"
#include "base/json/json.hpp"
#include "base/json/text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::replayed_calls_test {
namespace {

namespace json = boost::json;
using testing::Each;
using testing::ElementsAre;
using testing::MatchesRegex;
using testing::SizeIs;

constexpr std::string_view self = "provider/model";

json::value json_of(std::string_view text) {
    return base::parse_json(text).value();
}

struct peer {
    std::string_view name;
    std::string (*body)(chat_request const&, wire_peer const&);
    bool is_vendor;
    base::result<wire_reply> (*read)(std::string_view, wire_peer const&);
    std::string_view reply; // with one call, whose arguments are ARGUMENTS
};

class replayed_calls : public testing::TestWithParam<peer> {
protected:
    json::object request(chat_request const& request) const {
        wire_peer const to{options_, self, GetParam().is_vendor};
        return json_of(GetParam().body(request, to)).as_object();
    }
    // The request behind that message and the results of its calls.
    json::array sent(chat_message const& said) const {
        chat_request request;
        request.messages = {{.role = role::user, .content = "x"}, said};
        for (auto const& call : said.calls) {
            chat_message result{.role = role::tool, .content = "no such tool", .is_error = true};
            result.call_id = call.id;
            request.messages.push_back(result);
        }
        auto const body = this->request(request);
        return body.at(body.contains("input") ? "input" : "messages").as_array();
    }
    static chat_message calling(std::string tool, json::value arguments, std::string raw = "") {
        chat_message said{.role = role::assistant, .content = "\n\n \u00a0"};
        said.calls = {{"c1", std::move(tool), std::move(arguments), std::move(raw)}};
        return said;
    }
    // Names and arguments of all calls, wherever the API has them.
    static void collect(
        json::value const& within, std::vector<std::string>& names, json::array& inputs
    ) {
        if (auto const* items = within.if_array())
            for (auto const& item : *items) collect(item, names, inputs);
        auto const* members = within.if_object();
        if (!members) return;
        if (auto const* name = members->if_contains("name")) {
            names.emplace_back(name->as_string());
            auto const* text = members->if_contains("arguments");
            inputs.push_back(text ? *text : members->at("input"));
        }
        for (auto const& member : *members) collect(member.value(), names, inputs);
    }
    std::vector<std::string> names_of(chat_message const& said) const {
        std::vector<std::string> names;
        json::array inputs;
        collect(sent(said), names, inputs);
        return names;
    }
    json::value arguments_of(chat_message const& said) const {
        std::vector<std::string> names;
        json::array inputs;
        collect(sent(said), names, inputs);
        return inputs.at(0);
    }

    model_options options_;
};

constexpr std::string_view anthropic_reply =
    R"({"content":[{"type":"tool_use","id":"t","name":"f","input":ARGUMENTS}]})";
constexpr std::string_view responses_reply =
    R"({"output":[{"type":"function_call","call_id":"t","name":"f","arguments":ARGUMENTS}]})";
constexpr std::string_view completion =
    R"({"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":ARGUMENTS}}]}}]})";

INSTANTIATE_TEST_SUITE_P(
    all,
    replayed_calls,
    testing::Values(
        peer{"anthropic", anthropic::request_body, true, anthropic::read_reply, anthropic_reply},
        peer{"responses", openai::responses_body, true, openai::read_response, responses_reply},
        peer{
            "other_responses",
            openai::responses_body,
            false,
            openai::read_response,
            responses_reply},
        peer{"chat", openai::chat_body, true, openai::read_completion, completion},
        peer{"compatible", openai::chat_body, false, openai::read_completion, completion}
    ),
    [](auto const& named) { return std::string(named.param.name); }
);

TEST_P(replayed_calls, have_names_that_are_taken) {
    json::object const none;
    EXPECT_THAT(names_of(calling("add-1_B", none)), ElementsAre("add-1_B"));
    EXPECT_THAT(
        names_of(calling("multi_tool_use.parallel", none)), ElementsAre("multi_tool_use_parallel")
    );
    EXPECT_THAT(names_of(calling("", none)), ElementsAre("unknown"));
    auto const cut = names_of(calling(std::string(63, 'n') + "größer", none));
    EXPECT_THAT(cut, ElementsAre(std::string(63, 'n') + "g"));
    EXPECT_THAT(names_of(calling("größer\n", none)), Each(MatchesRegex("[A-Za-z0-9_-]+")));
}

TEST_P(replayed_calls, have_arguments_that_are_taken) {
    auto const whole = arguments_of(calling("add", json_of(R"({"a":1})")));
    EXPECT_EQ(whole.is_string() ? json_of(whole.as_string()) : whole, json_of(R"({"a":1})"));
    for (std::string_view const raw : {"{oops", "[1]", R"({"a":"\u0000"})"}) {
        auto const broken = arguments_of(calling("add", nullptr, std::string(raw)));
        if (broken.is_object())
            EXPECT_EQ(broken, json_of("{}"));
        else
            EXPECT_EQ(broken, json::value(GetParam().is_vendor ? raw : "{}"));
    }
}

TEST_P(replayed_calls, come_without_a_text_that_is_blank) {
    auto const messages = sent(calling("add", json::object{}));
    EXPECT_EQ(base::json_text(messages).find("\\n"), std::string::npos);
    chat_message const only_blank{.role = role::assistant, .content = " \t\n"};
    EXPECT_THAT(sent(only_blank), SizeIs(1)) << "the question alone";
}

// What is used at once is what is read from the record later.
TEST_P(replayed_calls, have_whole_numbers_as_integers_from_the_beginning) {
    auto answer = std::string(GetParam().reply);
    answer.replace(answer.find("ARGUMENTS"), 9, R"({"task_id":5.0,"far":1e16,"part":2.5})");

    auto const reply = GetParam().read(answer, {options_, self}).value().reply;

    auto const& arguments = reply.calls.at(0).arguments;
    EXPECT_TRUE(arguments.at("task_id").is_int64());
    EXPECT_TRUE(arguments.at("far").is_int64());
    auto const recorded = json_of(base::json_text(to_json(reply)));
    EXPECT_EQ(reply_from_json(recorded).value().calls.at(0).arguments, arguments);
}

chat_message echoing(std::string_view blocks) {
    chat_message said{.role = role::assistant, .content = "Well."};
    said.provider_state = json::object{{"model", self}, {"blocks", json_of(blocks)}};
    return said;
}

TEST(echoed_blocks, leave_out_what_anthropic_says_and_refuses_to_hear) {
    chat_request request;
    request.messages = {{.role = role::user, .content = "x"}, echoing(R"([
        {"type":"thinking","thinking":" ","signature":"c2ln"},
        {"type":"text","text":"\n\n"},
        {"type":"text","text":" Let me see. "},
        {"type":"tool_use","id":"t1","name":"","input":{"a":1},"caller":{"type":"direct"}},
        {"type":"tool_use","id":"t2","name":"a.b","input":"oops"}])")};
    model_options const options;

    auto const body = json_of(anthropic::request_body(request, {options, self}));

    EXPECT_EQ(body.at("messages").at(1).at("content"), json_of(R"([
        {"type":"thinking","thinking":" ","signature":"c2ln"},
        {"type":"text","text":" Let me see. "},
        {"type":"tool_use","id":"t1","name":"unknown","input":{"a":1},"caller":{"type":"direct"}},
        {"type":"tool_use","id":"t2","name":"a_b","input":{}}])"));
}

TEST(echoed_blocks, of_the_responses_api_have_calls_that_are_taken) {
    chat_request request;
    request.messages = {echoing(R"([
        {"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"c2VhbGVk"},
        {"type":"function_call","id":"fc_1","call_id":"c1","name":"a.b","arguments":"{\"b\": 1.0}"},
        {"type":"function_call","id":"fc_2","call_id":"c2","name":"add","arguments":"{oops"}])")};
    model_options const options;
    auto const arguments = [&](bool is_vendor, std::size_t item) {
        auto const body = json_of(openai::responses_body(request, {options, self, is_vendor}));
        EXPECT_EQ(body.at("input").at(1).at("name"), "a_b");
        EXPECT_EQ(body.at("input").at(0).at("encrypted_content"), "c2VhbGVk");
        return body.at("input").at(item).at("arguments");
    };

    EXPECT_EQ(arguments(true, 1), R"({"b": 1.0})");
    EXPECT_EQ(arguments(false, 1), R"({"b": 1.0})");
    EXPECT_EQ(arguments(true, 2), "{oops");
    EXPECT_EQ(arguments(false, 2), "{}");
}

// A prompt, a person's message or a result of nothing but white space.
TEST(blank_texts, are_left_out_wherever_anthropic_refuses_them) {
    chat_request request;
    request.system = " \n";
    chat_message called{.role = role::assistant};
    called.calls = {{"t", "add", json::object{}, {}}};
    chat_message result{.role = role::tool, .content = "\n"};
    result.call_id = "t";
    request.messages = {
        {.role = role::user, .content = "x"},
        called,
        result,
        {.role = role::user, .content = "\t"}};
    model_options const options;

    auto const body = json_of(anthropic::request_body(request, {options, self}));

    EXPECT_FALSE(body.as_object().contains("system"));
    auto const& messages = body.at("messages").as_array();
    ASSERT_THAT(messages, SizeIs(3));
    EXPECT_FALSE(messages[2].at("content").at(0).as_object().contains("content"));
}

} // namespace
} // namespace postrider::agent::replayed_calls_test
