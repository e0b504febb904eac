// Executions: listed, shown and watched.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/failing_database.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/unit/net/raw_connection.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>

namespace postrider::tests::executions_test {
namespace {

using namespace std::chrono_literals;
using testing::Each;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class api_executions : public testing::Test {
protected:
    api_executions() { world.database.execute(executions); }

    std::vector<std::int64_t> listed(std::string query) {
        std::vector<std::int64_t> all;
        auto const page = world.get("/api/v1/executions?" + query).body;
        for (auto const& each : page.at("executions").as_array())
            all.push_back(each.at("job_id").as_int64());
        return all;
    }

    std::string events_of(int job, std::string query = "") {
        auto const answer =
            world.get("/api/v1/executions/" + std::to_string(job) + "/events" + query);
        EXPECT_EQ(answer.status, 200);
        return std::string(answer.body.as_string());
    }

    void answer_the_question() {
        world.database.execute(
            "insert into postrider.step (job_id, attempt, seq, started_at, ended_at, node_id, key, "
            "outcome, result) values (52, 1, 1, '2026-11-21T10:09:00Z', '2026-11-21T10:09:00Z', 3, "
            "'ask/event', 'done', '{\"name\": \"Bob\"}')"
        );
        world.database.execute("delete from postrider.wait where job_id = 52");
        world.database.execute("update postrider.job set state = 'completed', "
                               "finished_at = '2026-11-21T10:09:01Z' where job_id = 52");
    }

    // 54, of version 3, which nothing has begun to run.
    void add_one_in_line() {
        world.database.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, "
            "state, kind, input) values (54, 1, 9, 0, '2026-11-21T10:03:00Z', 'available', 'flow', "
            "'{\"flow\": \"greeting\", \"version\": 3, \"data\": {}}')"
        );
    }

    void cancel_the_one_in_line() {
        world.database.execute("update postrider.job set state = 'cancelled', "
                               "finished_at = '2026-11-21T10:03:01Z' where job_id = 54");
    }

    std::vector<std::string> states_of(int job) {
        std::vector<std::string> all;
        auto const shown = world.get("/api/v1/executions/" + std::to_string(job));
        EXPECT_EQ(shown.status, 200);
        for (auto const& each : shown.body.at("nodes").as_array())
            all.emplace_back(each.at("state").as_string());
        return all;
    }

