// What listings and operations answer, and what they do.
#include "tests/integration/server/api/api_world.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::jobs_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using ids = std::vector<std::int64_t>;

ids ids_of(boost::json::value const& list, std::string_view member = "job_id") {
    ids all;
    for (auto const& each : list.as_array()) all.push_back(each.at(member).as_int64());
    return all;
}

ids numbers(boost::json::value const& list) {
    ids all;
    for (auto const& each : list.as_array()) all.push_back(each.as_int64());
    return all;
}

class api_jobs : public testing::Test {
protected:
    ids listed(std::string query) {
        return ids_of(world.get("/api/v1/jobs?" + query).body.at("jobs"));
    }

    std::string state_of(int job) {
        return world.database.value(
            "select state from postrider.job where job_id = " + std::to_string(job)
        );
    }

    api_world world;
};

TEST_F(api_jobs, are_listed_newest_first_by_every_filter) {
    EXPECT_THAT(listed(""), ElementsAre(46, 45, 44, 43, 42, 41));
    EXPECT_THAT(listed("state=failed,paused"), ElementsAre(43, 42));
    EXPECT_THAT(listed("kind=report"), ElementsAre(45));
    EXPECT_THAT(listed("lane=1%3A6%3A0"), ElementsAre(46));
    EXPECT_THAT(listed("lane_text=%3A6%3A"), ElementsAre(46));
    EXPECT_THAT(listed("error_class=invalid"), ElementsAre(42));
    EXPECT_THAT(
        listed("after=2026-11-21T09:02:00Z&before=2026-11-21T09:04:00Z"), ElementsAre(44, 43)
    );
    EXPECT_THAT(listed("lane=none"), IsEmpty());
}

TEST_F(api_jobs, come_in_pages_that_join_without_a_gap) {
    ids all;
    std::string cursor;
    for (int pages = 0; pages < 4; ++pages) {
        auto const page = world.get("/api/v1/jobs?limit=2" + cursor).body;
        for (auto id : ids_of(page.at("jobs"))) all.push_back(id);
        auto const* next = page.as_object().if_contains("next");
        if (!next) break;
        cursor = "&cursor=" + std::string(next->as_string());
    }

    EXPECT_THAT(all, ElementsAre(46, 45, 44, 43, 42, 41));
}

TEST_F(api_jobs, are_shown_with_all_that_is_known) {
    auto const over = world.get("/api/v1/jobs/41").body;
    auto const waiting = world.get("/api/v1/jobs/44").body;

    EXPECT_EQ(over.at("created_at").as_string(), "2026-11-21T09:00:00.000000Z");
    EXPECT_EQ(over.at("age_ms").to_number<double>(), 3000.0);
    EXPECT_EQ(over.at("input").at("agent").as_string(), "assistant");
    EXPECT_EQ(over.at("steps").as_array().size(), 2u);
    EXPECT_EQ(over.at("steps").at(0).at("error_class").as_string(), "overloaded");
    EXPECT_EQ(over.at("effects").as_array().size(), 2u);
    EXPECT_EQ(waiting.at("waits").at(0).at("type").as_string(), "reply");
    EXPECT_TRUE(waiting.at("waits_for").is_string()) << boost::json::serialize(waiting);
}

TEST_F(api_jobs, with_large_values_are_shown_with_the_beginning_of_each) {
    world.database.execute(
        "update postrider.step set result = to_jsonb(array_fill('some words'::text, array[5000])) "
        "where job_id = 41 and key = 'model' and outcome = 'done'"
    );

    auto const whole = world.get("/api/v1/jobs/41").body;
    auto const bounded = world.get("/api/v1/jobs/41?most_bytes=1000").body;

    EXPECT_EQ(whole.at("steps").at(1).at("result").as_array().size(), 5000u);
    EXPECT_FALSE(whole.as_object().contains("cut"));
    EXPECT_EQ(boost::json::serialize(bounded.at("cut")), R"(["/steps/1/result"])");
    auto const& beginning = bounded.at("steps").at(1).at("result").as_array();
    EXPECT_LT(boost::json::serialize(beginning).size(), 2000u);
    EXPECT_EQ(beginning.front().as_string(), "some words");
    // 5,000 times "some words", with a comma and a blank between two.
    EXPECT_EQ(beginning.size(), 72u);
    EXPECT_EQ(beginning.back(), "some… 69000 bytes more");
    EXPECT_EQ(bounded.at("input"), whole.at("input"));
    EXPECT_EQ(world.get("/api/v1/jobs/41?most_bytes=0").status, 400);
}

