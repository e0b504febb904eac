// What stands in conversations beside texts, and what people press there.
#include "agent/question.hpp"
#include "tests/integration/server/api/conversations_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::presses_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::string_view remover = R"({"format": 1, "name": "remover",
    "nodes": [
        {"id": "in", "name": "In", "type": "manual"},
        {"id": "done", "name": "Done", "type": "set", "parameters": {"fields": {"state": "removed"}}}],
    "connections": [{"from": "in", "to": "done"}]})";

// Its tool asks before it acts.
constexpr std::string_view careful = R"({"format": 1, "name": "careful",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "ask", "name": "Ask", "type": "agent"},
        {"id": "model", "name": "Model", "type": "model"},
        {"id": "memory", "name": "Memory", "type": "memory.window"},
        {"id": "remove", "name": "Remove", "type": "tool.flow",
         "parameters": {"name": "remove", "description": "Removes a file.", "flow": "remover", "risk": "high",
                        "parameters": {"type": "object", "properties": {"path": {"type": "string"}}}}},
        {"id": "out", "name": "Out", "type": "telegram.send", "parameters": {"text": "{{ $json.text }}"}}],
    "connections": [
        {"from": "in", "to": "ask"},
        {"type": "ai_model", "from": "model", "to": "ask"},
        {"type": "ai_memory", "from": "memory", "to": "ask"},
        {"type": "ai_tool", "from": "remove", "to": "ask"},
        {"from": "ask", "to": "out"}]})";

// Everything that a flow can do in a chat.
constexpr std::string_view busy = R"({"format": 1, "name": "busy",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "like", "name": "Like", "type": "telegram.react", "parameters": {"emoji": "👍"}},
        {"id": "say", "name": "Say", "type": "telegram.send",
         "parameters": {"text": "<b>One</b>", "format": "html", "photo": "https://example.com/a.png",
                        "buttons": [[{"text": "Open", "url": "https://example.com"}]]}},
        {"id": "edit", "name": "Edit", "type": "telegram.edit",
         "parameters": {"text": "Two", "message": "{{ $json.message_id }}"}},
        {"id": "more", "name": "More", "type": "telegram.send", "parameters": {"text": "Gone soon"}},
        {"id": "drop", "name": "Drop", "type": "telegram.delete",
         "parameters": {"message": "{{ $json.message_id }}"}},
        {"id": "last", "name": "Last", "type": "telegram.send", "parameters": {"text": "Three"}}],
    "connections": [
        {"from": "in", "to": "like"}, {"from": "like", "to": "say"}, {"from": "say", "to": "edit"},
        {"from": "edit", "to": "more"}, {"from": "more", "to": "drop"}, {"from": "drop", "to": "last"}]})";

constexpr std::string_view with_buttons = R"({"format": 1, "name": "buttons",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "say", "name": "Say", "type": "telegram.send",
         "parameters": {"text": "<b>One</b>", "format": "html", "photo": "https://example.com/a.png",
                        "buttons": [[{"text": "Open", "url": "https://example.com"}]]}}],
    "connections": [{"from": "in", "to": "say"}]})";

// Says something before it waits.
constexpr std::string_view patient = R"({"format": 1, "name": "patient",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "say", "name": "Say", "type": "telegram.send", "parameters": {"text": "One moment"}},
        {"id": "ask", "name": "Ask", "type": "telegram.ask",
         "parameters": {"text": "Tea?", "choices": [{"name": "yes"}]}}],
    "connections": [{"from": "in", "to": "say"}, {"from": "say", "to": "ask"}]})";

constexpr std::string_view corrected = R"({"format": 1, "name": "corrected",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "say", "name": "Say", "type": "telegram.send", "parameters": {"text": "Working"}},
        {"id": "edit", "name": "Edit", "type": "telegram.edit",
         "parameters": {"text": "42", "message": "{{ $json.message_id }}"}},
        {"id": "more", "name": "More", "type": "telegram.send", "parameters": {"text": "Gone soon"}},
        {"id": "drop", "name": "Drop", "type": "telegram.delete",
         "parameters": {"message": "{{ $json.message_id }}"}}],
    "connections": [
        {"from": "in", "to": "say"}, {"from": "say", "to": "edit"}, {"from": "edit", "to": "more"},
        {"from": "more", "to": "drop"}]})";

