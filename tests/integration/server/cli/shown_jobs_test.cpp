// What `jobs show` and `jobs list` tell of a turn that is over: words, models, cost, waits.
#include "tests/integration/server/cli/database_commands.hpp"
#include "tests/integration/server/cli/scene.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::cli::shown_jobs_test {
namespace {

using testing::HasSubstr;

using shown_jobs = tests::database_commands;

// A turn that waited for its lane, a breaker and a person, on the bot named main.
constexpr auto slow_turn = R"sql(
insert into postrider.bot (bot_id, name) overriding system value values (1, 'main');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at, state, kind, run_no,
                           tokens_in, tokens_out, cost_micro, waited)
values (44, 1, 9, 3, '2026-11-21T09:00:01Z', '2026-11-21T09:01:01Z', '2026-11-21T12:01:10Z', 'completed', 'turn', 3, 1200, 80, 4200,
        '[{"cause": "limit", "since": "2026-11-21T09:01:02Z", "until": "2026-11-21T09:01:05Z",
           "about": "breaker model:x is open: overloaded"},
          {"cause": "event", "since": "2026-11-21T09:01:06Z", "until": "2026-11-21T12:01:06Z", "about": "press", "match": "q",
           "key": "assistant/ask-press"}]');
insert into postrider.message (lane_id, job_id, conversation_id, position, role, content, id, sender_id, sender_name, author)
values (1, 44, 9, 0, 'user', 'Please fetch the page
and tell me' || repeat('!', 300), 'm', 7, 'Ann Berg', '{"username": "ann"}');
insert into postrider.approval (job_id, lane_id, requester, decided_by, expires_at, decided_at, approval_id, question, call, state,
                                decided_via, tool, arguments, digest)
values (44, 1, 7, 7, postrider.now(), postrider.now(), 'a1', 'q', 'assistant/tool:1', 'approved', 'button', 'http_request', '{}', 'd');
insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, result, usage)
values (44, 1, '2026-11-21T09:01:05Z', '2026-11-21T09:01:06Z', 3, 'assistant/model', 'done', '{"text": "hi", "model": "small-2"}',
        '{"tokens_in": 1200, "tokens_out": 80, "tokens_cached": 900, "cost_micro": 4200}'),
       (44, 2, '2026-11-21T09:01:06Z', '2026-11-21T12:01:06Z', 3, 'assistant/ask-press', 'done', '{"name": "Ann", "user": 7}', null);
)sql";

TEST_F(shown_jobs, a_job_that_is_over_still_says_who_wrote_what_answered_and_why_it_waited) {
    database.execute(tests::one_turn);
    database.execute(slow_turn);

    auto const shown = run_with({"jobs", "show", "44"}).out;
    auto const listed = run_with({"jobs", "list"}).out;
    auto const json = boost::json::parse(run_with({"jobs", "show", "44", "--json"}).out);
    auto const first =
        boost::json::parse(run_with({"jobs", "list", "--json"}).out).at("jobs").at(0);

    EXPECT_THAT(shown, HasSubstr("lane     main, chat 5 (1:5:0)\n"));
    EXPECT_THAT(shown, HasSubstr("said     Please fetch the page\n           and tell me!!!"));
    EXPECT_THAT(shown, HasSubstr("by       Ann Berg (@ann, 7)\n"));
    EXPECT_THAT(shown, HasSubstr("cost     0.004200 US dollars\n"));
    EXPECT_THAT(
        shown, HasSubstr("small-2, 1200 tokens in (900 cached), 80 out, 0.004200 US dollars\n")
    );
    EXPECT_THAT(
        shown, testing::ContainsRegex("1min +\\+0us +its lane: job 43 came first +job 43 failed")
    );
    EXPECT_THAT(
        shown,
        testing::ContainsRegex(
            "3s +\\+1min 1s +breaker model:x is open: overloaded +it was let through"
        )
    );
    EXPECT_THAT(
        shown,
        testing::ContainsRegex("3h +\\+1min 5s +an approval of http_request +approved by Ann")
    );
    EXPECT_THAT(
        listed,
        testing::ContainsRegex(
            "44 +turn +completed +main, chat 5 .* 0.004200 +Please fetch the page and tell me"
        )
    );
    EXPECT_EQ(json.at("lane").as_string(), "1:5:0");
    EXPECT_EQ(json.at("lane_name").as_string(), "main, chat 5");
    EXPECT_EQ(json.at("said").as_string().size(), 333u);
    EXPECT_EQ(json.at("said_by").at("username").as_string(), "ann");
    EXPECT_EQ(json.at("said_by").at("id").as_int64(), 7);
    EXPECT_EQ(json.at("cost").to_number<double>(), 0.42);
    EXPECT_EQ(json.at("steps").at(0).at("model").as_string(), "small-2");
    EXPECT_EQ(json.at("steps").at(0).at("tokens_cached").as_int64(), 900);
    EXPECT_TRUE(json.at("steps").at(1).at("model").is_null());
    EXPECT_EQ(json.at("waited").at(2).at("cause").as_string(), "approval");
    EXPECT_EQ(json.at("waited").at(2).at("ended_by").as_string(), "approved by Ann");
    EXPECT_EQ(first.at("cost").to_number<double>(), 0.42);
    EXPECT_LT(first.at("said").as_string().size(), 210u);
}