TEST_F(api_jobs, give_each_value_of_their_record_alone_and_whole) {
    auto const value = [&](std::string const& query) {
        return world.get("/api/v1/jobs/41/value?" + query);
    };

    EXPECT_EQ(value("of=input").body.at("agent").as_string(), "assistant");
    EXPECT_EQ(value("of=step&key=model").body.at("text").as_string(), "hi");
    EXPECT_EQ(value("of=request&key=reply").body.at("chat_id").as_int64(), 5);
    EXPECT_EQ(
        value("of=input").headers.find("Content-Disposition"),
        "attachment; filename=\"job-41-input.json\""
    );
    EXPECT_EQ(value("of=result&key=reply").status, 404);
    EXPECT_EQ(value("of=step&key=other").status, 404);
    EXPECT_EQ(world.get("/api/v1/jobs/99/value?of=input").status, 404);
    EXPECT_EQ(value("of=step").status, 400);
    EXPECT_EQ(value("of=everything").status, 400);
}

// covers: E.12
TEST_F(api_jobs, that_do_not_run_change_at_once) {
    auto const paused = world.post("/api/v1/jobs/45/pause");
    auto const again = world.post("/api/v1/jobs/45/pause");
    auto const cancelled = world.post("/api/v1/jobs/45/cancel");

    EXPECT_EQ(paused.status, 200);
    EXPECT_EQ(paused.body.at("state").as_string(), "paused");
    EXPECT_EQ(again.status, 200);
    EXPECT_EQ(again.code(), "unchanged");
    EXPECT_EQ(cancelled.body.at("state").as_string(), "cancelled");
    EXPECT_EQ(state_of(45), "cancelled");
}

// covers: E.12
TEST_F(api_jobs, that_run_are_asked) {
    auto const answer = world.post("/api/v1/jobs/46/cancel");

    EXPECT_EQ(answer.status, 202);
    EXPECT_EQ(answer.code(), "asked");
    EXPECT_EQ(answer.body.at("asked").as_string(), "cancel");
    EXPECT_EQ(state_of(46), "running");
}

TEST_F(api_jobs, whose_state_forbids_it_are_left_alone_and_say_why) {
    auto const answer = world.post("/api/v1/jobs/41/cancel");

    EXPECT_EQ(answer.status, 409);
    EXPECT_EQ(answer.code(), "over");
    EXPECT_EQ(answer.headers.find("Content-Type"), "application/problem+json");
    EXPECT_FALSE(answer.body.at("detail").as_string().empty());
    EXPECT_EQ(state_of(41), "completed");
}

TEST_F(api_jobs, are_forked_into_a_new_one) {
    auto const fork = world.post("/api/v1/jobs/41/fork", R"({"input": {"agent": "other"}})");

    EXPECT_EQ(fork.status, 201);
    auto const id = fork.body.at("job_id").as_int64();
    EXPECT_GT(id, 46);
    EXPECT_EQ(fork.body.at("forked_from").as_int64(), 41);
    EXPECT_EQ(fork.headers.find("Location"), "/api/v1/jobs/" + std::to_string(id));
}

TEST_F(api_jobs, are_forked_once_under_a_key) {
    auto const fork = [&](std::string key, std::string target, std::string body) {
        return world.ask_with({{"Idempotency-Key", std::move(key)}}, "POST", target, body);
    };
    std::string const body = R"({"input": {"agent": "other"}})";

    auto const first = fork("k1", "/api/v1/jobs/41/fork", body);
    auto const again = fork("k1", "/api/v1/jobs/41/fork", body);
    auto const other = fork("k1", "/api/v1/jobs/41/fork", "{}");
    auto const missing = fork("k1", "/api/v1/jobs/999/fork", body);

    EXPECT_EQ(first.status, 201);
    EXPECT_EQ(again.status, 201);
    EXPECT_EQ(again.body.at("job_id"), first.body.at("job_id"));
    EXPECT_EQ(other.code(), "key_reused");
    EXPECT_EQ(missing.status, 404);
    EXPECT_EQ(fork("k1", "/api/v1/jobs/999/fork", body).status, 404) << "a refusal keeps no key";
    EXPECT_EQ(
        world.database.value("select count(*) from postrider.job where forked_from = 41"), "1"
    );
    EXPECT_EQ(fork("", "/api/v1/jobs/41/fork", body).status, 400);
}

