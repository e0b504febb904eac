// Flows that are started by hand and at times, over HTTP: which version runs, and in which lane.
#include "tests/integration/server/api/api_world.hpp"
#include "tests/support/flow_builder.hpp"
#include "tests/support/flow_documents.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::flow_runs_test {
namespace {

namespace json = boost::json;

std::string text(json::value const& value, std::string_view name) {
    return std::string(value.at(name).as_string());
}

TEST(api_flow_runs, a_run_pins_the_version_that_is_published) {
    api_world world;
    EXPECT_EQ(world.post("/api/v1/flows", manual_flow("greeter")).status, 201);
    EXPECT_EQ(world.post("/api/v1/flows/greeter/run").code(), "not_published");
    world.post("/api/v1/flows/greeter/publish");

    auto const run = world.post("/api/v1/flows/greeter/run", R"({"data": {"who": "you"}})");

    ASSERT_EQ(run.status, 202);
    auto const id = std::to_string(run.body.at("job_id").as_int64());
    EXPECT_EQ(run.headers.find("Location"), "/api/v1/jobs/" + id);
    auto const job = world.get("/api/v1/jobs/" + id);
    EXPECT_EQ(text(job.body, "kind"), "flow");
    EXPECT_THAT(text(job.body, "lane"), testing::StartsWith("flow:greeter/"));
    EXPECT_EQ(text(job.body.at("input"), "flow"), "greeter");
    EXPECT_EQ(job.body.at("input").at("version").as_int64(), 1);
    EXPECT_EQ(text(job.body.at("input"), "trigger"), "in");
    EXPECT_EQ(text(job.body.at("input").at("data"), "who"), "you");
}

TEST(api_flow_runs, a_run_under_a_key_is_one_however_often_it_is_asked_for) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter"));
    auto const run = [&](std::string key, std::string body) {
        return world.ask_with(
            {{"Idempotency-Key", std::move(key)}}, "POST", "/api/v1/flows/greeter/run", body
        );
    };

    auto const refused = run("k1", R"({"trigger": "nowhere"})");
    auto const first = run("k1", R"({"data": {"n": 1}})");
    auto const again = run("k1", R"({"data": {"n": 1}})");
    auto const other = run("k1", R"({"data": {"n": 2}})");
    auto const next = run("k2", R"({"data": {"n": 1}})");

    EXPECT_EQ(refused.code(), "no_trigger");
    ASSERT_EQ(first.status, 202) << "a refusal keeps no key";
    EXPECT_EQ(again.status, 202);
    EXPECT_EQ(again.body, first.body);
    EXPECT_EQ(again.headers.find("Location"), first.headers.find("Location"));
    EXPECT_EQ(other.status, 422);
    EXPECT_EQ(other.code(), "key_reused");
    EXPECT_NE(next.body.at("job_id"), first.body.at("job_id"));
    EXPECT_EQ(world.database.value("select count(*) from postrider.job where kind = 'flow'"), "2");
}

TEST(api_flow_runs, a_run_of_the_draft_keeps_it_with_the_job) {
    api_world world;
    EXPECT_EQ(world.post("/api/v1/flows", manual_flow("greeter")).status, 201);

    auto const run = world.post("/api/v1/flows/greeter/run", R"({"version": "draft"})");
    auto const wrong = world.post("/api/v1/flows/greeter/run", R"({"version": "newest"})");

    ASSERT_EQ(run.status, 202) << run.body;
    EXPECT_EQ(run.body.at("version").as_int64(), 0);
    EXPECT_EQ(wrong.status, 400);
    auto const id = std::to_string(run.body.at("job_id").as_int64());
    auto const shown = world.get("/api/v1/executions/" + id);
    EXPECT_EQ(shown.status, 200);
    EXPECT_TRUE(shown.body.at("nodes").is_array()) << shown.body;
    EXPECT_TRUE(shown.body.at("trial").as_bool());
    auto const replay = "/api/v1/executions/" + id + "/replay";
    EXPECT_EQ(world.post(replay, R"({"version": "draft"})").status, 200);
    EXPECT_EQ(world.post(replay, R"({"version": "published"})").code(), "not_published");
    EXPECT_EQ(world.post(replay, R"({"version": "newest"})").status, 400);
}

