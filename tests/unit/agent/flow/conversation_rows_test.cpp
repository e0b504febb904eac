// What of an execution stands in the conversation, and in which order.
#include "tests/unit/agent/flow/flow_world.hpp"

#include <gmock/gmock.h>

namespace postrider::tests::conversation_rows_test {

namespace {

namespace flow = agent::flow;
namespace json = boost::json;
using testing::ElementsAre;

flow::execution_input heard_by(std::string name) {
    flow::execution_input input;
    input.flow = std::move(name);
    input.version = 1;
    input.heard = flow::heard_message{
        {bot_id{1}, chat_id{7}, thread_id{0}}, user_id{7}, telegram_message_id{50}};
    return input;
}

// "content (delivery)" of what the bot said, as a reader of the conversation finds it.
std::vector<std::string> said(flow_world const& w) {
    std::vector<std::string> all;
    for (auto const& row : w.table.in_order()) {
        if (row.at("role") != "assistant") continue;
        auto const* delivery = row.if_contains("delivery");
        all.push_back(std::string(row.at("content").as_string()));
        if (delivery && delivery->is_string())
            all.back() += " (" + std::string(delivery->get_string()) + ")";
    }
    return all;
}

TEST(conversation_rows, stand_in_the_order_in_which_the_nodes_run) {
    flow_world w(R"({
        "format": 1, "name": "two",
        "nodes": [
            {"id": "second", "name": "Second", "type": "telegram.send", "parameters": {"text": "two"}},
            {"id": "first", "name": "First", "type": "telegram.send", "parameters": {"text": "one"}},
            {"id": "in", "name": "In", "type": "telegram.message"}
        ],
        "connections": [{"from": "in", "to": "first"}, {"from": "first", "to": "second"}]
    })");
    w.run(heard_by("two"));
    EXPECT_THAT(said(w), ElementsAre("one (sent)", "two (sent)"));
}

TEST(conversation_rows, know_their_chat_and_what_they_reply_to) {
    flow_world w(R"({
        "format": 1, "name": "group",
        "nodes": [
            {"id": "in", "name": "In", "type": "telegram.message"},
            {"id": "send", "name": "Send", "type": "telegram.send", "parameters": {"text": "one"}}
        ],
        "connections": [{"from": "in", "to": "send"}]
    })");
    auto input = heard_by("group");
    input.heard->from.chat = chat_id{-100};
    input.heard->from.thread = thread_id{17};
    w.run(input);

    auto const rows = w.table.in_order();
    ASSERT_EQ(rows.size(), 1u);
    EXPECT_EQ(rows[0].at("chat_id"), -100);
    EXPECT_EQ(rows[0].at("thread_id"), 17);
    EXPECT_EQ(rows[0].at("reply_to"), 50);
}

// An agent, and behind it a node that sends `text`.
flow_world answering(std::string text) {
    return flow_world(
        R"({
        "format": 1, "name": "answering",
        "nodes": [
            {"id": "in", "name": "In", "type": "telegram.message"},
            {"id": "ask", "name": "Ask", "type": "agent"},
            {"id": "model", "name": "Model", "type": "model"},
            {"id": "memory", "name": "Memory", "type": "memory.window"},
            {"id": "send", "name": "Send", "type": "telegram.send", "parameters": {"text": ")" +
        text + R"("}}
        ],
        "connections": [
            {"from": "in", "to": "ask"}, {"from": "ask", "to": "send"},
            {"type": "ai_model", "from": "model", "to": "ask"},
            {"type": "ai_memory", "from": "memory", "to": "ask"}
        ]
    })"
    );
}

TEST(conversation_rows, of_an_answer_within_other_words_is_what_was_sent) {
    auto w = answering("Answer: {{ $json.text }}!");
    w.model.script = {says("42")};
    w.run(heard_by("answering"));
    EXPECT_THAT(said(w), ElementsAre("Answer: 42! (sent)"));
}