    api_world world;
};

TEST_F(api_executions, are_listed_newest_first_by_every_filter) {
    EXPECT_THAT(listed(""), ElementsAre(53, 52, 51));
    EXPECT_THAT(listed("flow=greeting&version=3"), ElementsAre(52, 51));
    EXPECT_THAT(listed("flow=other"), IsEmpty());
    EXPECT_THAT(listed("state=failed,waiting"), ElementsAre(53, 52));
    EXPECT_THAT(listed("kind=turn"), IsEmpty());
    EXPECT_THAT(listed("error_class=timeout"), ElementsAre(53));
    EXPECT_THAT(listed("after=2026-11-21T10:01:00Z&before=2026-11-21T10:02:00Z"), ElementsAre(52));
    auto const page = world.get("/api/v1/executions?limit=2").body;
    EXPECT_EQ(page.at("next").as_string(), "52");
    EXPECT_THAT(listed("limit=2&cursor=52"), ElementsAre(51));
}

TEST_F(api_executions, say_which_version_they_have_and_which_is_current) {
    auto const waiting = world.get("/api/v1/executions/52").body;

    EXPECT_EQ(waiting.at("version").as_int64(), 3);
    EXPECT_EQ(waiting.at("current_version").as_int64(), 5);
    EXPECT_TRUE(waiting.at("trial").as_bool());

    world.database.execute("update postrider.flow set archived_at = postrider.now()");
    EXPECT_TRUE(world.get("/api/v1/executions/52").body.at("current_version").is_null());
}

TEST_F(api_executions, say_whether_their_flow_ended_them_on_purpose) {
    auto const stopped = [&](int job) {
        return world.get("/api/v1/executions/" + std::to_string(job)).body.at("stopped").as_bool();
    };
    world.database.execute(
        "update postrider.job set error_class = 'refused', "
        "output = '{\"error\": {\"code\": \"refused\", \"data\": {\"reason\": \"stopped\"}}}' "
        "where job_id = 53"
    );

    EXPECT_TRUE(stopped(53));
    EXPECT_FALSE(stopped(51));
    auto const page = world.get("/api/v1/executions").body;
    EXPECT_TRUE(page.at("executions").at(0).at("stopped").as_bool());
    EXPECT_FALSE(page.at("executions").at(1).at("stopped").as_bool());
}

// What a person forked a job with need not be what a flow takes.
TEST_F(api_executions, are_listed_whatever_their_input_is) {
    world.database.execute(
        "update postrider.job set input = '{\"flow\": \"greeting\", \"version\": \"12345678901\"}'"
        " where job_id = 51"
    );

    EXPECT_THAT(listed("flow=greeting"), ElementsAre(53, 52, 51));
    auto const shown = world.get("/api/v1/executions/51").body;
    EXPECT_TRUE(shown.at("version").is_null());
    EXPECT_TRUE(shown.at("nodes").is_null());
    EXPECT_THAT(std::string(shown.at("unknown_flow").as_string()), HasSubstr("no version"));
}

TEST_F(api_executions, are_shown_with_what_went_through_their_nodes) {
    auto const over = world.get("/api/v1/executions/51").body;
    auto const& ask = over.at("nodes").at(1);

    EXPECT_EQ(over.at("input").at("data").at("token").as_string(), "•••");
    EXPECT_EQ(ask.at("node").as_string(), "ask");
    EXPECT_EQ(ask.at("state").as_string(), "done");
    EXPECT_EQ(ask.at("began_ms").to_number<double>(), 4000.0);
    EXPECT_EQ(ask.at("ended_ms").to_number<double>(), 4500.0);
    EXPECT_EQ(
        boost::json::serialize(ask.at("outputs")),
        R"({"main":[{"text":"hi","token":"•••","event":{"name":"Ann","password":"•••"}}]})"
    );
    EXPECT_EQ(over.at("nodes").at(2).at("outputs").at("main").at(0).at("name").as_string(), "Ann");
    EXPECT_EQ(over.at("totals").at("tries").as_int64(), 1);
    EXPECT_EQ(over.at("totals").at("acted_ms").to_number<double>(), 0.0) << "it only waited";
    EXPECT_EQ(over.at("totals").at("tokens_in").as_int64(), 100);

    auto const waiting = world.get("/api/v1/executions/52").body;
    EXPECT_EQ(waiting.at("nodes").at(1).at("state").as_string(), "waiting");
    EXPECT_EQ(waiting.at("nodes").at(2).at("state").as_string(), "not_reached");
}

TEST_F(api_executions, are_shown_with_the_graph_of_the_version_that_ran) {
    auto const items = [&](int job) {
        std::vector<std::int64_t> all;
        auto const shown = world.get("/api/v1/executions/" + std::to_string(job)).body;
        for (auto const& connection : shown.at("connections").as_array())
            all.push_back(connection.at("items").to_number<std::int64_t>());
        return all;
    };
    auto const over = world.get("/api/v1/executions/51").body;

    EXPECT_EQ(
        boost::json::serialize(over.at("connections").at(0)),
        R"({"type":"main","from":"start","output":"main","to":"ask","input":"main","items":1})"
    );
    EXPECT_THAT(items(51), ElementsAre(1, 1));
    EXPECT_THAT(items(52), ElementsAre(1, 0)) << "it waits";
    EXPECT_THAT(items(53), testing::SizeIs(1)) << "version 5 asks nothing";
    EXPECT_EQ(over.at("nodes").at(1).at("tries").as_int64(), 1);
    EXPECT_EQ(over.at("nodes").at(2).at("tries").as_int64(), 0);
    EXPECT_TRUE(over.at("nodes").at(1).at("position").is_null());
}

TEST_F(api_executions, are_told_as_events_with_ids) {
    auto const all = events_of(51);

    EXPECT_THAT(all, HasSubstr("id: 1\nevent: started\n"));
    EXPECT_THAT(all, HasSubstr("event: node_started\ndata: {\"node\":\"ask\""));
    EXPECT_THAT(all, HasSubstr("id: 4\nevent: step\ndata: {\"node\":\"ask\""));
    EXPECT_THAT(all, HasSubstr("id: 7\nevent: node_finished\ndata: {\"node\":\"note\""));
    EXPECT_THAT(all, HasSubstr("id: 8\nevent: done\n"));
    EXPECT_THAT(all, EndsWith("\n\n"));
}

TEST_F(api_executions, are_told_from_where_a_watcher_was) {
    auto const rest = events_of(51, "?cursor=6");

    EXPECT_THAT(rest, Not(HasSubstr("\"node\":\"ask\"")));
    EXPECT_THAT(rest, HasSubstr("id: 7\nevent: node_finished\n"));
    EXPECT_EQ(world.get("/api/v1/executions/51/events?cursor=8").status, 204);
    EXPECT_EQ(world.get("/api/v1/executions/51/events?cursor=x").status, 400);
    // It was restarted since: what was told then does not count.
    world.database.execute("update postrider.job set restarts = 1 where job_id = 51");
    EXPECT_THAT(events_of(51, "?cursor=8"), HasSubstr("id: 1.1\nevent: started\n"));
    EXPECT_EQ(world.get("/api/v1/executions/51/events?cursor=8.1").status, 204);
}

TEST_F(api_executions, are_told_while_they_go_on) {
    auto watch = [this]() -> base::awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(world.address());
        co_await line.send(
            "GET /api/v1/executions/52/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 1\r\n"
            "Authorization: Bearer " +
            std::string(api_world::owner) + "\r\n\r\n"
        );
        auto heard = co_await line.read_until("event: waiting\n");
        EXPECT_THAT(heard, HasSubstr("Content-Type: text/event-stream\r\n"));
        EXPECT_THAT(heard, Not(HasSubstr("event: started\n")));
        agent::flow::node elsewhere;
        elsewhere.id = "note";
        world.executions_here.hub.of(job_id{52})->node_started(elsewhere, {});
        heard = co_await line.read_until("\"items\":0}\n\n");
        EXPECT_THAT(heard, HasSubstr("event: node_started\ndata: {\"node\":\"note\""));
        auto const seen = world.executions_here.hub.of(job_id{52});
        seen->node_reported(elsewhere, agent::flow::model_chunk, {{"text", "ha"}});
        seen->node_reported(elsewhere, agent::flow::model_chunk, {{"text", "ha"}});
        heard = co_await line.read_until("\"ha\"}}\n\n");
        heard = co_await line.read_until("\"ha\"}}\n\n"); // the same words again
        answer_the_question();
        world.clock.advance(1s);
        seen->began(); // the record is looked at, and words come while it is
        for (int i = 0; i < 5; ++i)
            co_await base::asio::post(
                co_await base::asio::this_coro::executor, base::asio::use_awaitable
            );
        seen->node_reported(elsewhere, agent::flow::model_chunk, {{"text", "last words"}});
        co_return co_await line.read_to_end();
    };

