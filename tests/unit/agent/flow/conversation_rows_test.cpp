// What of an execution stands in the conversation, and in which order.
#include "tests/support/flow_builder.hpp"
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
    flow_world w(flow_builder("group")
                     .trigger("In", "telegram.message")
                     .node("Send", "telegram.send", {{"text", "one"}})
                     .text());
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
    return flow_world(flow_builder("answering")
                          .trigger("In", "telegram.message")
                          .agent("Ask")
                          .part("Memory", "memory.window")
                          .node("Send", "telegram.send", {{"text", text}})
                          .text());
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

auto const panel = flow_builder("panel")
                       .trigger("In", "telegram.message")
                       .agent("A")
                       .part("Memory", "memory.window")
                       .after("In")
                       .agent("B")
                       .connect("Memory", "B")
                       .text();

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
    w.others["called"] = compiled(flow_builder("called")
                                      .trigger("In", "manual")
                                      .node("Say", "telegram.send", {{"text", "one moment"}})
                                      .node("Stop", "stop", {{"message", "no stock"}})
                                      .text());
    w.run(heard_by("caller"));
    EXPECT_THAT(said(w), ElementsAre("one moment (sent)"));
}

// What a called flow's agent answers is sent by the flow that called it.
TEST(conversation_rows, of_a_called_flows_answer_stand_once) {
    flow_world w(flow_builder("outer")
                     .trigger("In", "telegram.message")
                     .node("Call", "call_flow", {{"flow", "called"}})
                     .node("Send", "telegram.send", {{"text", "{{ $json.text }}"}})
                     .text());
    w.others["called"] = compiled(flow_builder("called")
                                      .trigger("In", "manual")
                                      .agent("Ask")
                                      .part("Memory", "memory.window")
                                      .text());
    w.model.script = {says("rain")};
    w.run(heard_by("outer"));
    EXPECT_THAT(said(w), ElementsAre("rain (sent)"));
}

TEST(conversation_rows, of_html_are_as_people_read_them) {
    flow_world w(
        flow_builder("html")
            .trigger("In", "telegram.message")
            .agent("Ask", {{"prompt", "x"}})
            .node("Send", "telegram.send", {{"text", "{{ $json.text }}"}, {"format", "html"}})
            .text()
    );
    w.model.script = {says("1 < 2 & \"so on\"")};
    w.run(heard_by("html"));

    ASSERT_EQ(w.chat.sent.size(), 1u);
    EXPECT_EQ(w.chat.sent[0].content.text, "1 &lt; 2 &amp; &quot;so on&quot;");
    EXPECT_THAT(said(w), ElementsAre("1 < 2 & \"so on\" (sent)"));
}

} // namespace

} // namespace postrider::tests::conversation_rows_test