class presses : public conversations {
protected:
    // A turn that waits for a person's word on a call. The path of its conversation's messages.
    std::string asked() {
        server.publish(remover);
        server.publish(careful);
        server.model.script = {calls({{"remove", {{"path", "a.txt"}}}}), says("It is done.")};
        server.start_engine();
        auto const where = begin("careful");
        ask(202, "POST", where, R"({"text": "Remove a.txt"})");
        server.until("select state from postrider.job order by job_id limit 1", "waiting");
        return where;
    }
    // The same, in a flow that the conversation's flow calls.
    std::string asked_below(std::string path) {
        std::string inner(careful);
        inner.replace(inner.find("careful"), 7, "deep");
        inner.replace(inner.find("\"chat\""), 6, "\"manual\"");
        server.publish(remover);
        server.publish(inner);
        server.publish(R"({"format": 1, "name": "caller",
            "nodes": [
                {"id": "in", "name": "In", "type": "chat"},
                {"id": "call", "name": "Call", "type": "call_flow", "parameters": {"flow": "deep"}}],
            "connections": [{"from": "in", "to": "call"}]})");
        server.model.script = {calls({{"remove", {{"path", path}}}}), says("It is done.")};
        auto const where = begin("caller");
        ask(202, "POST", where, R"({"text": "Remove it"})");
        server.until("select count(*) from postrider.job where state = 'waiting'", "1");
        return where;
    }
    json::object question(std::string const& where) {
        for (auto const& message : messages(where))
            if (message.as_object().contains("buttons")) return message.as_object();
        ADD_FAILURE() << "nothing is asked";
        return {};
    }
    static std::string path_of(std::string const& where) {
        return where.substr(0, where.rfind('/')) + "/presses";
    }
    static std::string button(json::object const& message, std::size_t number) {
        return std::string(message.at("buttons").at(0).at(number).at("data").as_string());
    }
    static std::string press(json::object const& message, std::string data) {
        return json::serialize(json::object{{"message", message.at("id")}, {"data", data}});
    }
    void until_over() {
        server.until("select count(*) from postrider.job where state not in ('completed')", "0");
    }
    std::string approval() { return database.value("select state from postrider.approval"); }
    std::string told_to_the_model() { return server.model.requests.at(1).messages.back().content; }
};

TEST_F(presses, messages_show_markup_media_and_buttons) {
    server.publish(with_buttons);
    server.start_engine();
    auto const where = begin("buttons");
    EXPECT_EQ(reply_to(where, "hi"), "<b>One</b>");

    auto const said = messages(where);
    ASSERT_THAT(said, SizeIs(2));
    EXPECT_EQ(said[1].at("content").as_string(), "<b>One</b>");
    EXPECT_EQ(said[1].at("markup").as_string(), "html");
    EXPECT_EQ(said[1].at("media").at("source").as_string(), "https://example.com/a.png");
    EXPECT_EQ(
        said[1].at("buttons").at(0).at(0),
        (json::object{{"text", "Open"}, {"url", "https://example.com"}})
    );
    EXPECT_FALSE(said[1].as_object().contains("key"));
    EXPECT_EQ(
        database.value("select delivery from postrider.message where role = 'assistant'"), "sent"
    );
    EXPECT_EQ(
        database.value("select kind || ' ' || class || ' ' || state from postrider.effect"),
        "chat.send keyed done"
    );
    EXPECT_THAT(server.chat.sent, IsEmpty()) << "nothing goes to Telegram";
}

TEST_F(presses, a_message_is_there_before_its_turn_ends) {
    server.publish(patient);
    server.start_engine();
    auto const where = begin("patient");
    ask(202, "POST", where, R"({"text": "hi"})");
    server.until("select state from postrider.job order by job_id limit 1", "waiting");

    EXPECT_EQ(
        database.value("select delivery from postrider.message where content = 'One moment'"),
        "sent"
    );
}

TEST_F(presses, a_reply_is_what_stands_there_at_the_end) {
    server.publish(corrected);
    server.start_engine();

    EXPECT_EQ(reply_to(begin("corrected"), "hi"), "42");
}

