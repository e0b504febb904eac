// Two turns of one conversation, the second with a history that is read back from rows: what the
// first one sent, the second sends again, byte for byte.
#include "agent/flow/chat/history.hpp"
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/reply_json.hpp"
#include "base/json/json.hpp"
#include "base/json/jsonb_form.hpp"
#include "base/json/text.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

namespace postrider::agent::prompt_prefix_test {
namespace {

namespace json = boost::json;

constexpr std::string_view self = "provider/model";
constexpr std::string_view earlier = "(It is noon.)";
constexpr std::string_view later = "(It is one.)";

// As the API answers to the first question: it thinks and calls a tool. Members stand in an order
// that jsonb does not keep.
constexpr std::string_view anthropic_reply = R"({"stop_reason":"tool_use","content":[
    {"type":"thinking","thinking":"Add.","signature":"c2ln"},
    {"type":"text","text":"Let me see."},
    {"type":"tool_use","name":"add","id":"t1","input":{"second":2.50,"a":1}}]})";
constexpr std::string_view responses_reply = R"({"status":"completed","output":[
    {"type":"reasoning","summary":[],"id":"rs_1","encrypted_content":"c2VhbGVk"},
    {"type":"function_call","name":"add","id":"fc_1","call_id":"t1",
     "arguments":"{\"second\":2.50,\"a\":1}"}]})";
constexpr std::string_view chat_reply_text = R"({"choices":[{"finish_reason":"tool_calls","message":
    {"content":"Let me see.","tool_calls":[{"type":"function","id":"t1","function":
     {"name":"add","arguments":"{\"second\":2.50,\"a\":1}"}}]}}]})";

struct way {
    char const* name;
    std::string (*body)(chat_request const& request, wire_peer const& to);
    base::result<wire_reply> (*read)(std::string_view body, wire_peer const& from);
    std::string_view reply;
    char const* messages; // the member that holds them
    bool is_vendor = true;
};

class prompt_prefix : public testing::TestWithParam<way> {
protected:
    // What providers do not count is left out: a mark for the cache. So is the time, which is said
    // last.
    std::vector<std::string> sent(chat_request request, std::string_view note) const {
        request.trailing_context = note;
        auto const body =
            base::parse_json(GetParam().body(request, {options_, self, GetParam().is_vendor}))
                .value();
        std::vector<std::string> texts;
        for (auto message : body.at(GetParam().messages).as_array()) {
            auto* content = message.as_object().if_contains("content");
            if (auto* blocks = content ? content->if_array() : nullptr)
                for (auto& block : *blocks) block.as_object().erase("cache_control");
            texts.push_back(base::json_text(message));
        }
        cut_note(texts, note);
        return texts;
    }

    static void cut_note(std::vector<std::string>& texts, std::string_view note) {
        auto& last = texts.back();
        auto const at = last.find(note);
        ASSERT_NE(at, last.npos) << "the last block tells the time: " << last;
        for (std::string const& whole :
             {R"({"role":"system","content":")" + std::string(note) + R"("})",
              R"(,{"type":"text","text":")" + std::string(note) + R"("})",
              "\\n\\n" + std::string(note)})
            if (auto const begin = last.find(whole); begin != last.npos) {
                last.erase(begin, whole.size());
                break;
            }
        if (last.empty()) texts.pop_back();
    }

    // What a step answers when its record is read, or was just made.
    chat_reply recorded(std::string_view answer) const {
        auto reply = GetParam().read(answer, {options_, self, GetParam().is_vendor}).value().reply;
        return reply_from_json(to_json(reply)).value();
    }

    // As the database gives the row back.
    static chat_message stored(chat_message const& message) {
        auto row = row_from(message);
        row.detail = base::parse_json(json::serialize(row.detail)).value();
        base::to_jsonb_form(row.detail);
        return message_from(row);
    }

    model_options options_ = [] {
        model_options options;
        options.model = "gpt-6-luna";
        return options;
    }();
};

INSTANTIATE_TEST_SUITE_P(
    all,
    prompt_prefix,
    testing::Values(
        way{"anthropic",
            anthropic::request_body,
            anthropic::read_reply,
            anthropic_reply,
            "messages"},
        way{"openai_responses",
            openai::responses_body,
            openai::read_response,
            responses_reply,
            "input"},
        way{"openai_chat", openai::chat_body, openai::read_completion, chat_reply_text, "messages"},
        way{"compatible_chat",
            openai::chat_body,
            openai::read_completion,
            chat_reply_text,
            "messages",
            false}
    ),
    [](auto const& named) { return std::string(named.param.name); }
);

void expect_prefix(std::vector<std::string> const& before, std::vector<std::string> const& after) {
    ASSERT_GT(after.size(), before.size());
    for (std::size_t i = 0; i < before.size(); ++i) EXPECT_EQ(after[i], before[i]);
}

// covers: X.21
TEST_P(prompt_prefix, is_the_same_in_the_next_turn) {
    chat_request request;
    request.system = "Be brief.";
    request.tools = {{"add", "Adds.", {{"type", "object"}}}};
    request.messages = {{.role = role::user, .content = "1 + 2.5?"}};
    auto const question = sent(request, earlier);
    auto reply = recorded(GetParam().reply);
    chat_message asking{.role = role::assistant, .content = reply.text, .calls = reply.calls};
    asking.provider_state = reply.provider_state;
    request.messages.push_back(asking);
    request.messages.push_back(result_of(reply.calls.at(0), "3.5", false));
    auto const round = sent(request, earlier);

    request.messages.push_back({.role = role::assistant, .content = "It is 3.5."});
    for (auto& message : request.messages) message = stored(message);
    request.messages.push_back({.role = role::user, .content = "Thanks. And 2 + 2?"});
    auto const next = sent(request, later);

    expect_prefix(question, round);
    expect_prefix(round, next);
}

} // namespace
} // namespace postrider::agent::prompt_prefix_test