TEST_F(api_jobs, go_on_in_another_version_of_their_flow) {
    world.database.execute(R"sql(
insert into postrider.flow (flow_id, name, draft) overriding system value values (901, 'support', '{}');
insert into postrider.flow_version (flow_id, version, document) values (901, 1, '{}'), (901, 2, '{}');
update postrider.flow set published_version = 2 where flow_id = 901;
insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, finished_at, error_class, input)
select n, 1, 9, 0, 'failed', 'turn', postrider.now(), 'invalid', '{"flow": "support", "version": 1}'
from generate_series(47, 48) n)sql");
    auto const version_of = [this](std::int64_t job) {
        return world.database.value(
            "select input ->> 'version' || coalesce(input ->> 'silent', '') from postrider.job "
            "where job_id = " +
            std::to_string(job)
        );
    };

    auto const none = world.post("/api/v1/jobs/47/retry", R"({"version": 7})");
    auto const wrong = world.post("/api/v1/jobs/47/retry", R"({"version": "newest"})");
    auto const fork = world.post("/api/v1/jobs/47/fork", R"({"version": 2, "answer": true})");
    auto const silent = world.post("/api/v1/jobs/47/fork");
    auto const retry = world.post("/api/v1/jobs/47/retry", R"({"version": "current"})");
    auto const all = world.post("/api/v1/jobs/retry", R"({"flow": "support", "version": 2})");

    EXPECT_EQ(none.status, 409);
    EXPECT_EQ(none.code(), "no_version");
    EXPECT_EQ(wrong.status, 400);
    EXPECT_EQ(version_of(fork.body.at("job_id").as_int64()), "2");
    EXPECT_EQ(version_of(silent.body.at("job_id").as_int64()), "1true");
    EXPECT_EQ(retry.status, 200);
    EXPECT_EQ(numbers(all.body.at("job_ids")), ids{48}) << "47 has not failed any more";
    EXPECT_EQ(version_of(47) + version_of(48), "22");
}

TEST_F(api_jobs, get_the_events_that_are_sent_to_them) {
    auto const sent = world.post(
        "/api/v1/jobs/44/events", R"({"type": "reply", "match": "q1", "payload": {"yes": true}})"
    );

    EXPECT_EQ(sent.status, 200);
    EXPECT_EQ(
        world.database.value("select job_id || type || match || payload from postrider.event"),
        R"(44replyq1{"yes": true})"
    );
}

TEST_F(api_jobs, are_changed_by_the_hundred_with_a_filter) {
    auto const seen = world.post("/api/v1/jobs/cancel", R"({"lane": "1:5:0", "dry_run": true})");
    EXPECT_EQ(state_of(45), "available");
    auto const done = world.post("/api/v1/jobs/cancel", R"({"lane": "1:5:0"})");

    EXPECT_THAT(numbers(seen.body.at("job_ids")), ElementsAre(45, 44, 43));
    EXPECT_EQ(seen.body.at("done").as_int64(), 0);
    EXPECT_EQ(done.body.at("matched").as_int64(), 3);
    EXPECT_EQ(done.body.at("done").as_int64(), 3);
    EXPECT_EQ(state_of(43) + state_of(44) + state_of(45), "cancelledcancelledcancelled");
    EXPECT_EQ(state_of(46), "running");
}

TEST_F(api_jobs, beyond_the_first_hundred_are_changed_too_up_to_the_limit) {
    world.database.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
        "paused_at)"
        " select n, 1, 9, 0, 'paused', 'many', postrider.now() from generate_series(2001, 2350) n"
    );

    auto const some = world.post("/api/v1/jobs/cancel", R"({"kind": "many", "limit": 250})");

    EXPECT_EQ(some.body.at("done").as_int64(), 250);
    EXPECT_TRUE(some.body.at("stopped").is_null());
    EXPECT_EQ(
        world.database.value("select count(*) from postrider.job"
                             " where kind = 'many' and state = 'paused' and job_id < 2101"),
        "100"
    ) << "the newest first";
}

TEST_F(api_jobs, that_a_bulk_operation_cannot_change_are_named_with_the_reason) {
    auto const answer =
        world.post("/api/v1/jobs/cancel", R"({"lane": "1:5:0", "state": ["completed", "paused"]})");

    EXPECT_EQ(answer.body.at("done").as_int64(), 1);
    EXPECT_EQ(ids_of(answer.body.at("refused")), ids{41});
    EXPECT_EQ(answer.body.at("refused").at(0).at("code").as_string(), "over");
}

TEST_F(api_jobs, that_a_bulk_operation_would_refuse_are_told_by_a_dry_run) {
    auto const answer = world.post(
        "/api/v1/jobs/cancel",
        R"({"lane": "1:5:0", "state": ["completed", "paused"], "dry_run": true})"
    );

    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.at("done").as_int64(), 0);
    EXPECT_EQ(answer.body.at("matched").as_int64(), 2);
    EXPECT_EQ(ids_of(answer.body.at("refused")), ids{41});
    EXPECT_EQ(answer.body.at("refused").at(0).at("code").as_string(), "over");
    EXPECT_EQ(state_of(43), "paused") << "nothing was done";
}