TEST_F(presses, nodes_of_a_flow_change_what_stands_in_the_conversation) {
    server.publish(busy);
    server.start_engine();
    auto const where = begin("busy");
    EXPECT_EQ(reply_to(where, "hi"), "Three");

    auto const said = messages(where);
    ASSERT_THAT(said, SizeIs(3)) << json::serialize(said);
    EXPECT_EQ(said[0].at("reaction").as_string(), "👍");
    EXPECT_EQ(said[1].at("content").as_string(), "Two");
    EXPECT_TRUE(said[1].as_object().contains("edited_at"));
    EXPECT_FALSE(said[1].as_object().contains("text"));
    EXPECT_EQ(
        database.value("select content from postrider.message where shown ? 'edited_at'"),
        "<b>One</b>"
    ) << "what a model said once, it reads again";
    EXPECT_TRUE(said[1].as_object().contains("media")) << "an edit leaves it";
    EXPECT_FALSE(said[1].as_object().contains("buttons"));
    EXPECT_FALSE(said[1].as_object().contains("markup"));
    EXPECT_EQ(said[2].at("content").as_string(), "Three") << "what was removed is not shown";
    EXPECT_THAT(server.chat.edited, IsEmpty());
}

// covers: S1.02 X.07
TEST_F(presses, a_pressed_button_approves_a_call_and_the_same_turn_goes_on) {
    auto const where = asked();
    auto const message = question(where);
    EXPECT_THAT(std::string(message.at("content").as_string()), HasSubstr("path: \"a.txt\""));

    auto const taken = ask(200, "POST", path_of(where), press(message, button(message, 0)));
    until_over();

    EXPECT_EQ(taken.at("state").as_string(), "taken");
    EXPECT_EQ(approval(), "approved");
    EXPECT_THAT(told_to_the_model(), HasSubstr("removed"));
    auto const said = messages(where);
    ASSERT_THAT(said, SizeIs(4)) << json::serialize(said);
    EXPECT_THAT(std::string(said[1].at("content").as_string()), HasSubstr("Approved"));
    EXPECT_FALSE(said[1].as_object().contains("buttons"));
    EXPECT_EQ(said[2].at("role").as_string(), "tool");
    EXPECT_EQ(said[3].at("content").as_string(), "It is done.");
}

// Below a call the places of messages stand close together, and the question is none of them.
TEST_F(presses, a_question_of_a_called_flow_takes_no_place_of_the_history) {
    server.start_engine();
    for (bool const looks : {false, true}) {
        auto const where = asked_below(std::string(2000, 'a'));
        auto const message = question(where);
        if (looks) {
            auto const all = std::string(message.at("buttons").at(1).at(0).at("data").as_string());
            ask(200, "POST", path_of(where), press(message, all));
            server.until("select count(*) from postrider.wait where key like '%press-2'", "1");
        }
        ask(200, "POST", path_of(where), press(message, button(message, 0)));
        until_over();

        std::vector<std::string> said;
        for (auto const& shown : messages(where)) {
            auto const content = std::string(shown.at("content").as_string());
            said.push_back(std::string(shown.at("role").as_string()) + ' ' + content.substr(0, 11));
        }
        std::vector<std::string> expected{
            "user Remove it",
            "assistant May I do th",
            "tool {\"path\":\"aa",
            "assistant It is done."};
        if (looks) expected.insert(expected.begin() + 2, "assistant remove\n  pa");
        EXPECT_EQ(said, expected);
    }
}

TEST_F(presses, a_pressed_button_rejects_a_call) {
    auto const where = asked();
    auto const message = question(where);
    ask(200, "POST", path_of(where), press(message, button(message, 1)));
    until_over();

    EXPECT_EQ(approval(), "rejected");
    EXPECT_THAT(told_to_the_model(), HasSubstr("rejected this call"));
}

TEST_F(presses, a_clear_answer_in_words_counts_as_well) {
    auto const where = asked();
    EXPECT_EQ(reply_to(where, "yes"), "It is done.");
    EXPECT_EQ(approval(), "approved");
    EXPECT_THAT(told_to_the_model(), HasSubstr("removed"));
}

