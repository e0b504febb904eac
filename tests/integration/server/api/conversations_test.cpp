// The chat API with a real engine behind it: the assistant that ships, and flows of one's own.
#include "agent/language/command.hpp"
#include "tests/integration/server/api/conversations_world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::conversations_test {
namespace {

namespace json = boost::json;
using testing::HasSubstr;

std::string const& in_english(agent::command::text said) {
    return agent::language::notices_in("en").*said;
}

auto const together = flow_builder("together")
                          .settings({{"mailbox", "coalesce"}, {"debounce", "100ms"}})
                          .trigger("In", "chat")
                          .node("Out", "telegram.send", {{"text", "You said: {{ $json.text }}"}})
                          .text();

// covers: X.18
TEST_F(conversations, are_answered_by_the_assistant_that_ships) {
    server.model.script = {
        calls({{"calculator", {{"expression", "6*7"}}}}),
        says("It is 42."),
        says("You are welcome.")};
    server.start_engine();
    auto const where = begin();

    EXPECT_EQ(reply_to(where, "What is 6*7?"), "It is 42.");
    EXPECT_EQ(reply_to(where, "Thanks"), "You are welcome.");

    auto const said = ask(200, "GET", where, "").at("messages").as_array();
    ASSERT_EQ(said.size(), 5u) << json::serialize(said);
    EXPECT_EQ(said[0].at("role").as_string(), "user");
    EXPECT_EQ(said[0].at("content").as_string(), "What is 6*7?");
    EXPECT_EQ(said[1].at("role").as_string(), "tool");
    EXPECT_EQ(said[1].at("tool").as_string(), "calculator");
    EXPECT_EQ(said[1].at("arguments"), (json::object{{"expression", "6*7"}}));
    EXPECT_EQ(said[1].at("content").as_string(), "42");
    EXPECT_EQ(said[2].at("content").as_string(), "It is 42.");
    EXPECT_EQ(said[4].at("content").as_string(), "You are welcome.");
    EXPECT_TRUE(server.chat.sent.empty()) << "nothing goes to Telegram";
    EXPECT_EQ(server.model.requests.back().messages.back().content, "Thanks");
    EXPECT_EQ(server.model.requests.back().messages.size(), 5u) << "with what was said before";
    EXPECT_EQ(
        database.value("select count(*) from postrider.job where input::text like '%6*7%'"), "0"
    ) << "texts stand in messages only";
}

// covers: S2.09
TEST_F(conversations, have_one_uuid_for_all_their_turns_and_the_history_in_each) {
    server.model.script = {says("Hello Ann."), says("You are Ann.")};
    server.start_engine();
    auto const where = begin();

    EXPECT_EQ(reply_to(where, "I am Ann."), "Hello Ann.");
    EXPECT_EQ(reply_to(where, "Who am I?"), "You are Ann.");

    EXPECT_THAT(
        where,
        testing::MatchesRegex(
            "/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/messages"
        )
    ) << "version 4";
    auto const& heard = server.model.requests.back().messages;
    ASSERT_EQ(heard.size(), 3u) << "the second turn has what the first left";
    EXPECT_EQ(heard.front().content, "I am Ann.");
    EXPECT_EQ(messages(where).size(), 4u);
    EXPECT_EQ(database.value("select count(distinct conversation_id) from postrider.message"), "1");
}

// covers: S0.14 S3.22
TEST_F(conversations, begin_anew_at_a_command) {
    server.model.script = {says("Hello Ann."), says("I do not know.")};
    server.start_engine();
    auto const where = begin();

    EXPECT_EQ(reply_to(where, "I am Ann."), "Hello Ann.");
    EXPECT_EQ(reply_to(where, "/new"), in_english(agent::find_command("/new")->reply));
    EXPECT_EQ(reply_to(where, "Who am I?"), "I do not know.");

    ASSERT_EQ(server.model.requests.size(), 2u) << "no model answers the command";
    auto const& heard = server.model.requests.back().messages;
    ASSERT_EQ(heard.size(), 1u) << "neither what was said before nor the command";
    EXPECT_EQ(heard.front().content, "Who am I?");
    EXPECT_EQ(messages(where).size(), 6u) << "people read all of it";
    EXPECT_EQ(database.value("select count(distinct conversation_id) from postrider.message"), "2");
}

// covers: X.07
TEST_F(conversations, end_their_turn_at_a_command) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    ask(202, "POST", where, R"({"text": "hi"})");
    server.until("select state from postrider.job", "waiting");

