// Conversations as they are watched: a real engine, and a client that reads events.
#include "server/api/conversation_access.hpp"
#include "tests/integration/server/api/watched_world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::conversation_events_test {
namespace {

namespace json = boost::json;
using testing::AllOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// What its agent says is looked at before anybody reads it.
auto const guarded = flow_builder("guarded")
                         .trigger("In", "chat")
                         .agent("Ask")
                         .node("Guard", "set", {{"fields", {{"text", "Nothing to see."}}}})
                         .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
                         .text();

auto const speaking = flow_builder("speaking")
                          .trigger("In", "chat")
                          .agent("Ask")
                          .node("Out", "telegram.send", {{"text", "{{ $json.text }}"}})
                          .text();

TEST_F(watched_conversations, tell_each_message_and_the_end_of_a_turn) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");
    auto const line = watch_from_now(where);
    ask(202, "POST", where, R"({"text": "hi"})");

    auto const told = heard(line, "event: done");

    EXPECT_THAT(contents_of(told), ElementsAre("hi", "You said: hi"));
    auto const end = json::parse(told.back().data);
    EXPECT_EQ(end.at("reply").as_string(), "You said: hi");
    for (auto const& event : told)
        if (event.type == "message" && json::parse(event.data).at("role") == "assistant") {
            EXPECT_EQ(json::parse(event.data), messages(where).at(1)) << "as GET gives it";
        }
}

TEST_F(watched_conversations, tell_steps_and_words_while_the_model_speaks) {
    server.model.script = {calls({{"calculator", {{"expression", "6*7"}}}}), says("It is 42.")};
    server.model.while_asked = [this] {
        auto const& hear = server.model.requests.back().hear;
        if (!hear) return;
        bool const first = server.model.requests.size() == 1;
        hear(first ? "Hm. " : "It ");
        hear(first ? "" : "is 42.");
    };
    server.start_engine();
    auto const where = begin();
    auto const line = watch_from_now(where);
    ask(202, "POST", where, R"({"text": "What is 6*7?"})");

    auto const told = heard(line, "event: done");

    EXPECT_THAT(contents_of(told), ElementsAre("What is 6*7?", "42", "It is 42."));
    EXPECT_THAT(types_of(told), Contains("step"));
    EXPECT_EQ(words_of(told), "Hm. It is 42.") << "also of its first call";
}

TEST_F(watched_conversations, tell_the_words_of_a_draft_as_those_of_a_version) {
    server.publish(speaking);
    server.model.script = {says("It is 42.")};
    server.model.while_asked = [this] {
        if (auto const& hear = server.model.requests.back().hear) hear("It is 42.");
    };
    auto const where = begin("speaking");
    ask(202, "POST", where, R"({"text": "What is 6*7?"})");
    database.execute("update postrider.job j set input = j.input || jsonb_build_object('version', "
                     "0, 'document', f.draft) "
                     "from postrider.flow f where f.name = 'speaking'");
    auto const line = watch(where);
    server.start_engine();

    auto const told = heard(line, "event: done");

    EXPECT_EQ(words_of(told), "It is 42.");
}

TEST_F(watched_conversations, keep_words_back_that_the_flow_may_change) {
    server.publish(guarded);
    server.model.script = {says("the inner secret")};
    server.model.while_asked = [this] {
        if (auto const& hear = server.model.requests.back().hear) hear("the inner secret");
    };
    server.start_engine();
    auto const where = begin("guarded");
    auto const line = watch_from_now(where);
    ask(202, "POST", where, R"({"text": "hi"})");

    auto const told = heard(line, "event: done");

    EXPECT_THAT(types_of(told), Not(Contains("words")));
    EXPECT_EQ(contents_of(told).back(), "Nothing to see.");
}

TEST_F(watched_conversations, tell_a_question_at_once_and_how_it_was_answered) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    auto const line = watch_from_now(where);
    ask(202, "POST", where, R"({"text": "hi"})");

    auto const asked = heard(line, "Tea?");
    ASSERT_EQ(asked.back().type, "message");
    auto const question = json::parse(asked.back().data);
    auto const data = question.at("buttons").at(0).at(0).at("data");
    ask(200,
        "POST",
        where.substr(0, where.rfind('/')) + "/presses",
        json::serialize(json::object{{"message", question.at("id")}, {"data", data}}));
    auto const later = heard(line, "event: done");

    auto types = types_of(asked);
    for (auto const& type : types_of(later)) types.push_back(type);
    EXPECT_THAT(types, Contains("turn")) << "which goes on";
    EXPECT_THAT(contents_of(later), Contains("Tea?\n\n→ yes")) << "the same message, changed";
    EXPECT_EQ(contents_of(later).back(), "Here it is.");
}