    auto const rest = world.io.run(watch());

    EXPECT_LT(rest.find("last words"), rest.find("event: done"));
    EXPECT_THAT(rest, HasSubstr("id: 4\nevent: step\n"));
    EXPECT_THAT(rest, HasSubstr("id: 8\nevent: done\n"));
    EXPECT_THAT(rest, EndsWith("\r\n0\r\n\r\n"));
}

TEST_F(api_executions, are_not_looked_at_anew_for_every_progress) {
    auto watch = [this]() -> base::awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(world.address());
        co_await line.send(
            "GET /api/v1/executions/52/events HTTP/1.1\r\nHost: a\r\n"
            "Authorization: Bearer " +
            std::string(api_world::owner) + "\r\n\r\n"
        );
        co_await line.read_until("event: waiting\n");
        agent::flow::node which;
        which.id = "note";
        auto const seen = world.executions_here.hub.of(job_id{52});
        answer_the_question();
        std::string heard;
        for (int i = 0; i < 3; ++i) {
            seen->began(); // no time has passed since the last look
            seen->node_reported(which, agent::flow::model_chunk, {{"text", std::to_string(i)}});
            heard += co_await line.read_until("\"" + std::to_string(i) + "\"}}\n\n");
        }
        EXPECT_THAT(heard, Not(HasSubstr("event: done\n")));
        world.clock.advance(100ms);
        co_return co_await line.read_to_end();
    };

    EXPECT_THAT(world.io.run(watch()), HasSubstr("id: 8\nevent: done\n"));
}

