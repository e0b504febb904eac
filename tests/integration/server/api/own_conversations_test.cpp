// A person's conversations as a whole: listed and deleted, with a real engine beside.
#include "tests/integration/server/api/watched_world.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::own_conversations_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class own_conversations : public watched_conversations {
protected:
    json::array listed(std::string who = "alice", std::string query = {}) {
        return ask(200, "GET", query, "", who).at("conversations").as_array();
    }
    static std::vector<std::string> ids_of(json::array const& all) {
        std::vector<std::string> ids;
        for (auto const& each : all) ids.emplace_back(each.at("conversation_id").as_string());
        return ids;
    }
    // The conversation whose messages are there.
    static std::string path_of(std::string const& where) {
        return where.substr(0, where.rfind('/'));
    }
    static std::string id_of(std::string const& where) { return path_of(where).substr(1); }
    std::string count(std::string table) {
        return database.value("select count(*) from postrider." + table);
    }
};

// covers: X.18
TEST_F(own_conversations, are_listed_newest_first_with_their_first_words) {
    server.publish(parrot);
    server.start_engine();
    auto const first = begin("parrot");
    auto const second = begin();
    ask(201, "POST", "", "{}", "bob");
    reply_to(first, "  What   is\n6*7? " + std::string(100, 'x'));
    reply_to(first, "Thanks");

    auto const all = listed();

    ASSERT_THAT(ids_of(all), ElementsAre(id_of(second), id_of(first)));
    EXPECT_TRUE(all[0].at("agent").is_null());
    EXPECT_TRUE(all[0].at("title").is_null());
    EXPECT_TRUE(all[0].at("last_message_at").is_null());
    EXPECT_EQ(all[1].at("agent").as_string(), "parrot");
    EXPECT_EQ(all[1].at("title").as_string(), "What is 6*7? " + std::string(67, 'x'));
    EXPECT_EQ(all[1].at("last_message_at"), messages(first).at(3).at("created_at"));
    EXPECT_THAT(listed("owner"), IsEmpty()) << "owners see their own as well";
    EXPECT_THAT(listed("bob"), SizeIs(1));
}

TEST_F(own_conversations, are_begun_with_the_partners_that_are_listed) {
    server.publish(parrot);
    server.start_engine();
    auto const get = [&](std::string query) {
        return server.send(
            "GET",
            "/api/v1/chat-partners" + query,
            {{"Authorization", "Bearer " + tokens.at("alice")}},
            ""
        );
    };

    auto const answer = get("");

    EXPECT_EQ(answer.status, 200);
    std::vector<std::string> names;
    auto const told = json::parse(answer.body);
    for (auto const& partner : told.at("chat_partners").as_array())
        names.emplace_back(partner.at("name").as_string());
    EXPECT_THAT(names, ElementsAre("assistant", "parrot"));
    EXPECT_EQ(get("?limit=1").status, 400);
}

TEST_F(own_conversations, are_listed_in_pages) {
    std::vector<std::string> begun;
    for (int i = 0; i < 3; ++i) begun.push_back(id_of(begin()));

    auto const first = ask(200, "GET", "?limit=2", "");
    auto const cursor = std::string(first.at("next").as_string());
    begin();
    auto const second = ask(200, "GET", "?limit=2&cursor=" + cursor, "");

    EXPECT_THAT(
        ids_of(first.at("conversations").as_array()), ElementsAre(begun.at(2), begun.at(1))
    );
    EXPECT_THAT(ids_of(second.at("conversations").as_array()), ElementsAre(begun.at(0)));
    EXPECT_FALSE(second.as_object().contains("next"));
    ask(400, "GET", "?cursor=x", "");
    ask(400, "GET", "?state=open", "");
}

TEST_F(own_conversations, are_deleted_with_what_was_said) {
    server.publish(parrot);
    server.start_engine();
    auto const where = begin("parrot");
    auto const other = begin("parrot");
    reply_to(where, "hi");
    reply_to(other, "hello");
    auto const line = watch_from_now(where);

    auto const answer = ask(200, "DELETE", path_of(where), "");

    EXPECT_EQ(answer.at("deleted").as_string(), id_of(where));
    EXPECT_THAT(ids_of(listed()), ElementsAre(id_of(other)));
    ask(404, "GET", where, "");
    ask(404, "POST", where, R"({"text": "hi"})");
    ask(404, "DELETE", path_of(where), "");
    EXPECT_EQ(
        database.value("select string_agg(content, ',' order by job_id) from postrider.message "
                       "where role = 'user'"),
        "hello"
    );
    EXPECT_EQ(count("job"), "2") << "the record goes with the retention of jobs";
    heard_to_the_end(line);
}

TEST_F(own_conversations, leave_nothing_that_would_keep_their_lanes) {
    auto const where = begin();
    database.execute("select postrider.lane_pause(lane_key) from postrider.lane");

    ask(200, "DELETE", path_of(where), "");

    EXPECT_EQ(
        database.value("select l.paused_at is null and r.closed from postrider.lane l "
                       "join postrider.lane_run r using (lane_id)"),
        "t"
    );
}

TEST_F(own_conversations, cannot_be_deleted_or_told_from_none_by_others) {
    auto const where = begin();

    auto const as_bob = ask(404, "DELETE", path_of(where), "", "bob");
    ask(404, "DELETE", path_of(where), "", "owner");
    ask(404, "DELETE", "/no-uuid", "");
    ask(400, "DELETE", path_of(where) + "?force=true", "");

    EXPECT_EQ(as_bob, ask(404, "DELETE", "/00000000-0000-4000-8000-000000000000", "", "bob"));
    EXPECT_THAT(listed(), SizeIs(1));
}

TEST_F(own_conversations, take_turns_along_that_wait_or_have_not_begun) {
    server.publish(asking);
    server.start_engine();
    auto const where = begin("asking");
    ask(202, "POST", where, R"({"text": "hi"})");
    server.until("select count(*) from postrider.wait", "1");
    database.execute("select postrider.lane_pause(lane_key) from postrider.lane");
    ask(202, "POST", where, R"({"text": "and now?"})");
    server.until("select count(*) from postrider.busy_lane where ready_at = 'infinity'", "1");

    ask(200, "DELETE", path_of(where), "");

    EXPECT_EQ(
        database.value("select string_agg(distinct kind || ' ' || state, ', ') from postrider.job"),
        "question_end scheduled, turn cancelled"
    );
    for (auto const* table : {"message", "wait", "event", "question", "busy_lane"})
        EXPECT_EQ(count(table), "0") << table;
}

TEST_F(own_conversations, stay_while_a_turn_runs) {
    auto const where = begin();
    ask(202, "POST", where, R"({"text": "hi"})");
    database.execute("update postrider.lane_run set node_id = 1"); // as a worker that has leased it

    auto const refused = ask(409, "DELETE", path_of(where), "");
    auto const kept = messages(where);
    database.execute("update postrider.lane_run set node_id = null");
    ask(200, "DELETE", path_of(where), "");

    EXPECT_EQ(refused.at("code").as_string(), "running");
    EXPECT_THAT(kept, SizeIs(1));
    EXPECT_EQ(database.value("select state from postrider.job"), "cancelled");
}

} // namespace
} // namespace postrider::tests::own_conversations_test