TEST_F(watched_conversations, tell_a_failure_and_nothing_of_its_words) {
    server.publish(broken);
    server.start_engine();
    auto const where = begin("broken");
    auto const line = watch_from_now(where);
    ask(202, "POST", where, R"({"text": "hi"})");

    auto const told = heard(line, "event: failed");

    EXPECT_THAT(
        told.back().data, AllOf(HasSubstr("Something went wrong"), Not(HasSubstr("secret")))
    );
}

TEST_F(watched_conversations, tell_that_everything_is_paused) {
    server.publish(parrot);
    server.start_engine();
    database.execute("select postrider.pause_all()");
    auto const where = begin("parrot");
    auto const line = watch_from_now(where);
    ask(202, "POST", where, R"({"text": "hi"})");

    auto const told = heard(line, R"("paused":"all")");

    EXPECT_EQ(told.back().type, "turn");
    database.execute("select postrider.resume_all()");
    EXPECT_THAT(contents_of(heard(line, "event: done")), Contains("You said: hi"));
}

// Whichever event was the last that arrived.
TEST_F(watched_conversations, go_on_behind_any_event_without_loss_or_doubling) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");
    auto const line = watch(where);
    auto all = heard(line, "event: watching\ndata: {}\n\n");
    ask(202, "POST", where, R"({"text": "one"})");
    for (auto& each : heard(line, "event: done")) all.push_back(std::move(each));
    reply_to(where, "two");
    for (auto& each : heard(line, "event: done")) all.push_back(std::move(each));
    std::erase_if(all, [](auto const& each) { return each.type == "turn" || each.type == "step"; });

    for (std::size_t last = 0; last + 1 < all.size(); ++last) {
        auto const again = watch(where, all[last].id);
        auto const told = heard(again, all.back().data);
        std::vector<std::string> expected, received;
        for (auto at = last + 1; at < all.size(); ++at)
            if (!all[at].type.empty()) expected.push_back(all[at].type + all[at].data);
        for (auto const& each : told)
            if (each.type == "message" || each.type == "done")
                received.push_back(each.type + each.data);
        EXPECT_EQ(received, expected) << "behind " << all[last].id;
    }
}

// Its watcher would be told of a change that is none.
TEST_F(watched_conversations, have_replies_that_the_end_of_the_turn_does_not_write_again) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");
    EXPECT_EQ(reply_to(where, "one"), "You said: one");

    EXPECT_EQ(
        database.value(
            "select m.xmin <> j.xmin from postrider.message m join postrider.job j using (job_id) "
            "where m.role = 'assistant' and m.delivery = 'sent'"
        ),
        "t"
    );
}

TEST_F(watched_conversations, are_told_to_their_own_user_alone) {
    auto const where = begin();
    auto const path = where.substr(0, where.rfind('/')) + "/events";

    ask(404, "GET", path, "", "bob");
    ask(404, "GET", path, "", "owner");
    ask(404, "GET", "/00000000-0000-4000-8000-000000000000/events", "");
    ask(400, "GET", path + "?cursor=7", "");
    ask(400, "GET", path + "?cursor=99999999:99999999:", ""); // another database's
}

TEST_F(watched_conversations, are_watched_by_so_many_lines_of_a_person_at_most) {
    auto const where = begin();
    std::vector<stream> lines;
    for (int i = 0; i < api::most_watchers_of_a_person; ++i) lines.push_back(watch_from_now(where));

    auto const path = where.substr(0, where.rfind('/')) + "/events";
    EXPECT_EQ(ask(503, "GET", path, "").at("code").as_string(), "busy");
}

TEST_F(watched_conversations, are_told_on_after_a_look_that_failed) {
    auto const where = begin();
    auto const line = watch_from_now(where);
    server.start_engine();

    database.execute("select pg_terminate_backend(pid) from pg_stat_activity "
                     "where datname = current_database() and pid <> pg_backend_pid()");
    net::header_list const headers{{"Authorization", "Bearer " + tokens.at("alice")}};
    int status = 0; // each broken connection fails once
    for (int i = 0; i < 20 && status != 202; ++i)
        status = server.send("POST", "/api/v1/conversations" + where, headers, R"({"text": "hi"})")
                     .status;

    ASSERT_EQ(status, 202);
    EXPECT_THAT(contents_of(heard(line, "event: message")), ElementsAre("hi"));
}

} // namespace
} // namespace postrider::tests::conversation_events_test