TEST_F(api_executions, of_a_frozen_database_are_503_after_a_few_seconds_and_leave_no_doubt) {
    for (auto const& endpoint : world.executions_here.endpoints()) {
        failing_database database{base::errc::timeout};
        api::call asked{.request = {}, .by = {}, .db = database, .name = {}};
        asked.use = api::database_use::read;
        asked.request.method = endpoint.method;
        asked.request.params = {{"id", "51"}};

        auto const answer = world.io.run(endpoint.handle(std::move(asked)));

        auto const name = endpoint.method + " " + endpoint.pattern;
        EXPECT_EQ(answer.status, 503) << name;
        EXPECT_THAT(answer.body, HasSubstr("nothing was changed")) << name;
        EXPECT_THAT(database.waits, Each(api::database_waits.read)) << name;
        EXPECT_EQ(database.waits.size(), 1u) << name;
    }
}

TEST_F(api_executions, that_never_began_are_shown) {
    add_one_in_line();
    EXPECT_THAT(states_of(54), Each("not_reached"));

    cancel_the_one_in_line();
    EXPECT_THAT(states_of(54), Each("skipped"));
}

TEST_F(api_executions, that_never_began_are_told_of_when_they_end) {
    add_one_in_line();
    auto watch = [this]() -> base::awaitable<std::string> {
        raw_connection line{co_await base::asio::this_coro::executor};
        line.connect(world.address());
        co_await line.send(
            "GET /api/v1/executions/54/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer " +
            std::string(api_world::owner) + "\r\n\r\n"
        );
        auto const head = co_await line.read_until("\r\n\r\n");
        EXPECT_THAT(head, HasSubstr("200 OK"));
        auto const seen = world.executions_here.hub.of(job_id{54});
        agent::flow::node elsewhere;
        seen->node_reported(elsewhere, agent::flow::model_chunk, {{"text", "ha"}});
        co_await line.read_until("\"ha\"}}\n\n"); // it is watched from here on
        cancel_the_one_in_line();
        world.clock.advance(500ms);
        seen->began();
        co_return co_await line.read_to_end();
    };

    EXPECT_THAT(world.io.run(watch()), HasSubstr("id: 1\nevent: cancelled\n"));
    EXPECT_THAT(events_of(54), HasSubstr("id: 1\nevent: cancelled\n"));
    EXPECT_EQ(world.get("/api/v1/executions/54/events?cursor=1").status, 204);
}

TEST_F(api_executions, that_never_began_are_replayed_as_far_as_they_go) {
    add_one_in_line();
    auto const queued = world.post("/api/v1/executions/54/replay").body;
    auto const other = world.post("/api/v1/executions/54/replay", R"({"version": 5})").body;

    EXPECT_EQ(queued.at("state").as_string(), "unfinished");
    EXPECT_EQ(
        boost::json::serialize(queued.at("departures")), R"({"missing":["ask/event"],"unasked":[]})"
    );
    EXPECT_EQ(other.at("state").as_string(), "completed");
}

TEST_F(api_executions, are_jobs_that_run_flows_and_no_others) {
    EXPECT_EQ(world.get("/api/v1/executions/41").status, 404);
    EXPECT_EQ(world.get("/api/v1/executions/41/events").status, 404);
}

} // namespace
} // namespace postrider::tests::executions_test