TEST(conversation_rows, of_an_answer_that_was_not_sent_stands_beside_what_was) {
    auto w = answering("I am done.");
    w.model.script = {says("42")};
    w.run(heard_by("answering"));
    EXPECT_THAT(said(w), ElementsAre("42", "I am done. (sent)"));
}

constexpr std::string_view panel = R"({
    "format": 1, "name": "panel",
    "nodes": [
        {"id": "in", "name": "In", "type": "telegram.message"},
        {"id": "a", "name": "A", "type": "agent"},
        {"id": "b", "name": "B", "type": "agent"},
        {"id": "model", "name": "Model", "type": "model"},
        {"id": "memory", "name": "Memory", "type": "memory.window"}
    ],
    "connections": [
        {"from": "in", "to": "a"}, {"from": "in", "to": "b"},
        {"type": "ai_model", "from": "model", "to": "a"}, {"type": "ai_model", "from": "model", "to": "b"},
        {"type": "ai_memory", "from": "memory", "to": "a"},
        {"type": "ai_memory", "from": "memory", "to": "b"}
    ]
})";

TEST(conversation_rows, of_several_answers_all_stand) {
    flow_world w(panel);
    w.model.script = {says("yes"), says("no")};
    w.run(heard_by("panel"));
    EXPECT_THAT(said(w), ElementsAre("yes", "no"));
}

constexpr std::string_view caller = R"({
    "format": 1, "name": "caller",
    "nodes": [
        {"id": "in", "name": "In", "type": "telegram.message"},
        {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "called"},
         "on_error": "continue"},
        {"id": "send", "name": "Send", "type": "telegram.send", "parameters": {"text": "{{ string($json) }}"}}
    ],
    "connections": [{"from": "in", "to": "call"}]
})";

TEST(conversation_rows, of_a_called_flow_that_failed_know_that_they_were_delivered) {
    flow_world w(caller);
    w.others["called"] = compiled(R"({
        "format": 1, "name": "called",
        "nodes": [
            {"id": "in", "name": "In", "type": "manual"},
            {"id": "say", "name": "Say", "type": "telegram.send", "parameters": {"text": "one moment"}},
            {"id": "stop", "name": "Stop", "type": "stop", "parameters": {"message": "no stock"}}
        ],
        "connections": [{"from": "in", "to": "say"}, {"from": "say", "to": "stop"}]
    })");
    w.run(heard_by("caller"));
    EXPECT_THAT(said(w), ElementsAre("one moment (sent)"));
}

// What a called flow's agent answers is sent by the flow that called it.
TEST(conversation_rows, of_a_called_flows_answer_stand_once) {
    flow_world w(R"({
        "format": 1, "name": "outer",
        "nodes": [
            {"id": "in", "name": "In", "type": "telegram.message"},
            {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "called"}},
            {"id": "send", "name": "Send", "type": "telegram.send", "parameters": {"text": "{{ $json.text }}"}}
        ],
        "connections": [{"from": "in", "to": "call"}, {"from": "call", "to": "send"}]
    })");
    w.others["called"] = compiled(R"({
        "format": 1, "name": "called",
        "nodes": [
            {"id": "in", "name": "In", "type": "manual"},
            {"id": "ask", "name": "Ask", "type": "agent"},
            {"id": "model", "name": "Model", "type": "model"},
            {"id": "memory", "name": "Memory", "type": "memory.window"}
        ],
        "connections": [
            {"from": "in", "to": "ask"},
            {"type": "ai_model", "from": "model", "to": "ask"},
            {"type": "ai_memory", "from": "memory", "to": "ask"}
        ]
    })");
    w.model.script = {says("rain")};
    w.run(heard_by("outer"));
    EXPECT_THAT(said(w), ElementsAre("rain (sent)"));
}

} // namespace

} // namespace postrider::tests::conversation_rows_test