    EXPECT_EQ(reply_to(where, "/stop"), in_english(agent::find_command("/stop")->ended));

    EXPECT_EQ(
        database.value("select state from postrider.job order by job_id limit 1"), "cancelled"
    );
    EXPECT_EQ(reply_to(where, "/stop"), in_english(agent::find_command("/stop")->reply))
        << "nothing runs by now";
}

// Models number the calls of each of their replies alike.
TEST_F(conversations, show_each_result_with_its_own_call) {
    server.model.script = {
        calls({{"calculator", {{"expression", "6*7"}}}}),
        calls({{"calculator", {{"expression", "42+1"}}}}),
        says("It is 43.")};
    server.start_engine();
    auto const where = begin();

    EXPECT_EQ(reply_to(where, "What is 6*7, and one more?"), "It is 43.");

    auto const said = ask(200, "GET", where, "").at("messages").as_array();
    ASSERT_EQ(said.size(), 4u) << json::serialize(said);
    EXPECT_EQ(said[1].at("arguments"), (json::object{{"expression", "6*7"}}));
    EXPECT_EQ(said[2].at("arguments"), (json::object{{"expression", "42+1"}}));
}

// A client that does not know whether its message arrived sends it again.
TEST_F(conversations, take_a_message_once_under_its_key) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");
    auto const say = [&](std::string text, std::string key) {
        return server.send(
            "POST",
            "/api/v1/conversations" + where + "?wait=20",
            {{"Authorization", "Bearer " + tokens.at("alice")},
             {"Idempotency-Key", std::move(key)}},
            json::serialize(json::object{{"text", text}})
        );
    };
    auto const first = say("hi", "one");
    auto const again = say("hi", "one");
    auto const other = say("hello", "one");

    EXPECT_EQ(first.status, 200) << first.body;
    EXPECT_EQ(again.body, first.body) << "the same job, the same reply";
    EXPECT_EQ(other.status, 422);
    EXPECT_THAT(other.body, HasSubstr("key_reused"));
    EXPECT_EQ(say("hi", "two").status, 200);
    EXPECT_EQ(say("hi", "").status, 400);
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "2");
    EXPECT_EQ(database.value("select count(*) from postrider.message where role = 'user'"), "2");
    auto const elsewhere = begin("parrot");
    EXPECT_EQ(
        server
            .send(
                "POST",
                "/api/v1/conversations" + elsewhere,
                {{"Authorization", "Bearer " + tokens.at("alice")}, {"Idempotency-Key", "one"}},
                R"({"text": "hello"})"
            )
            .status,
        202
    ) << "a key counts in its conversation";
}

TEST_F(conversations, are_answered_by_the_flow_that_they_name) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");

    EXPECT_EQ(reply_to(where, "hi"), "You said: hi");
    EXPECT_EQ(
        database.value(
            "select kind || ' ' || (input ->> 'flow') || ' ' || (input ->> 'user') || ' ' || state "
            "from postrider.job"
        ),
        "turn parrot 7 completed"
    );
    EXPECT_EQ(
        database.value("select count(*) from postrider.lane where lane_key like 'chat:%'"), "1"
    );
}

