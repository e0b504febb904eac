// One stream for all that a tab watches: a real server, a real Postgres, clients that only listen.
#include "tests/integration/server/api/watched_world.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::events_test {
namespace {

namespace json = boost::json;
using testing::ElementsAre;
using testing::HasSubstr;

class tabs : public watched_conversations {
protected:
    tabs() {
        database.execute("insert into postrider.lane (lane_id, lane_key) overriding system value "
                         "values (1001, 'a'), (1002, 'b')");
        tokens["reader"] = add_token("reader", 9);
    }

    std::string add_token(std::string const& role, int user) {
        auto const token = mint.make_token(base::system_random());
        database.execute(
            "insert into postrider.token (user_id, role, sha256) values (" + std::to_string(user) +
            ", '" + role + "', '\\x" + api::hash_of(token) + "')"
        );
        return token.reveal();
    }
    stream open(
        std::string const& query, std::string const& last_id = {}, std::string who = "owner"
    ) {
        net::header_list headers{{"Authorization", "Bearer " + tokens.at(who)}};
        if (!last_id.empty()) headers.add("Last-Event-ID", last_id);
        auto connection = std::make_unique<raw_connection>(server.io.executor());
        auto const origin = server.call_of("GET", "/", {}).origin;
        connection->connect(origin.substr(origin.find("//") + 2));
        auto request = "GET /api/v1/events?" + query + " HTTP/1.1\r\nHost: a\r\n";
        for (auto const& [name, value] : headers) request += name + ": " + value + "\r\n";
        server.io.run(connection->send(request + "\r\n"));
        return connection;
    }
    stream open_from_now(std::string const& query) {
        auto tab = open(query);
        (void)heard(tab, "event: watching");
        return tab;
    }
    json::object refused(int status, std::string const& query, std::string const& who = "owner") {
        auto const answer = server.send(
            "GET", "/api/v1/events?" + query, {{"Authorization", "Bearer " + tokens.at(who)}}, ""
        );
        EXPECT_EQ(answer.status, status) << query << answer.body;
        return json::parse(answer.body).as_object();
    }
    // Its id.
    std::string add_job(std::string const& state = "available", int lane = 1001) {
        return database.value(
            "insert into postrider.job (job_id, lane_id, conversation_id, state, kind, arrival, "
            "input) values (nextval('postrider.number'), " +
            std::to_string(lane) + ", 1, '" + state +
            "', 'turn', 1, '{\"flow\": \"assistant\"}') returning job_id"
        );
    }
    void change(std::string const& job, std::string const& assignment) {
        database.execute("update postrider.job set " + assignment + " where job_id = " + job);
    }
    void complete(std::string const& job) {
        change(
            job,
            "state = 'completed', run_no = 1, started_at = created_at, finished_at = "
            "postrider.now()"
        );
    }
    void fail(std::string const& job) {
        change(
            job,
            "state = 'failed', run_no = 1, started_at = created_at, finished_at = postrider.now(), "
            "error_class = 'internal', error = 'e'"
        );
    }
    static std::string state_of(net::sse_event const& event) {
        return std::string(json::parse(event.data).at("state").as_string());
    }
};

// covers: X.13
TEST_F(tabs, are_told_of_jobs_as_they_come_and_change) {
    auto const tab = open_from_now("topics=jobs");

    auto const job = add_job();
    auto const created = heard(tab, "\"job_id\":" + job);
    ASSERT_THAT(types_of(created), ElementsAre("job"));
    EXPECT_EQ(state_of(created[0]), "available");
    complete(job);
    auto const ended = heard(tab, "\"state\":\"completed\"");
    ASSERT_THAT(types_of(ended), ElementsAre("job"));
    EXPECT_EQ(json::parse(ended[0].data).at("job_id").as_int64(), std::stoll(job));

    // The same row as the list has.
    auto const listed =
        server.send("GET", "/api/v1/jobs?limit=1", {{"Authorization", "Bearer owner"}}, "");
    auto row = json::parse(listed.body).at("jobs").at(0).as_object();
    auto told = json::parse(ended[0].data).as_object();
    for (auto const* changing : {"age_ms", "took_ms"}) {
        row.erase(changing);
        told.erase(changing);
    }
    EXPECT_EQ(told, row);
}

TEST_F(tabs, are_told_of_what_matches_and_of_what_does_so_no_more) {
    auto const tab = open_from_now("topics=jobs&state=failed&lane=a");
    auto const other_lane = add_job("available", 1002);
    fail(other_lane);
    auto const job = add_job();

    fail(job);
    auto const failed = heard(tab, "\"job_id\":" + job);
    ASSERT_THAT(types_of(failed), ElementsAre("job")) << "nothing of another lane or state";
    EXPECT_EQ(state_of(failed[0]), "failed");
    database.execute("select postrider.job_retry(" + job + ", null)");

    auto const retried = heard(tab, "event: job_left");
    EXPECT_EQ(state_of(retried.back()), "available");
    EXPECT_THAT(retried.back().data, HasSubstr("\"job_id\":" + job));
}

TEST_F(tabs, are_told_to_read_again_and_sent_away_when_a_part_cannot_go_on) {
    auto const tab = open_from_now("topics=nodes,jobs");
    database.execute("alter table postrider.node rename to lost_node");

    auto const last = heard_to_the_end(tab);

    // The node leaves the cluster when the test ends.
    database.execute("alter table postrider.lost_node rename to node");
    ASSERT_FALSE(last.empty());
    EXPECT_EQ(last.back().type, "reset");
    EXPECT_EQ(last.back().data, R"({"topics":["nodes"]})");
}

TEST_F(tabs, go_on_behind_the_last_event_without_a_gap_or_a_repetition) {
    auto tab = open_from_now("topics=jobs");
    auto const known = add_job();
    auto const told = heard(tab, "\"job_id\":" + known);
    tab->close();
    complete(known);
    auto const missed = add_job();

    tab = open("topics=jobs", told.back().id);
    auto all = heard(tab, "event: watching");
    while (all.size() < 3)
        for (auto& event : heard(tab, "event: job")) all.push_back(std::move(event));

    ASSERT_THAT(types_of(all), ElementsAre("watching", "job", "job"));
    EXPECT_THAT(all[1].data, HasSubstr("\"job_id\":" + known));
    EXPECT_EQ(state_of(all[1]), "completed");
    EXPECT_THAT(all[2].data, HasSubstr("\"job_id\":" + missed));
    EXPECT_EQ(state_of(all[2]), "available");

    tab = open("topics=jobs", all.back().id);
    (void)heard(tab, "event: watching");
    auto const next = add_job();
    EXPECT_THAT(heard(tab, "event: job").front().data, HasSubstr("\"job_id\":" + next))
        << "nothing twice";
}

TEST_F(tabs, are_told_to_read_again_where_their_place_is_not_known) {
    for (auto const* place : {"jobs=other-7", "nonsense", "jobs=nonsense"}) {
        auto const tab = open("topics=jobs,job:7", place);
        auto const begun = heard(tab, "event: reset");

        ASSERT_THAT(types_of(begun), ElementsAre("watching", "reset")) << place;
        EXPECT_EQ(json::parse(begun[1].data), json::parse(R"({"topics": ["jobs", "job:7"]})"))
            << place;
        auto const job = add_job();
        EXPECT_THAT(heard(tab, "event: job").front().data, HasSubstr("\"job_id\":" + job));
    }
}

TEST_F(tabs, watch_single_jobs) {
    auto const watched = add_job();
    auto const tab = open_from_now("topics=job:" + watched);
    auto const other = add_job();
    complete(other);

    database.execute("select postrider.job_cancel(" + watched + ")");

    auto const told = heard(tab, "event: job");
    ASSERT_THAT(types_of(told), ElementsAre("job"));
    EXPECT_THAT(told[0].data, HasSubstr("\"job_id\":" + watched));
    EXPECT_EQ(state_of(told[0]), "cancelled");
}

TEST_F(tabs, have_figures_at_once_and_lists_when_they_change) {
    auto const tab = open("topics=counts,attention,lanes,nodes,approvals");
    auto const begun = heard(tab, "event: attention");
    EXPECT_THAT(types_of(begun), ElementsAre("watching", "counts", "attention"));
    EXPECT_EQ(json::parse(begun[2].data), json::parse(R"({"total": 0})"));

    fail(add_job());
    EXPECT_EQ(
        json::parse(heard(tab, "event: attention").back().data), json::parse(R"({"total": 1})")
    );
    database.execute("update postrider.lane set paused_at = postrider.now() where lane_id = 1001");
    EXPECT_EQ(
        json::parse(heard(tab, "event: changed").back().data), json::parse(R"({"topic": "lanes"})")
    );
}

TEST_F(tabs, that_come_again_have_no_figures_twice) {
    auto tab = open("topics=attention,lanes");
    auto const begun = heard(tab, "event: attention");
    tab->close();
    tab = open("topics=attention,lanes", begun.back().id);
    EXPECT_THAT(types_of(heard(tab, "event: watching")), ElementsAre("watching"));
    fail(add_job());

    auto const next = heard(tab, "event: attention");

    EXPECT_THAT(types_of(next), ElementsAre("attention"));
    EXPECT_EQ(json::parse(next[0].data), json::parse(R"({"total": 1})"));
    tab->close();
    database.execute("update postrider.lane set paused_at = postrider.now() where lane_id = 1001");
    tab = open("topics=attention,lanes", next.back().id);
    EXPECT_THAT(types_of(heard(tab, "event: changed")), ElementsAre("watching", "changed"));
}

// covers: X.22
TEST_F(tabs, watch_conversations_and_executions_beside_jobs) {
    server.start_engine();
    auto const begun = ask(201, "POST", "", "{}", "alice");
    std::string const id(begun.at("conversation_id").as_string());
    auto const topic = "conversation:" + id;
    auto const tab = open("topics=" + topic, {}, "alice");
    (void)heard(tab, "event: watching\ndata: {\"topic\":\"" + topic + "\"}");

    ask(202, "POST", "/" + id + "/messages", R"({"text": "hi"})", "alice");

    auto const told = heard(tab, "event: done");
    EXPECT_THAT(contents_of(told), testing::Contains("hi"));
    for (auto const& event : told)
        EXPECT_EQ(json::parse(event.data).at("topic").as_string(), topic) << event.type;
    EXPECT_THAT(told.back().id, HasSubstr(topic + "="));
    tab->close();

    // From there on it goes on.
    auto const again = open("topics=" + topic, told.back().id, "alice");
    (void)heard(again, "event: watching\ndata: {\"topic\":\"" + topic + "\"}");
    ask(202, "POST", "/" + id + "/messages", R"({"text": "again"})", "alice");
    EXPECT_THAT(contents_of(heard(again, "event: done")), testing::Not(testing::Contains("hi")));

    auto const job = database.value("select max(job_id) from postrider.job");
    auto const execution = open("topics=jobs,execution:" + job);
    auto const events = heard(execution, "event: done");
    EXPECT_THAT(events.back().data, HasSubstr("\"topic\":\"execution:" + job + "\""));
    EXPECT_THAT(events.back().id, HasSubstr("execution:" + job + "="));
    EXPECT_THAT(events.back().id, HasSubstr("jobs="));
}

TEST_F(tabs, are_refused_where_they_ask_wrongly) {
    EXPECT_THAT(
        std::string(refused(400, "").at("detail").as_string()), HasSubstr("topics is missing")
    );
    EXPECT_THAT(
        std::string(refused(400, "topics=everything").at("detail").as_string()),
        HasSubstr("there is no everything")
    );
}

TEST_F(tabs, are_told_what_is_not_there) {
    std::string const missing = "conversation:7b3e8a52-0000-4000-8000-000000000001";
    auto const tab = open("topics=jobs,execution:999999," + missing);

    auto const told = heard(tab, missing + "\"}\n\n");

    ASSERT_THAT(types_of(told), ElementsAre("watching", "gone", "gone"));
    EXPECT_EQ(json::parse(told[1].data).at("topic").as_string(), "execution:999999");
    EXPECT_EQ(json::parse(told[2].data).at("topic").as_string(), missing);
    auto const job = add_job();
    EXPECT_THAT(heard(tab, "event: job").front().data, HasSubstr("\"job_id\":" + job));
}

TEST_F(tabs, are_told_where_a_conversation_is_deleted) {
    auto const fresh = ask(201, "POST", "", "{}", "alice");
    std::string const id(fresh.at("conversation_id").as_string());
    auto const tab = open("topics=conversation:" + id, {}, "alice");
    (void)heard(tab, "event: watching\ndata: {\"topic\"");

    server.send(
        "DELETE",
        "/api/v1/conversations/" + id,
        {{"Authorization", "Bearer " + tokens.at("alice")}},
        ""
    );

    EXPECT_THAT(heard(tab, "event: gone").back().data, HasSubstr("conversation:" + id));
}

// covers: X.18
TEST_F(tabs, are_for_operators_and_conversations_for_their_people) {
    auto const begun = ask(201, "POST", "", "{}", "alice");
    auto const own = "topics=conversation:" + std::string(begun.at("conversation_id").as_string());

    for (auto const* topic :
         {"counts", "attention", "jobs", "job:7", "lanes", "nodes", "approvals", "execution:7"}) {
        auto const query = std::string("topics=") + topic;
        EXPECT_THAT(
            std::string(refused(403, query, "alice").at("detail").as_string()), HasSubstr(topic)
        );
    }
    EXPECT_EQ(refused(403, own + ",jobs", "alice").at("code").as_string(), "forbidden");
    EXPECT_THAT(
        types_of(heard(open(own, {}, "bob"), "event: gone")), ElementsAre("watching", "gone")
    );
    EXPECT_EQ(refused(403, own, "reader").at("code").as_string(), "forbidden");
    EXPECT_THAT(
        types_of(heard(open("topics=counts", {}, "reader"), "event: counts")),
        ElementsAre("watching", "counts")
    );
    EXPECT_THAT(
        types_of(heard(open(own, {}, "alice"), "event: watching")), ElementsAre("watching")
    );
}

TEST_F(tabs, are_told_whether_the_database_answers) {
    auto const tab = open("topics=jobs");

    auto const text = server.io.run(tab->read_until("event: health\ndata: {\"database\":\"ok\","));

    EXPECT_THAT(text, HasSubstr("event: watching"));
    EXPECT_THAT(text, HasSubstr("event: health"));
}

TEST_F(tabs, end_with_the_token) {
    auto const tab = open("topics=jobs", {}, "reader");
    (void)heard(tab, "event: watching");

    database.execute("update postrider.token set revoked_at = postrider.now() where role = 'reader'"
    );

    (void)heard_to_the_end(tab);
}

} // namespace
} // namespace postrider::tests::events_test
