// What is kept of chats and sessions: messages of lanes, rejected updates, sessions, last runs, usage.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_documents.hpp"
#include "tests/support/usage_rows.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::records_test {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

constexpr auto said = R"sql(
insert into postrider.message (lane_id, job_id, conversation_id, position, chat_id, role, id, content, delivery, detail, origin, created_at) values
    (1, 41, 9, 0, 5, 'user', 'm1', 'what is 6*7?', null, null, 'person', '2026-11-21T09:00:00Z'),
    (1, 41, 9, 1, 5, 'assistant', 'm2', '', null, '{"calls": [{"id": "c", "name": "calculator", "arguments": {"x": "6*7"}}]}', 'agent', '2026-11-21T09:00:01Z'),
    (1, 41, 9, 2, 5, 'tool', 'm3', '42', null, '{"call_id": "c"}', 'agent', '2026-11-21T09:00:02Z'),
    (1, 41, 9, 3, 5, 'assistant', 'm4', '6*7 = 42', 'failed', null, 'agent', '2026-11-21T09:00:03Z'),
    (1, 42, 9, 0, 5, 'user', 'm5', 'thanks', null, null, 'person', '2026-11-21T09:01:00Z'),
    (1, 42, 9, 1, 5, 'system', 'm6', 'hidden', null, null, 'engine', '2026-11-21T09:01:00Z'),
    (2, 46, 10, 0, 6, 'user', 'm7', 'elsewhere', null, null, 'person', '2026-11-21T09:01:00Z');
)sql";

std::vector<std::string> texts_of(
    boost::json::value const& body, std::string_view list, std::string_view member
) {
    std::vector<std::string> all;
    for (auto const& row : body.at(list).as_array()) all.emplace_back(row.at(member).as_string());
    return all;
}

// covers: X.13
TEST(api_lane_messages, show_an_operator_what_was_said_and_what_arrived) {
    api_world world;
    world.database.execute(said);
    std::string const path = "/api/v1/lanes/1%3A5%3A0/messages";

    auto const whole = world.get(path).body;
    auto const first = world.get(path + "?limit=2").body;
    auto const second =
        world.get(path + "?limit=2&cursor=" + std::string(first.at("next").as_string())).body;

    EXPECT_THAT(texts_of(whole, "messages", "id"), ElementsAre("m5", "m4", "m3", "m2", "m1"));
    EXPECT_THAT(texts_of(first, "messages", "id"), ElementsAre("m5", "m4"));
    EXPECT_THAT(texts_of(second, "messages", "id"), ElementsAre("m3", "m2"));
    auto const& messages = whole.at("messages").as_array();
    EXPECT_EQ(messages[1].at("delivery").as_string(), "failed");
    EXPECT_EQ(messages[2].at("tool").as_string(), "calculator");
    EXPECT_EQ(messages[2].at("arguments").at("x").as_string(), "6*7");
    EXPECT_EQ(messages[3].at("calls").at(0).at("name").as_string(), "calculator");
    EXPECT_EQ(messages[4].at("origin").as_string(), "person");
    EXPECT_EQ(world.get("/api/v1/lanes/none/messages").code(), "not_found");
}

TEST(api_updates, show_what_could_not_be_used) {
    api_world world;
    world.database.execute(
        "insert into postrider.inbox (bot_id, update_id, disposition, reason, raw, received_at) "
        "select 1, n, 'rejected', 'invalid', convert_to('{\"n\": ' || n || '}', 'UTF8'), "
        "postrider.now() from generate_series(1, 3) n; "
        "insert into postrider.inbox (bot_id, update_id, disposition, reason, raw, received_at) "
        "values "
        "(1, 4, 'rejected', 'invalid', '\\xff' || convert_to(repeat('x', 5000), 'UTF8'), "
        "postrider.now() - interval '1 h'); "
        "insert into postrider.inbox (bot_id, update_id, disposition) values (1, 5, 'job')"
    );
    std::vector<std::int64_t> ids;
    std::string cursor;
    boost::json::object last;
    do {
        auto const page = world.get("/api/v1/updates?disposition=rejected&limit=2" + cursor).body;
        for (auto const& update : page.at("updates").as_array()) {
            ids.push_back(update.at("update_id").as_int64());
            last = update.as_object();
        }
        auto const* next = page.as_object().if_contains("next");
        cursor = next ? "&cursor=" + std::string(next->as_string()) : "";
    } while (!cursor.empty() && ids.size() < 20);

    EXPECT_THAT(ids, ElementsAre(3, 2, 1, 4));
    EXPECT_EQ(last.at("bot").as_string(), "main");
    EXPECT_EQ(last.at("bytes").as_int64(), 5001);
    EXPECT_TRUE(last.at("raw_is_cut").as_bool());
    EXPECT_TRUE(std::string(last.at("raw").as_string()).starts_with("\xef\xbf\xbdxxx"));
}

TEST(api_agent_sessions, are_listed_by_name) {
    api_world world;
    world.database.execute(
        "insert into postrider.session_message (session, job_id, position, role, content) values "
        "('customer 1', 41, 0, 'user', 'I am Ann'), ('customer 1', 42, 0, 'user', 'again'), "
        "('Customer 2', 41, 0, 'user', 'I am Bob'), ('other', 41, 0, 'user', 'x')"
    );

    auto const found = world.get("/api/v1/agent-sessions?name=CUSTOMER").body;
    auto const page = world.get("/api/v1/agent-sessions?limit=2").body;
    auto const rest = world.get(
        "/api/v1/agent-sessions?limit=2&cursor=" +
        std::string(
            boost::json::serialize(page.at("next")) == "\"customer 1\"" ? "customer%201" : "other"
        )
    );

    ASSERT_THAT(found.at("sessions").as_array(), SizeIs(2));
    for (auto const& session : found.at("sessions").as_array())
        if (session.at("session").as_string() == "customer 1") {
            EXPECT_EQ(session.at("messages").as_int64(), 2);
            EXPECT_FALSE(session.at("messages_are_more").as_bool());
            EXPECT_EQ(session.at("last_job_id").as_int64(), 42);
        }
    EXPECT_THAT(page.at("sessions").as_array(), SizeIs(2));
    EXPECT_LE(rest.body.at("sessions").as_array().size(), 1u);
}