TEST(api_flow_runs, pinned_items_of_the_draft_are_for_runs_of_the_draft) {
    api_world world;
    auto document = json::parse(manual_flow("greeter")).as_object();
    auto const first = std::string(document.at("nodes").at(0).at("name").as_string());
    json::object pins;
    pins[first] = json::array{json::object{{"who", "pinned"}}};
    pins["Renamed since"] = json::array{json::object{{"who", "nobody"}}};
    document["pinned"] = std::move(pins);
    world.post("/api/v1/flows/import?publish=true", json::serialize(document));
    auto const pinned = [&](std::string body) {
        auto const run = world.post("/api/v1/flows/greeter/run", std::move(body));
        EXPECT_EQ(run.status, 202) << run.body;
        auto const id = std::to_string(run.body.at("job_id").as_int64());
        return world.database.value(
            "select coalesce(input ->> 'pinned', '') from postrider.job where job_id = " + id
        );
    };

    EXPECT_EQ(pinned(R"({"version": "draft"})"), R"({")" + first + R"(": [{"who": "pinned"}]})");
    EXPECT_EQ(pinned(R"({"version": "draft", "pinned": {}})"), "");
    EXPECT_EQ(pinned("{}"), "") << "what is published runs";
}

TEST(api_flow_runs, a_run_may_end_at_a_node) {
    api_world world;
    world.post("/api/v1/flows", manual_flow("greeter"));
    auto const document = json::parse(manual_flow("greeter"));
    auto const& first = document.at("nodes").at(0);
    json::object const body{{"version", "draft"}, {"until", first.at("name")}};

    auto const run = world.post("/api/v1/flows/greeter/run", json::serialize(body));
    auto const unknown = R"({"version": "draft", "until": "nowhere"})";
    auto const twice = R"({"version": "draft", "start": "x", "only": true, "until": "x"})";

    ASSERT_EQ(run.status, 202) << run.body;
    auto const id = std::to_string(run.body.at("job_id").as_int64());
    EXPECT_EQ(
        world.database.value("select input ->> 'until' from postrider.job where job_id = " + id),
        std::string(first.at("id").as_string())
    );
    EXPECT_EQ(world.post("/api/v1/flows/greeter/run", unknown).code(), "not_found");
    EXPECT_EQ(world.post("/api/v1/flows/greeter/run", twice).status, 400);
}

TEST(api_flow_runs, a_run_that_cannot_be_is_refused) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter"));
    auto const run = [&](std::string body) {
        return world.post("/api/v1/flows/greeter/run", std::move(body));
    };

    EXPECT_EQ(run(R"({"version": 7})").status, 404);
    EXPECT_EQ(run(R"({"trigger": "out"})").code(), "no_trigger");
    EXPECT_EQ(run(R"({"start": "nowhere"})").code(), "not_found");
    EXPECT_EQ(run(R"({"lane": "9:9:9"})").code(), "no_lane");
    EXPECT_EQ(run(R"({"lane": "1:5:0"})").status, 202);
    world.database.execute("insert into postrider.lane (lane_key) values ('chat:gone');"
                           "update postrider.lane_run r set closed = true from postrider.lane l "
                           "where l.lane_id = r.lane_id and l.lane_key = 'chat:gone'");
    EXPECT_EQ(run(R"({"lane": "chat:gone"})").code(), "no_lane");
    EXPECT_EQ(run(R"({"lane": "flow:other"})").status, 202);
    EXPECT_EQ(run(R"({"pinned": 1})").status, 400);
    EXPECT_EQ(run(R"({"pinned": {"Nobody": [{}]}})").code(), "not_found");
    EXPECT_EQ(run(R"({"only": true})").status, 400);
    EXPECT_EQ(world.database.value("select count(*) from postrider.job where kind = 'flow'"), "2");
}