// Its lane is one beside the chat's, in which its message stands.
TEST_F(shown_jobs, a_command_names_its_chat_and_what_was_said) {
    database.execute(tests::one_turn);
    database.execute(R"sql(
insert into postrider.lane (lane_id, lane_key) overriding system value
values (2, 'commands:1:5:0'), (3, 'commands:chat:6f0c');
insert into postrider.job (job_id, lane_id, conversation_id, arrival, created_at, started_at, finished_at, state, kind, run_no)
select 50 + n, n, 9, 1, postrider.now(), postrider.now(), postrider.now(), 'completed', 'turn', 1 from generate_series(2, 3) n;
insert into postrider.message (lane_id, job_id, conversation_id, position, role, content, id, beside)
values (1, 52, 9, 0, 'user', '/stop', 'c', true);
)sql");

    auto const shown = run_with({"jobs", "show", "52"}).out;
    auto const listed = run_with({"jobs", "list"}).out;

    EXPECT_THAT(shown, HasSubstr("lane     commands of bot 1, chat 5 (commands:1:5:0)\n"));
    EXPECT_THAT(shown, HasSubstr("said     /stop\n"));
    EXPECT_THAT(
        listed, testing::ContainsRegex("52 +turn +completed +commands of bot 1, chat 5 .* /stop")
    );
    EXPECT_THAT(
        listed, testing::ContainsRegex("53 +turn +completed +commands of conversation 6f0c ")
    );
}

// It was created at 09:00:01 and ended at 12:01:10.
TEST_F(shown_jobs, a_job_that_was_restarted_took_the_time_since_then) {
    database.execute(tests::one_turn);
    database.execute(slow_turn);
    EXPECT_THAT(run_with({"jobs", "show", "44"}).out, HasSubstr("took     3h 1min"));
    database.execute("update postrider.job set restarts = 1, begun_at = '2026-11-21T12:01:00Z' "
                     "where job_id = 44");

    auto const shown = run_with({"jobs", "show", "44"}).out;
    auto const listed = run_with({"jobs", "list"}).out;
    auto const json = boost::json::parse(run_with({"jobs", "show", "44", "--json"}).out);

    EXPECT_THAT(shown, HasSubstr("took     10s\n"));
    EXPECT_THAT(listed, testing::ContainsRegex("44 +turn .*Z +10s "));
    EXPECT_EQ(json.at("took_ms").to_number<double>(), 10000.0);
}

TEST_F(shown_jobs, a_job_that_runs_sums_what_it_paid_so_far) {
    database.execute(tests::one_turn);
    database.execute(slow_turn);
    // After a retry its row still has what it came to before.
    database.execute("update postrider.job set state = 'running', finished_at = null "
                     "where job_id = 44");

    auto const shown = run_with({"jobs", "show", "44"}).out;

    EXPECT_THAT(shown, HasSubstr("tokens   1200/80\n  cost     0.004200 US dollars\n"));
}

} // namespace
} // namespace postrider::cli::shown_jobs_test