TEST(api_usage, is_grouped_by_two_keys) {
    api_world world;
    world.database.execute("delete from postrider.step; delete from postrider.effect; delete from "
                           "postrider.wait; delete from postrider.job; delete from postrider.lane");
    world.database.execute(four_calls);
    world.database.execute(
        "update postrider.step set result = '{\"model\": \"big\"}' where job_id = 41"
    );

    auto const answer = world.get("/api/v1/usage?by=day,model&days=3660");

    EXPECT_EQ(answer.body.at("by").as_string(), "day,model");
    auto const& lines = answer.body.at("usage").as_array();
    ASSERT_THAT(lines, SizeIs(3));
    EXPECT_EQ(lines[0].at("day").as_string(), "2026-11-22");
    EXPECT_TRUE(lines[0].at("model").is_null());
    EXPECT_EQ(lines[1].at("model").as_string(), "big") << "it cost most on that day";
    EXPECT_EQ(lines[1].at("calls").as_int64(), 2);
    auto const models = world.get("/api/v1/usage?by=model&days=3660").body.at("usage").as_array();
    EXPECT_EQ(models.at(0).at("tokens_in").as_int64(), 300);
}

TEST(api_flows, tell_of_their_last_run) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter"));
    world.post("/api/v1/flows/import?publish=true", manual_flow("idle"));
    world.database.execute(
        "update postrider.job set input = '{\"flow\": \"greeter\", \"version\": 1}' "
        "where job_id in (41, 42)"
    );

    auto const flows = world.get("/api/v1/flows").body.at("flows").as_array();

    for (auto const& flow : flows) {
        if (flow.at("name").as_string() == "greeter") {
            EXPECT_EQ(flow.at("last_run").at("job_id").as_int64(), 42);
            EXPECT_EQ(flow.at("last_run").at("state").as_string(), "failed");
        } else {
            EXPECT_TRUE(flow.at("last_run").is_null()) << flow;
        }
    }
    EXPECT_THAT(flows, SizeIs(2));
}

TEST(api_records, name_the_mistakes_of_a_query) {
    api_world world;

    for (auto const* target :
         {"lanes/1%3A5%3A0/messages?cursor=x",
          "lanes/1%3A5%3A0/messages?cursor=1.-2",
          "lanes/1%3A5%3A0/messages?limit=0",
          "lanes/%ff/messages",
          "updates?disposition=job",
          "updates?cursor=1",
          "updates?cursor=yesterday%2C1%2C2",
          "updates?limit=x",
          "agent-sessions?limit=201",
          "agent-sessions?session=x",
          "memories?kind=rumour",
          "memories?user=0",
          "memories?chat=5",
          "memories/x",
          "usage?by=day%2Cday",
          "usage?by=day%2C",
          "usage?by=day%2Cuser%2Cmodel",
          "usage?by=token"})
        EXPECT_EQ(world.get(std::string("/api/v1/") + target).status, 400) << target;
}

TEST(api_memories, are_listed_shown_and_deleted_with_a_row_in_the_audit) {
    api_world world;
    world.database.execute(
        "insert into postrider.memory (user_id, chat_id, bot_id, kind, content, language, words, "
        "made_by) values (7, 0, 1, 'note', 'The dog is called Rex.', 'en', '', 'a'), "
        "(0, -9, 1, 'summary', 'They planned a trip.', 'en', '', 'b')"
    );

    auto const of_person = world.get("/api/v1/memories?user=7").body.at("memories").as_array();
    auto const of_group =
        world.get("/api/v1/memories?chat=-9&kind=summary&bot=1").body.at("memories").as_array();

    ASSERT_THAT(of_person, SizeIs(1));
    EXPECT_EQ(of_person.front().at("text").as_string(), "The dog is called Rex.");
    ASSERT_THAT(of_group, SizeIs(1));
    EXPECT_EQ(of_group.front().at("chat_id").as_int64(), -9);
    EXPECT_EQ(world.get("/api/v1/memories/1").body.at("kind").as_string(), "note");
    EXPECT_EQ(world.ask("DELETE", "/api/v1/memories/1").status, 200);
    EXPECT_EQ(world.ask("DELETE", "/api/v1/memories/1").status, 404);
    EXPECT_EQ(world.get("/api/v1/memories/1").status, 404);
    EXPECT_EQ(
        world.database.value("select subject from postrider.audit where kind = 'memory_forget'"),
        "memory:1"
    );
    auto const reader = world.make_token("reader");
    EXPECT_EQ(world.ask("DELETE", "/api/v1/memories/2", "", reader).status, 403);
}

TEST(api_records, are_for_operators) {
    api_world world;
    auto const user = world.make_token("user");
    auto const reader = world.make_token("reader");

    for (auto const* path : {"lanes/1%3A5%3A0/messages", "updates", "agent-sessions", "memories"}) {
        auto const target = std::string("/api/v1/") + path;
        EXPECT_EQ(world.ask("GET", target, "", user).status, 403) << path;
        EXPECT_EQ(world.ask("GET", target, "", reader).status, 200) << path;
    }
}

} // namespace
} // namespace postrider::tests::records_test