// Of messages that are answered together each one's sender gets the reply.
TEST_F(conversations, are_answered_together_where_the_flow_says_so) {
    server.publish(together);
    auto const where = begin("together");
    ask(202, "POST", where, R"({"text": "one"})");
    auto const first = database.value("select max(job_id) from postrider.job");
    ask(202, "POST", where, R"({"text": "two"})");
    server.start_engine();
    server.until("select count(*) from postrider.job where state = 'completed'", "2");

    EXPECT_EQ(
        database.value(
            "select max(content) from postrider.message where role = 'assistant' and job_id = "
            "postrider.answering_job(" +
            first + ")"
        ),
        "You said: two"
    );
    EXPECT_EQ(
        database.value("select count(*) from postrider.message where role = 'assistant'"), "1"
    );
}

TEST_F(conversations, belong_to_the_user_of_their_token) {
    auto const where = begin();
    auto const text = R"({"text": "hi"})";

    for (auto const* other : {"bob", "owner"}) {
        EXPECT_EQ(ask(404, "GET", where, "", other).at("code").as_string(), "not_found");
        ask(404, "POST", where, text, other);
    }
    ask(404, "GET", "/no-uuid/messages", "");
    ask(404, "GET", "/00000000-0000-4000-8000-000000000000/messages", "");
    ask(202, "POST", where, text);
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "1");
    EXPECT_EQ(database.value("select string_agg(content, ',') from postrider.message"), "hi");
}

// covers: E.02
TEST_F(conversations, commit_their_messages_by_the_intake) {
    auto const where = begin();
    auto const before = server.postgres.intake->counts().units;

    ask(202, "POST", where, R"({"text": "hi"})");
    ask(404, "POST", where, R"({"text": "hi"})", "bob");

    EXPECT_EQ(server.postgres.intake->counts().units, before + 1);
    EXPECT_EQ(
        database.value("select count(distinct x) from (select xmin::text x from postrider.job "
                       "union all select xmin::text from postrider.message) t"),
        "1"
    );
}

// A message finds its conversation before it waits for its commit; meanwhile that may go.
class conversation_that_goes : public conversations {
protected:
    void expect_refused(std::string const& where) {
        auto const before = database.value("select count(*) from postrider.message");
        ask(404, "POST", where, R"({"text": "two"})");
        ask(404, "POST", where, R"({"text": "three"})");
        EXPECT_EQ(database.value("select count(*) from postrider.message"), before);
    }
};

TEST_F(conversation_that_goes, is_none_where_it_was_deleted) {
    auto const where = begin();
    ask(202, "POST", where, R"({"text": "one"})");
    database.execute("update postrider.lane_run set closed = true");

    expect_refused(where);
}

TEST_F(conversation_that_goes, leaves_the_key_of_a_message_free) {
    auto const where = begin();
    database.execute("update postrider.lane_run set closed = true");

    auto const answer = server.send(
        "POST",
        "/api/v1/conversations" + where,
        {{"Authorization", "Bearer " + tokens.at("alice")}, {"Idempotency-Key", "one"}},
        R"({"text": "two"})"
    );

    EXPECT_EQ(answer.status, 404);
    EXPECT_EQ(database.value("select count(*) from postrider.request_key"), "0");
}

TEST_F(conversation_that_goes, is_none_before_its_first_message) {
    auto const where = begin();
    database.execute("update postrider.lane_run set closed = true");

    expect_refused(where);
}

TEST_F(conversation_that_goes, is_none_where_its_lane_was_pruned) {
    auto const where = begin();
    ask(202, "POST", where, R"({"text": "one"})");
    database.execute("delete from postrider.lane_run; delete from postrider.lane");

    expect_refused(where);
    EXPECT_EQ(database.value("select count(*) from postrider.lane"), "0");
}

