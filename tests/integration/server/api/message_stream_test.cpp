// Messages whose answer is the stream of their turn.
#include "server/api/conversation_access.hpp"
#include "tests/integration/server/api/watched_world.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::message_stream_test {
namespace {

namespace json = boost::json;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::Not;

class message_stream : public watched_conversations {
protected:
    stream say(std::string const& where, std::string text, std::string key = {}) {
        net::header_list headers{{"Authorization", "Bearer " + tokens.at("alice")}};
        if (!key.empty()) headers.add("Idempotency-Key", key);
        auto body = json::serialize(json::object{{"text", text}});
        return send("POST", where + "?stream=true", headers, std::move(body));
    }
    static std::vector<std::string> replies_of(events const& all) {
        std::vector<std::string> replies;
        for (auto const& event : all) {
            if (event.type != "done") continue;
            auto const data = json::parse(event.data);
            if (auto const* reply = data.as_object().if_contains("reply"))
                replies.emplace_back(reply->as_string());
        }
        return replies;
    }
    std::string status_of(stream const& line) {
        auto const head = server.io.run(line->read_until("\r\n\r\n"));
        return head.substr(9, 3);
    }
    std::string count(std::string table) {
        return database.value("select count(*) from postrider." + table);
    }
};

// covers: X.18
TEST_F(message_stream, tells_the_turn_from_its_message_to_its_end) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");
    reply_to(where, "before");
    auto const line = say(where, "hi");

    auto const told = heard_to_the_end(line);

    EXPECT_EQ(told.front().type, "watching");
    EXPECT_EQ(
        told.front().data,
        R"({"job_id":)" + database.value("select max(job_id) from postrider.job") + "}"
    );
    EXPECT_THAT(contents_of(told), ElementsAre("hi", "You said: hi"));
    EXPECT_EQ(told.back().type, "done");
    EXPECT_THAT(replies_of(told), ElementsAre("You said: hi"));
}

// Without a watch that was there before.
TEST_F(message_stream, tells_every_step_and_word_from_the_first_on) {
    server.model.script = {calls({{"calculator", {{"expression", "6*7"}}}}), says("It is 42.")};
    server.model.while_asked = [this] {
        auto const& hear = server.model.requests.back().hear;
        ASSERT_TRUE(hear) << "somebody listens to every call";
        if (server.model.requests.size() == 2) {
            hear("It ");
            hear("is 42.");
        }
    };
    server.start_engine();
    auto const line = say(begin(), "What is 6*7?");

    auto const told = heard_to_the_end(line);

    EXPECT_THAT(contents_of(told), ElementsAre("What is 6*7?", "42", "It is 42."));
    EXPECT_EQ(words_of(told), "It is 42.");
    EXPECT_THAT(types_of(told), Contains("step"));
}

TEST_F(message_stream, ends_with_a_turn_that_failed) {
    server.publish(broken);
    server.start_engine();

    auto const told = heard_to_the_end(say(begin("broken"), "hi"));

    EXPECT_EQ(told.back().type, "failed");
    EXPECT_THAT(told.back().data, Not(HasSubstr("secret")));
}

// Its turn is cancelled with the conversation.
TEST_F(message_stream, ends_with_a_turn_whose_conversation_was_deleted) {
    auto const where = begin();
    auto const line = say(where, "hi");
    heard(line, "message");

    ask(200, "DELETE", where.substr(0, where.rfind('/')), "");

    auto const told = heard_to_the_end(line);
    ASSERT_FALSE(told.empty());
    EXPECT_EQ(told.back().type, "cancelled");
}

// The reply went with the conversation.
TEST_F(message_stream, does_not_tell_a_reply_that_was_deleted) {
    auto const where = begin();
    auto const line = say(where, "hi");
    heard(line, "message");

    database.execute(
        "begin;"
        "update postrider.job set state = 'completed', run_no = 1, "
        "started_at = postrider.now(), finished_at = postrider.now();"
        "select postrider.conversation_delete(id, user_id) from postrider.api_conversation;"
        "commit"
    );

    EXPECT_THAT(types_of(heard_to_the_end(line)), Not(Contains("done")));
    EXPECT_EQ(count("api_conversation"), "0");
}

// Of a message that answers what another turn waits for: that turn's end.
TEST_F(message_stream, ends_with_the_turn_that_took_the_message_in) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    auto const question = say(where, "hi");
    (void)heard(question, "Tea?");
    server.until("select count(*) from postrider.wait", "1");

    auto const told = heard_to_the_end(say(where, "yes"));

    EXPECT_THAT(contents_of(told), IsSupersetOf({"yes", "Tea?\n\n→ yes", "Here it is."}));
    EXPECT_THAT(replies_of(told), ElementsAre("Here it is."));
    EXPECT_THAT(replies_of(heard_to_the_end(question)), ElementsAre("Here it is."));
}

// A client that does not know whether its message arrived sends it again.
TEST_F(message_stream, under_the_same_key_is_of_the_same_turn_from_its_message_on) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    auto first = say(where, "hi", "one");
    (void)heard(first, "Tea?");
    first->close();

    auto const again = say(where, "hi", "one");
    auto told = heard(again, "Tea?");
    EXPECT_THAT(contents_of(told), ElementsAre("hi", "Tea?"));
    ask(202, "POST", where, R"({"text": "yes"})");
    EXPECT_THAT(replies_of(heard_to_the_end(again)), ElementsAre("Here it is."));

    auto const late = heard_to_the_end(say(where, "hi", "one"));
    EXPECT_THAT(contents_of(late), ElementsAre("hi", "Tea?\n\n→ yes", "Here it is.", "yes"));
    EXPECT_THAT(replies_of(late), ElementsAre("Here it is."));
    EXPECT_EQ(database.value("select count(*) from postrider.message where content = 'hi'"), "1");
    EXPECT_EQ(status_of(say(where, "hello", "one")), "422");
}

// Whichever event was the last that arrived.
TEST_F(message_stream, goes_on_as_a_watch_of_the_conversation) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");
    auto const told = heard_to_the_end(say(where, "hi"));

    auto const later = heard(watch(where, told.front().id), "event: done");

    EXPECT_THAT(contents_of(later), ElementsAre("hi", "You said: hi"));
}

TEST_F(message_stream, takes_one_of_its_persons_places_before_anything_is_said) {
    auto const where = begin();
    std::vector<stream> lines;
    for (int i = 0; i < api::most_watchers_of_a_person; ++i) lines.push_back(watch_from_now(where));

    EXPECT_EQ(status_of(say(where, "hi")), "503");
    EXPECT_EQ(count("message"), "0");
}

TEST_F(message_stream, gives_its_place_back_when_nothing_was_said) {
    auto const where = begin();
    ASSERT_EQ(status_of(say(where, "hi", "one")), "200");

    for (int i = 0; i < api::most_watchers_of_a_person; ++i)
        EXPECT_EQ(status_of(say(where, "hello", "one")), "422");
}

TEST_F(message_stream, is_asked_for_without_a_wait) {
    auto const where = begin();

    ask(400, "POST", where + "?stream=true&wait=5", R"({"text": "hi"})");
    ask(400, "POST", where + "?stream=yes", R"({"text": "hi"})");
    EXPECT_EQ(count("message"), "0");
}

} // namespace
} // namespace postrider::tests::message_stream_test