TEST_F(presses, count_once_from_the_conversations_own_user_for_a_button_that_is_there) {
    auto const where = asked();
    auto const message = question(where);
    auto const approve = button(message, 0);
    auto forged = approve;
    forged.replace(forged.find(':') + 1, forged.npos, "all");
    auto const other = begin("careful");

    ask(404, "POST", path_of(where), press(message, approve), "bob");
    EXPECT_EQ(
        ask(409, "POST", path_of(where), press(message, forged)).at("code").as_string(), "not_open"
    );
    ask(409, "POST", path_of(other), press(message, approve));
    ask(409, "POST", path_of(where), press({{"id", "nowhere"}}, approve));
    ask(400, "POST", path_of(where), press(message, ""));
    EXPECT_EQ(approval(), "waiting");

    ask(200, "POST", path_of(where), press(message, approve));
    auto const again = ask(409, "POST", path_of(where), press(message, approve));
    until_over();
    ask(409, "POST", path_of(where), press(message, button(message, 1)));

    EXPECT_EQ(again.at("detail").as_string(), "This is no longer open.");
    EXPECT_EQ(approval(), "approved");
    EXPECT_EQ(database.value("select count(*) from postrider.event where type = 'press'"), "0")
        << "it was consumed";
}

// Asks whether it may go on.
constexpr std::string_view asking = R"({"format": 1, "name": "asking",
    "nodes": [
        {"id": "in", "name": "In", "type": "chat"},
        {"id": "ask", "name": "Ask", "type": "telegram.ask",
         "parameters": {"text": "Tea?", "choices": [{"name": "yes", "text": "Yes, please"}, {"name": "no"}]}},
        {"id": "tea", "name": "Tea", "type": "telegram.send",
         "parameters": {"text": "Tea for {{ $json.answer.user }}"}},
        {"id": "late", "name": "Late", "type": "telegram.send", "parameters": {"text": "Never mind."}}],
    "connections": [
        {"from": "in", "to": "ask"},
        {"from": "ask", "output": "yes", "to": "tea"},
        {"from": "ask", "output": "timeout", "to": "late"}]})";

TEST_F(presses, a_node_asks_and_goes_on_with_the_answer) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    ask(202, "POST", where, R"({"text": "hi"})");
    server.until("select state from postrider.job order by job_id limit 1", "waiting");
    auto const message = question(where);
    EXPECT_EQ(message.at("content").as_string(), "Tea?");
    ask(200, "POST", path_of(where), press(message, button(message, 0)));
    until_over();

    auto const said = messages(where);
    ASSERT_THAT(said, SizeIs(3));
    EXPECT_EQ(said[1].at("content").as_string(), "Tea?\n\n→ Yes, please");
    EXPECT_EQ(said[2].at("content").as_string(), "Tea for 7");
}

TEST_F(presses, a_node_takes_a_choice_in_words_and_nothing_else) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    ask(202, "POST", where, R"({"text": "hi"})");
    server.until("select count(*) from postrider.wait", "1");
    EXPECT_EQ(reply_to(where, "yes please!"), "Tea for 7");

    ask(202, "POST", where, R"({"text": "hi"})");
    server.until("select count(*) from postrider.wait", "1");
    ask(202, "POST", where, R"({"text": "what?"})");
    server.until("select count(*) from postrider.message where content = 'Never mind.'", "1");
    server.until("select count(*) from postrider.wait", "1");
    EXPECT_EQ(database.value("select count(*) from postrider.question"), "1")
        << "of the message that came instead, which has its own turn";
}

TEST_F(presses, a_turn_that_failed_says_so_where_it_was_asked) {
    server.publish(R"({"format": 1, "name": "failing",
        "nodes": [
            {"id": "in", "name": "In", "type": "chat"},
            {"id": "set", "name": "Set", "type": "set",
             "parameters": {"fields": {"x": "{{ int($json.text) }}"}}}],
        "connections": [{"from": "in", "to": "set"}]})");
    server.start_engine();
    auto const where = begin("failing");
    ask(500, "POST", where + "?wait=20", R"({"text": "hi"})");
    server.until("select count(*) from postrider.message where role = 'assistant'", "1");

    auto const said = messages(where);
    ASSERT_THAT(said, SizeIs(2));
    EXPECT_THAT(std::string(said[1].at("content").as_string()), HasSubstr("went wrong"));
}

// A model must read calls and their results next to each other.
TEST_F(presses, what_is_asked_is_no_part_of_what_the_model_remembers) {
    auto const where = asked();
    EXPECT_EQ(reply_to(where, "yes"), "It is done.");
    server.model.script = {says("You are welcome.")};
    EXPECT_EQ(reply_to(where, "Thanks"), "You are welcome.");

    for (auto const& message : server.model.requests.back().messages)
        EXPECT_THAT(message.content, Not(HasSubstr("May I"))) << message.content;
}

} // namespace
} // namespace postrider::tests::presses_test