TEST_F(conversations, refuse_what_they_cannot_take) {
    auto const where = begin();
    auto const say = [&](int status, std::string body, std::string query = "") {
        ask(status, "POST", where + query, std::move(body));
    };

    say(400, "{}");
    say(400, R"({"text": ""})");
    say(400, json::serialize(json::object{{"text", std::string((256u << 10) + 1, 'x')}}));
    say(400, R"({"text": "hi"})", "?wait=61");
    say(400, R"({"text": "hi", "to": 7})");
    say(202, json::serialize(json::object{{"text", std::string(256u << 10, '\1')}}));
    auto const wrong = ask(400, "POST", "", R"({"agent": "asistant"})");
    EXPECT_THAT(
        boost::json::serialize(wrong),
        testing::HasSubstr("there is no asistant that can chat; did you mean assistant?")
    );
    ask(400, "GET", where + "?cursor=7", "");
}

TEST_F(conversations, tell_that_a_turn_failed) {
    server.publish(broken);
    server.start_engine();

    auto const told = ask(500, "POST", begin("broken") + "?wait=20", R"({"text": "hi"})");

    EXPECT_EQ(told.at("code").as_string(), "execution_failed");
    EXPECT_THAT(
        std::string(told.at("detail").as_string()),
        testing::ContainsRegex("job [0-9]+: failed [(][a-z_]+[)]; `postrider jobs show [0-9]+`")
    );
    EXPECT_THAT(json::serialize(told), Not(HasSubstr("secret")));
}

TEST_F(conversations, tell_that_a_turn_was_cancelled) {
    auto const where = begin();
    auto const say = [&](std::string_view wait) { // the same message
        return server.send(
            "POST",
            "/api/v1/conversations" + where + std::string(wait),
            {{"Authorization", "Bearer " + tokens.at("alice")}, {"Idempotency-Key", "one"}},
            R"({"text": "hi"})"
        );
    };
    ASSERT_EQ(say("").status, 202);
    database.value("select (postrider.job_cancel(job_id)).code from postrider.job");

    auto const told = say("?wait=20");

    EXPECT_EQ(told.status, 409);
    EXPECT_EQ(json::parse(told.body).at("code").as_string(), "cancelled");
}

TEST_F(conversations, give_the_job_when_the_reply_takes_longer) {
    auto const where = begin(); // no engine runs it

    auto const late = ask(202, "POST", where + "?wait=0", R"({"text": "hi"})");
    waiting.close();
    auto const stopped = ask(202, "POST", where + "?wait=60", R"({"text": "hi"})");

    EXPECT_LT(late.at("job_id").as_int64(), stopped.at("job_id").as_int64());
}

TEST_F(conversations, are_read_in_pages) {
    auto const where = begin();
    for (auto const* text : {"one", "two", "three"})
        ask(202, "POST", where, json::serialize(json::object{{"text", text}}));

    auto const first = ask(200, "GET", where + "?limit=2", "");
    auto const cursor = std::string(first.at("next").as_string());
    auto const second = ask(200, "GET", where + "?limit=2&cursor=" + cursor, "");

    EXPECT_EQ(first.at("messages").as_array().size(), 2u);
    ASSERT_EQ(second.at("messages").as_array().size(), 1u);
    EXPECT_EQ(second.at("messages").at(0).at("content").as_string(), "three");
    EXPECT_FALSE(second.as_object().contains("next"));
}

TEST_F(conversations, are_read_from_their_end) {
    auto const where = begin();
    for (auto const* text : {"one", "two", "three"})
        ask(202, "POST", where, json::serialize(json::object{{"text", text}}));
    auto const contents = [](json::value const& page) {
        std::string all;
        for (auto const& message : page.at("messages").as_array())
            all += std::string(message.at("content").as_string()) + " ";
        return all;
    };

    auto const newest = ask(200, "GET", where + "?order=desc&limit=2", "");
    auto const cursor = std::string(newest.at("next").as_string());
    auto const before = ask(200, "GET", where + "?order=desc&limit=2&cursor=" + cursor, "");
    ask(400, "GET", where + "?order=down", "");

    EXPECT_EQ(contents(newest), "three two ");
    EXPECT_EQ(contents(before), "one ");
    EXPECT_FALSE(before.as_object().contains("next"));
}

} // namespace
} // namespace postrider::tests::conversations_test