TEST_F(api_jobs, are_changed_together_by_their_ids) {
    auto const seen =
        world.post("/api/v1/jobs/cancel", R"({"job_ids": [43, "45", 41], "dry_run": true})");
    EXPECT_EQ(state_of(45), "available");
    auto const done = world.post("/api/v1/jobs/cancel", R"({"job_ids": [43, "45", 41, 43]})");

    EXPECT_EQ(ids_of(seen.body.at("refused")), ids{41});
    EXPECT_THAT(numbers(done.body.at("job_ids")), ElementsAre(45, 43, 41));
    EXPECT_EQ(done.body.at("done").as_int64(), 2);
    EXPECT_EQ(ids_of(done.body.at("refused")), ids{41});
    EXPECT_EQ(state_of(43) + state_of(45) + state_of(44), "cancelledcancelledwaiting");
}

TEST_F(api_jobs, are_named_by_ids_or_by_a_filter_and_not_by_both) {
    std::string many = "1";
    for (int id = 2; id <= 101; ++id) many += "," + std::to_string(id);
    for (auto const& wrong :
         {std::string(R"({"job_ids": [43], "state": ["paused"]})"),
          std::string(R"({"job_ids": [43], "limit": 1})"),
          std::string(R"({"job_ids": []})"),
          std::string(R"({"job_ids": 43})"),
          std::string(R"({"job_ids": [0]})"),
          std::string(R"({"job_ids": ["07"]})"),
          std::string(R"({"job_ids": [1.5]})"),
          std::string(R"({"dry_run": true})"),
          R"({"job_ids": [)" + many + "]}"})
        EXPECT_EQ(world.post("/api/v1/jobs/cancel", wrong).code(), "invalid") << wrong;
    EXPECT_EQ(state_of(43), "paused");
}

TEST_F(api_jobs, are_listed_by_the_reason_that_degraded_them) {
    world.database.execute("update postrider.job set degraded = true, degraded_reason = "
                           "'undelivered', error_class = 'refused' where job_id = 41");

    auto const found = world.get("/api/v1/jobs/41").body;
    auto const wrong = world.get("/api/v1/jobs?degraded_reason=happy");

    EXPECT_THAT(listed("degraded_reason=undelivered"), ElementsAre(41));
    EXPECT_THAT(listed("degraded_reason=undelivered&state=failed"), IsEmpty());
    EXPECT_THAT(listed("degraded_reason=late"), IsEmpty());
    EXPECT_EQ(found.at("degraded_reason").as_string(), "undelivered");
    EXPECT_EQ(wrong.status, 400);
}

// "degraded" is no state of its own: it must not widen what is meant to the usual states.
TEST_F(api_jobs, a_bulk_operation_on_degraded_ones_leaves_all_others_alone) {
    auto const answer = world.post("/api/v1/jobs/cancel", R"({"state": ["degraded"]})");

    EXPECT_EQ(answer.status, 200);
    EXPECT_EQ(answer.body.at("done").as_int64(), 0);
    EXPECT_EQ(state_of(45), "available");
}

TEST_F(api_jobs, a_bulk_operation_without_a_filter_would_mean_everything_and_is_refused) {
    auto const answer = world.post("/api/v1/jobs/cancel", R"({"limit": 10})");

    EXPECT_EQ(answer.status, 400);
    EXPECT_THAT(std::string(answer.body.at("detail").as_string()), HasSubstr("a filter is needed"));
    EXPECT_EQ(state_of(45), "available");
}

// covers: E.12
TEST_F(api_jobs, wait_while_their_lane_their_bot_or_everything_is_paused) {
    auto const lane = world.post("/api/v1/lanes/1%3A5%3A0/pause");
    EXPECT_EQ(lane.body.at("scope").as_string(), "1:5:0");
    EXPECT_NE(world.database.value("select paused_at from postrider.lane where lane_id = 1"), "");
    world.post("/api/v1/bots/main/pause");
    world.post("/api/v1/pause");

    auto const paused = world.get("/api/v1/pauses").body.at("pauses");
    EXPECT_EQ(paused.as_array().size(), 2u) << boost::json::serialize(paused);
    EXPECT_EQ(world.database.value("select postrider.lane_held(2)"), "t");

    world.post("/api/v1/resume");
    world.post("/api/v1/bots/main/resume");
    world.post("/api/v1/lanes/1%3A5%3A0/resume");
    EXPECT_EQ(world.database.value("select postrider.lane_held(1)"), "f");
    EXPECT_TRUE(world.get("/api/v1/pauses").body.at("pauses").as_array().empty());
}

TEST_F(api_jobs, effects_in_doubt_are_listed_and_settled) {
    auto const listed = world.get("/api/v1/effects").body.at("effects");
    auto const settled = world.post("/api/v1/jobs/41/effects/reply%2F2/done");

    EXPECT_EQ(ids_of(listed), (ids{42, 41, 41})) << boost::json::serialize(listed);
    EXPECT_EQ(settled.status, 200);
    EXPECT_EQ(world.get("/api/v1/effects").body.at("effects").as_array().size(), 2u);
}

} // namespace
} // namespace postrider::tests::jobs_test
