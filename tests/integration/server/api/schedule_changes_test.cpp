// Schedules, defined over the API.
#include "tests/integration/server/api/api_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::schedule_changes_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct schedule_changes : testing::Test {
    api_world world;

    api_answer put(std::string body) {
        return world.ask("PUT", "/api/v1/schedules/morning", std::move(body));
    }
    // The mistakes of a body that is refused.
    std::vector<std::string> mistakes(std::string body) {
        auto const answer = put(std::move(body));
        EXPECT_EQ(answer.status, 400);
        std::vector<std::string> all;
        for (auto const& text : answer.body.at("errors").as_array())
            all.emplace_back(text.as_string());
        return all;
    }
    std::string audited() {
        return world.database.value(
            "select string_agg(kind || ' ' || actor || ' ' || subject, ', ' "
            "order by number) from postrider.audit where kind like "
            "'schedule%'"
        );
    }
};

TEST_F(schedule_changes, make_and_change_a_schedule) {
    auto const creation = put(R"({"kind": "turn", "cron": "0 9 * * *", "timezone": "Europe/Berlin",
                              "input": {"a": 1}, "missed": "all", "overlap": "skip"})");
    auto const changed = put(R"({"kind": "turn", "at": "2036-12-24T18:00", "lane": "schedule:x",
                                 "timezone": "Europe/Berlin"})");

    EXPECT_EQ(creation.status, 201);
    EXPECT_EQ(creation.body.at("cron"), "0 9 * * *");
    EXPECT_EQ(creation.body.at("missed"), "all");
    EXPECT_EQ(creation.body.at("overlap"), "skip");
    EXPECT_EQ(creation.body.at("next").as_array().size(), 5u);
    EXPECT_EQ(changed.status, 200);
    EXPECT_EQ(changed.body.at("at"), "2036-12-24T17:00:00Z");
    EXPECT_EQ(changed.body.at("lane"), "schedule:x");
    EXPECT_TRUE(changed.body.at("cron").is_null());
    EXPECT_EQ(
        audited(), "schedule_set owner schedule:morning, schedule_change owner schedule:morning"
    );
}

TEST_F(schedule_changes, overwrite_no_definition_that_was_not_seen) {
    auto const put_if = [&](std::string body, std::string condition, std::string tag) {
        net::header_list headers;
        headers.add(condition, tag);
        return world.ask_with(headers, "PUT", "/api/v1/schedules/morning", std::move(body));
    };
    auto const none = put_if(R"({"kind": "turn", "cron": "@daily"})", "If-Match", "*");
    auto const creation = put_if(R"({"kind": "turn", "cron": "@daily"})", "If-None-Match", "*");
    auto const repeated = put_if(R"({"kind": "turn", "cron": "@hourly"})", "If-None-Match", "*");
    auto const seen = std::string(creation.body.at("etag").as_string());
    world.database.execute("update postrider.schedule set runs = 4, last_at = postrider.now()");
    world.post("/api/v1/schedules/morning/pause");
    auto const first = put_if(R"({"kind": "turn", "cron": "@weekly"})", "If-Match", seen);
    auto const second = put_if(R"({"kind": "turn", "cron": "@yearly"})", "If-Match", seen);

    EXPECT_EQ(none.status, 412);
    EXPECT_EQ(creation.status, 201);
    EXPECT_EQ(creation.headers.find("ETag"), seen);
    EXPECT_EQ(repeated.code(), "precondition_failed");
    EXPECT_EQ(first.status, 200) << "runs and pauses are no change of the definition";
    EXPECT_EQ(second.status, 412);
    auto const now = world.get("/api/v1/schedules/morning");
    EXPECT_EQ(now.body.at("cron"), "@weekly");
    EXPECT_EQ(now.headers.find("ETag"), first.headers.find("ETag"));
    EXPECT_NE(now.headers.find("ETag"), seen);
}

TEST_F(schedule_changes, keep_the_time_limit_that_they_do_not_name) {
    auto const limit = [&](std::string member) {
        return put(R"({"kind": "turn", "cron": "@daily")" + member + "}").body.at("time_limit_ms");
    };

    EXPECT_TRUE(limit("").is_null());
    EXPECT_EQ(limit(R"(, "time_limit_ms": 60000)"), 60000);
    EXPECT_EQ(limit(""), 60000);
    EXPECT_EQ(world.get("/api/v1/schedules").body.at("schedules").at(0).at("time_limit_ms"), 60000);
    EXPECT_TRUE(limit(R"(, "time_limit_ms": null)").is_null());
    EXPECT_EQ(put(R"({"kind": "turn", "cron": "@daily", "time_limit_ms": 0})").status, 400);
}

