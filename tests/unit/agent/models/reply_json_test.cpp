#include "agent/flow/chat/history.hpp"
#include "agent/models/anthropic_wire.hpp"
#include "agent/models/openai_wire.hpp"
#include "agent/models/reply_json.hpp"
#include "base/json/json.hpp"
#include "tests/support/paths.hpp"

#include <boost/json/serialize.hpp>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace postrider::agent::reply_json_test {
namespace {

chat_reply full_reply() {
    chat_reply reply;
    reply.text = "Größe: \"5\"\n";
    reply.calls = {
        {"c1", "add", boost::json::object{{"a", 0.1}, {"b", boost::json::array{1, nullptr}}}, {}},
        {"c2", "add", nullptr, "{broken"}};
    reply.stop = stop_reason::tool_calls;
    reply.usage = {1, 2, 3'000'000'000};
    reply.model = "m-1";
    reply.provider_state = boost::json::object{{"model", "m"}, {"blocks", boost::json::array{1}}};
    return reply;
}

TEST(reply_json, reads_back_what_it_wrote_also_as_text) {
    for (auto const& reply : {full_reply(), chat_reply{}}) {
        auto written = to_json(reply);
        auto stored = base::parse_json(boost::json::serialize(written)).value();

        auto read = reply_from_json(stored).value();

        EXPECT_EQ(read.text, reply.text);
        EXPECT_EQ(read.stop, reply.stop);
        EXPECT_EQ(read.model, reply.model);
        EXPECT_EQ(read.usage.output, reply.usage.output);
        EXPECT_EQ(read.provider_state, reply.provider_state);
        ASSERT_EQ(read.calls.size(), reply.calls.size());
        for (std::size_t i = 0; i < read.calls.size(); ++i) {
            EXPECT_EQ(read.calls[i].id, reply.calls[i].id);
            EXPECT_EQ(read.calls[i].name, reply.calls[i].name);
            EXPECT_EQ(read.calls[i].arguments, reply.calls[i].arguments);
            EXPECT_EQ(read.calls[i].raw, reply.calls[i].raw);
        }
        EXPECT_EQ(to_json(read), written);
    }
}

TEST(reply_json, refuses_what_it_did_not_write) {
    for (auto text : {"null", "[]", "{}", R"({"text":"a"})", R"({"text":"a","stop":"whim"})"})
        EXPECT_FALSE(reply_from_json(base::parse_json(text).value())) << text;
}

TEST(history_rows, read_back_as_the_messages_they_were) {
    chat_message asking{.role = role::assistant, .content = "hm", .calls = full_reply().calls};
    auto answer = result_of(asking.calls[0], "no", true);

    auto asked = message_from(row_from(asking));
    auto answered = message_from(row_from(answer));

    EXPECT_EQ(asked.role, role::assistant);
    EXPECT_EQ(asked.content, "hm");
    EXPECT_EQ(to_json(asked.calls), to_json(asking.calls));
    EXPECT_EQ(answered.role, role::tool);
    EXPECT_EQ(answered.call_id, "c1");
    EXPECT_TRUE(answered.is_error);
    EXPECT_TRUE(row_from({.role = role::user, .content = "hi"}).detail.is_null());
}

TEST(history_rows, keep_a_providers_state_that_is_not_too_large) {
    chat_message thinking{.role = role::assistant, .content = "hm"};
    thinking.provider_state = full_reply().provider_state;
    auto too_much = thinking;
    too_much.calls = full_reply().calls;
    too_much.provider_state = boost::json::object{{"blocks", std::string(most_state, 'x')}};

    auto const row = row_from(too_much);

    EXPECT_EQ(message_from(row_from(thinking)).provider_state, thinking.provider_state);
    EXPECT_TRUE(message_from(row).provider_state.is_null());
    EXPECT_EQ(message_from(row).calls.size(), 2u);
}

model_options const anything;

std::string contents(std::filesystem::path const& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// Every reader gets the text as a whole answer, as a message's content and as a call's arguments.
void feed(std::string const& text) {
    auto const quoted = boost::json::serialize(boost::json::string(text));
    auto read_all = [](std::string const& body) {
        (void)anthropic::read_reply(body, {anything, "m"});
        (void)openai::read_response(body, {anything, "m"});
        (void)openai::read_completion(body, {anything, "m"});
    };
    read_all(text);
    read_all(R"({"content":)" + text + R"(,"output":)" + text + R"(,"choices":)" + text + "}");
    read_all(
        R"({"content":[)" + text + R"(],"output":[)" + text + R"(],"choices":[{"message":)" + text +
        "}]}"
    );
    read_all(
        R"({"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":)" + quoted +
        R"(}}]}}],"output":[{"type":"function_call","arguments":)" + text + "}]}"
    );
    auto call = wire::call_from_text("id", "f", text);
    if (call.arguments.is_null()) {
        EXPECT_EQ(call.raw, text);
    }
}

TEST(model_answers, of_any_bytes_are_values_or_errors) {
    std::filesystem::path const suite =
        std::filesystem::path(tests::source("../shared/data/json-parsing"));
    if (!std::filesystem::is_directory(suite)) GTEST_SKIP() << "no JSON samples at " << suite;
    int files = 0;
    for (auto const& entry : std::filesystem::directory_iterator(suite)) {
        if (entry.path().extension() != ".json") continue;
        SCOPED_TRACE(entry.path().filename());
        feed(contents(entry.path()));
        ++files;
    }
    EXPECT_GT(files, 100);
}

TEST(model_answers, cut_anywhere_are_errors) {
    std::string const whole =
        R"({"content":[{"type":"tool_use","id":"t","name":"f","input":{"a":[1,"\u00e9"]}}],)"
        R"("choices":[{"message":{"content":"x"}}],"output":[]})";
    for (std::size_t n = 0; n < whole.size(); ++n) {
        auto part = whole.substr(0, n);
        EXPECT_FALSE(anthropic::read_reply(part, {anything, "m"})) << part;
        EXPECT_FALSE(openai::read_response(part, {anything, "m"})) << part;
        EXPECT_FALSE(openai::read_completion(part, {anything, "m"})) << part;
    }
    EXPECT_TRUE(anthropic::read_reply(whole, {anything, "m"}));
}

} // namespace
} // namespace postrider::agent::reply_json_test
