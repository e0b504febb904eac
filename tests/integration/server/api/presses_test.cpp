// What stands in conversations beside texts, and what people press there.
#include "agent/speech/question.hpp"
#include "tests/integration/server/api/conversations_world.hpp"
#include "tests/support/flow_builder.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::presses_test {
namespace {

namespace json = boost::json;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

auto const remover = flow_builder("remover")
                         .trigger("In", "manual")
                         .node("Done", "set", {{"fields", {{"state", "removed"}}}})
                         .text();

// Its tool asks before it acts.
std::string careful(std::string_view name, std::string_view trigger) {
    return flow_builder(name)
        .trigger("In", trigger)
        .agent("Ask")
        .part("Memory", "memory.window")
        .part(
            "Remove",
            "tool.flow",
            {{"name", "remove"},
             {"description", "Removes a file."},
             {"flow", "remover"},
             {"risk", "high"},
             {"parameters",
              json::parse(R"({"type": "object", "properties": {"path": {"type": "string"}}})")}}
        )
        .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
        .text();
}

json::object const with_photo{
    {"text", "<b>One</b>"},
    {"format", "html"},
    {"photo", "https://example.com/a.png"},
    {"buttons", json::parse(R"([[{"text": "Open", "url": "https://example.com"}]])")}};

// Everything that a flow can do in a chat.
auto const busy =
    flow_builder("busy")
        .trigger("In", "chat")
        .node("Like", "telegram.react", {{"emoji", "👍"}})
        .node("Say", "telegram.send", with_photo)
        .node("Edit", "telegram.edit", {{"text", "Two"}, {"message", "{{ $json.message_id }}"}})
        .node("More", "telegram.send", {{"text", "Gone soon"}})
        .node("Drop", "telegram.delete", {{"message", "{{ $json.message_id }}"}})
        .node("Last", "telegram.send", {{"text", "Three"}})
        .text();

auto const with_buttons =
    flow_builder("buttons").trigger("In", "chat").node("Say", "telegram.send", with_photo).text();

// Says something before it waits.
auto const patient = flow_builder("patient")
                         .trigger("In", "chat")
                         .node("Say", "telegram.send", {{"text", "One moment"}})
                         .node(
                             "Ask",
                             "telegram.ask",
                             {{"text", "Tea?"}, {"choices", json::parse(R"([{"name": "yes"}])")}}
                         )
                         .text();

auto const corrected =
    flow_builder("corrected")
        .trigger("In", "chat")
        .node("Say", "telegram.send", {{"text", "Working"}})
        .node("Edit", "telegram.edit", {{"text", "42"}, {"message", "{{ $json.message_id }}"}})
        .node("More", "telegram.send", {{"text", "Gone soon"}})
        .node("Drop", "telegram.delete", {{"message", "{{ $json.message_id }}"}})
        .text();

class presses : public conversations {
protected:
    // A turn that waits for a person's word on a call. The path of its conversation's messages.
    std::string asked() {
        server.publish(remover);
        server.publish(careful("careful", "chat"));
        server.model.script = {calls({{"remove", {{"path", "a.txt"}}}}), says("It is done.")};
        server.start_engine();
        auto const where = begin("careful");
        ask(202, "POST", where, R"({"text": "Remove a.txt"})");
        server.until("select state from postrider.job order by job_id limit 1", "waiting");
        return where;
    }
    // The same, in a flow that the conversation's flow calls.
    std::string asked_below(std::string path) {
        server.publish(remover);
        server.publish(careful("deep", "manual"));
        server.publish(flow_builder("caller")
                           .trigger("In", "chat")
                           .node("Call", "call_flow", {{"flow", "deep"}})
                           .text());
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
auto const asking =
    flow_builder("asking")
        .trigger("In", "chat")
        .node(
            "Ask",
            "telegram.ask",
            {{"text", "Tea?"},
             {"choices",
              json::parse(R"([{"name": "yes", "text": "Yes, please"}, {"name": "no"}])")}}
        )
        .after("Ask", "yes")
        .node("Tea", "telegram.send", {{"text", "Tea for {{ $json.answer.user }}"}})
        .after("Ask", "timeout")
        .node("Late", "telegram.send", {{"text", "Never mind."}})
        .text();

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

// covers: S2.07 S2.12
TEST_F(presses, a_question_ends_the_wait_for_a_reply) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");

    auto const asked = ask(200, "POST", where + "?wait=20", R"({"text": "hi"})");
    auto const& question = asked.at("question");
    EXPECT_EQ(asked.at("state"), "waiting");
    EXPECT_FALSE(asked.as_object().contains("reply"));
    EXPECT_EQ(question.at("text"), "Tea?");
    EXPECT_EQ(question.at("buttons").at(0).at(0).at("text"), "Yes, please");
    EXPECT_EQ(question.at("message"), messages(where).at(1).at("id"));

    EXPECT_EQ(reply_to(where, "yes please!"), "Tea for 7")
        << "the question that this message answers is not returned again";
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
    server.publish(flow_builder("failing")
                       .trigger("In", "chat")
                       .node("Set", "set", {{"fields", {{"x", "{{ int($json.text) }}"}}}})
                       .text());
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