TEST_F(schedule_changes, name_the_member_of_each_mistake) {
    auto const all =
        mistakes(R"({"cron": "0 25 * * *", "missed": "never", "overlap": "x", "kind": "order"})");

    ASSERT_EQ(all.size(), 4u);
    EXPECT_THAT(all[0], HasSubstr("kind: a server runs turn, flow, "));
    EXPECT_THAT(all[1], testing::StartsWith("cron: hour (column 3)"));
    EXPECT_THAT(all[2], HasSubstr("missed: "));
    EXPECT_THAT(all[3], HasSubstr("overlap: "));
    auto const only = [&](std::string rest) {
        auto const found = mistakes(R"({"kind": "turn", )" + rest + "}");
        return found.size() == 1 ? found[0] : "not one";
    };
    EXPECT_THAT(only(R"("cron": "@daily", "timezone": "Berlin")"), HasSubstr("timezone: "));
    EXPECT_THAT(only(R"("at": "soon")"), HasSubstr("at: \"soon\" is not a time"));
    EXPECT_THAT(only(R"("at": "2020-01-01")"), HasSubstr("at: 2020-01-01T00:00:00Z is past"));
    EXPECT_THAT(only(R"("at": "in 2h", "cron": "@daily")"), HasSubstr("cron: "));
    EXPECT_THAT(only(R"("at": null)"), HasSubstr("either a cron expression or one time"));
    EXPECT_THAT(only(R"("cron": "@daily", "lane": "1:9:0")"), HasSubstr("lane: there is no lane"));
    auto const long_kind = mistakes(
        R"({"cron": "@daily", "any_kind": true, "kind": ")" + std::string(201, 'k') + "\"}"
    );
    EXPECT_THAT(long_kind, ElementsAre(testing::StartsWith("kind ")));
    EXPECT_EQ(world.database.value("select count(*) from postrider.schedule"), "0");
}

TEST_F(schedule_changes, refuse_a_flow_that_cannot_start) {
    auto const refusal = [&](std::string input) {
        auto const found =
            mistakes(R"({"kind": "flow", "cron": "@daily", "input": )" + input + "}");
        return found.size() == 1 ? found[0] : "not one";
    };

    EXPECT_THAT(refusal("{}"), HasSubstr("input: a flow's job needs"));
    EXPECT_THAT(
        refusal(R"({"flow": "report", "version": 1})"), HasSubstr("input: there is no flow report")
    );
}

TEST_F(schedule_changes, accept_a_kind_of_another_program_where_it_is_said) {
    EXPECT_EQ(put(R"({"kind": "order", "cron": "@daily", "any_kind": true})").status, 201);
}

TEST_F(schedule_changes, pause_resume_and_remove_it) {
    put(R"({"kind": "turn", "cron": "@daily"})");

    auto const paused = world.post("/api/v1/schedules/morning/pause");
    auto const resumed = world.post("/api/v1/schedules/morning/resume");
    auto const removed = world.ask("DELETE", "/api/v1/schedules/morning");
    auto const again = world.ask("DELETE", "/api/v1/schedules/morning");

    EXPECT_EQ(paused.body.at("state"), "paused");
    EXPECT_EQ(resumed.body.at("state"), "active");
    EXPECT_EQ(removed.status, 204);
    EXPECT_EQ(again.status, 404);
    EXPECT_THAT(audited(), HasSubstr("schedule_remove owner schedule:morning"));
}

TEST_F(schedule_changes, show_the_next_times_before_they_are_made) {
    auto const berlin = "/api/v1/schedule-times?cron=0%209%20*%20*%20*&timezone=Europe/Berlin";
    auto const times = world.get(berlin + std::string("&count=2"));
    auto const wrong = world.get("/api/v1/schedule-times?cron=0%2025%20*%20*%20*");

    ASSERT_EQ(times.body.at("times").as_array().size(), 2u);
    EXPECT_THAT(std::string(times.body.at("times").at(0).as_string()), HasSubstr("T09:00:00"));
    EXPECT_EQ(wrong.status, 400);
    EXPECT_THAT(std::string(wrong.body.at("errors").at(0).as_string()), HasSubstr("cron: "));
    EXPECT_EQ(world.database.value("select count(*) from postrider.schedule"), "0");
}

} // namespace
} // namespace postrider::tests::schedule_changes_test