TEST(api_flow_runs, a_run_that_could_begin_at_several_triggers_names_them) {
    api_world world;
    world.post(
        "/api/v1/flows/import?publish=true",
        flow_builder("report")
            .trigger("Morning", "schedule", {{"cron", "0 9 * * *"}})
            .trigger("Evening", "schedule", {{"cron", "0 21 * * *"}})
            .text()
    );

    auto const refused = world.post("/api/v1/flows/report/run");

    EXPECT_EQ(refused.code(), "no_trigger");
    EXPECT_THAT(
        text(refused.body, "detail"),
        testing::HasSubstr("2 triggers: name one by `trigger` (--trigger): Morning, Evening")
    );
}

// None waits for another, unless the settings say so.
TEST(api_flow_runs, executions_run_side_by_side) {
    api_world world;
    world.post("/api/v1/flows/import?publish=true", manual_flow("greeter"));
    for (int n = 0; n < 3; ++n) world.post("/api/v1/flows/greeter/run");
    EXPECT_EQ(
        world.database.value("select count(distinct lane_id) from postrider.job where kind = 'flow'"
        ),
        "3"
    );
}

// By hand and at a time: what the settings give counts for both.
TEST(api_flow_runs, executions_run_in_the_lane_that_the_settings_give) {
    api_world world;
    auto const answer = world.post(
        "/api/v1/flows/import?publish=true",
        flow_builder("report")
            .settings(
                {{"lane", "{{ 'team' in $json ? $json.team : 'all' }}"}, {"mailbox", "coalesce"}}
            )
            .trigger("In", "manual")
            .trigger("At", "schedule", {{"cron", "0 9 * * *"}})
            .text()
    );
    ASSERT_EQ(answer.status, 201) << answer.body;
    EXPECT_EQ(
        world.database.value("select concat_ws(' ', s.lane_key, l.mailbox) from postrider.schedule "
                             "s join postrider.lane l using (lane_key)"),
        "flow:report:all coalesce"
    );

    world.post("/api/v1/flows/report/run", R"({"data": {"team": "red"}})");
    world.post("/api/v1/flows/report/run", R"({"data": {"team": "red"}, "lane": "flow:other"})");

    EXPECT_EQ(
        world.database.value(
            "select string_agg(concat_ws(' ', l.lane_key, l.mailbox), ', ' order by j.job_id) from "
            "postrider.job j join postrider.lane l using (lane_id) where kind = 'flow'"
        ),
        "flow:report:red coalesce, flow:other coalesce"
    );
}

// A schedule pins the version as well, and follows the publication.
TEST(api_flow_runs, schedules_follow_what_is_published) {
    api_world world;
    auto const daily = [](std::string_view cron) {
        return flow_builder("daily").trigger("At", "schedule", {{"cron", cron}}).text();
    };
    auto const row = [&] {
        return world.database.value(
            "select concat_ws(' ', name, cron, input ->> 'version') from postrider.schedule"
        );
    };

    world.post("/api/v1/flows/import?publish=true", daily("0 9 * * *"));
    EXPECT_EQ(row(), "flow:daily:at 0 9 * * * 1");
    world.post("/api/v1/flows/import?publish=true", daily("0 10 * * *"));
    EXPECT_EQ(row(), "flow:daily:at 0 10 * * * 2");
    world.post("/api/v1/flows/daily/archive");
    EXPECT_EQ(row(), "");
    world.post("/api/v1/flows/daily/unarchive");
    EXPECT_EQ(row(), "flow:daily:at 0 10 * * * 2");
    world.post("/api/v1/flows/import?publish=true", manual_flow("daily"));
    EXPECT_EQ(row(), "");
}

} // namespace
} // namespace postrider::tests::flow_runs_test
