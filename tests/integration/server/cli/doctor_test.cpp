// `doctor` against a real Postgres and stand-ins for the world.
#include "tests/integration/server/cli/online_world.hpp"

#include <boost/json/parse.hpp>
#include <fmt/format.h>

namespace postrider::cli::doctor_test {
namespace {

using testing::HasSubstr;
using testing::Not;

using doctor = online_world;

TEST_F(doctor, is_content_with_a_quiet_installation) {
    beat("0.1.0", "1 s");

    auto done = run_with({"doctor", "--json"});
    auto told = boost::json::parse(done.out);

    EXPECT_EQ(done.code, 0) << done.out;
    EXPECT_TRUE(told.at("ok").as_bool());
    for (auto const& entry : told.at("findings").as_array()) {
        auto const& subject = entry.at("what").as_string();
        if (subject == "disk") continue; // this machine's
        EXPECT_EQ(entry.at("result").as_string(), "ok") << subject;
    }
    EXPECT_GE(told.at("findings").as_array().size(), 14u);
}

TEST_F(doctor, misses_a_server) {
    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed nodes: no server runs"));
    EXPECT_THAT(done.out, HasSubstr("→ postrider serve\n"));
}

TEST_F(doctor, sees_silent_nodes_mixed_versions_and_full_slots) {
    beat("0.1.0", "1 s", 4);
    beat("0.2.0", "1 s", 4);
    beat("0.2.0", "20 s");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.out, HasSubstr("warn   nodes: 2 alive, 8 of 8 slots busy"));
    EXPECT_THAT(done.out, HasSubstr("has fallen silent"));
    EXPECT_THAT(done.out, HasSubstr("warn   versions: 2 side by side, from 0.1.0 to 0.2.0"));
}

TEST_F(doctor, counts_what_went_wrong_lately) {
    beat("0.1.0", "1 s");
    database.execute(tests::one_turn);
    database.execute(
        "insert into postrider.effect (job_id, flagged, key, kind, class, state) values "
        "(42, false, 'tool/1', 'tool.todo', 'at_least_once', 'done')"
    );
    database.execute("update postrider.effect set state = 'failed'");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.out, HasSubstr("warn   dead letters: 1 jobs failed lately"));
    EXPECT_THAT(
        done.out, HasSubstr("warn   effects: 1 in doubt lately\n       → postrider effects list\n")
    );
    EXPECT_THAT(done.out, HasSubstr("warn   deliveries: 1 failed lately"))
        << "a tool that failed is no delivery";
}

// Its person stopped it before it answered. What was tried and refused is told all the same.
TEST_F(doctor, misses_no_answer_of_a_turn_that_was_stopped) {
    beat("0.1.0", "1 s");
    database.execute(tests::one_turn);
    database.execute("update postrider.effect set state = 'failed', flagged = false;"
                     "update postrider.job set state = 'cancelled' where job_id = 42");

    EXPECT_THAT(run_with({"doctor"}).out, HasSubstr("deliveries: 0 failed lately"));

    database.execute("update postrider.step set key = 'reply'");
    EXPECT_THAT(run_with({"doctor"}).out, HasSubstr("warn   deliveries: 1 failed lately"));
}

TEST_F(doctor, counts_the_jobs_that_ended_without_what_was_asked_for) {
    beat("0.1.0", "1 s");
    database.execute(tests::one_turn);
    database.execute("update postrider.job set degraded = true, error_class = 'unauthorized', "
                     "error = 'HTTP 401', degraded_reason = 'model_failed', "
                     "finished_at = postrider.now() - interval '23 h' where job_id = 42;"
                     "update postrider.job set degraded = true, error_class = 'refused', "
                     "state = 'completed', degraded_reason = 'undelivered', "
                     "finished_at = postrider.now() - interval '25 h' where job_id = 43");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(
        done.out,
        HasSubstr("warn   degraded jobs: 1 jobs completed within a day without the requested "
                  "result: 1 model_failed\n"
                  "       → postrider jobs list --state degraded\n")
    );
}

TEST_F(doctor, fails_for_a_stopped_bot_and_for_lanes_that_nobody_takes) {
    beat("0.1.0", "1 s");
    database.execute(
        "insert into postrider.bot (name, stopped_at, stopped_reason) values ('other', now(), "
        "'getMe: 401');"
        "insert into postrider.lane (lane_key, paused_at) values ('1:5:0', null), ('a lane', "
        "now());"
        "update postrider.lane_run r set ready_at = postrider.now() - interval '2 min', arrivals = "
        "1, head = 1 from postrider.lane l where l.lane_id = r.lane_id and lane_key = '1:5:0';"
        "insert into postrider.pause (scope, reason) values ('all', 'moving house')"
    );

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed bot other: stopped: getMe: 401"));
    EXPECT_THAT(
        done.out, HasSubstr("failed queue: 0 lanes run, 1 wait, the oldest that is ready for 2min")
    );
    EXPECT_THAT(
        done.out, HasSubstr("warn   paused: all: moving house\n       → postrider resume\n")
    );
    EXPECT_THAT(done.out, HasSubstr("→ postrider lanes resume 'a lane'\n"));
}

TEST_F(doctor, tells_of_a_provider_that_keeps_failing) {
    beat("0.1.0", "1 s");
    database.execute("insert into postrider.bucket (name, breaker, open_until, reason) values "
                     "('model:default', 'open', postrider.now() + interval '1 hour', 'unavailable')"
    );

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 0);
    EXPECT_THAT(done.out, HasSubstr("warn   model:default: its breaker is open for 3"));
    EXPECT_THAT(done.out, HasSubstr("s more: unavailable; turns wait"));
}

TEST_F(doctor, tells_of_a_provider_that_is_tried_next) {
    beat("0.1.0", "1 s");
    database.execute("insert into postrider.bucket (name, breaker, open_until, reason) values "
                     "('model:default', 'open', postrider.now() - interval '1 min', 'unavailable')"
    );

    auto done = run_with({"doctor"});

    EXPECT_THAT(
        done.out, HasSubstr("warn   model:default: the next turn tries it: unavailable; turns wait")
    );
    EXPECT_THAT(done.out, Not(HasSubstr(" 0 s")));
}

TEST_F(doctor, fails_when_partitions_run_out) {
    beat("0.1.0", "1 s");
    database.execute("select setval('postrider.number', 1000000000)");

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed partitions: 0 ahead"));
}

TEST_F(doctor, says_that_the_database_is_away) {
    world["DATABASE_URL"] = "postgresql://postrider@127.0.0.1:1/postrider";

    auto done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("failed database: unavailable"));
    EXPECT_THAT(done.out, HasSubstr("ok     telegram main: @fern_bot"));
}

TEST_F(doctor, and_check_say_that_the_database_is_read_only_and_the_way_out) {
    auto const name = database.name();
    database.execute("alter database " + name + " set default_transaction_read_only = on");
    auto const told = "failed writing: the database is read-only: default_transaction_read_only is "
                      "on; `begin read write; alter database " +
                      name + " reset default_transaction_read_only; commit` ends it";

    for (auto const& args :
         std::vector<std::vector<std::string>>{{"doctor"}, {"check"}, {"check", "--online"}}) {
        auto const done = run_with(args);

        EXPECT_EQ(done.code, 1) << args.front();
        EXPECT_THAT(done.out, HasSubstr(told)) << args.front();
    }
}

TEST_F(doctor, names_the_role_whose_setting_makes_it_read_only) {
    auto const role = "frozen_" + database.name();
    database.execute("create role " + role + " login superuser");
    database.execute("alter role " + role + " set default_transaction_read_only = on");
    world["DATABASE_URL"] = database.url() + " user=" + role;

    auto const done = run_with({"doctor"});

    EXPECT_EQ(done.code, 1);
    EXPECT_THAT(done.out, HasSubstr("alter role " + role + " reset default_transaction_read_only"));
    database.execute("drop role " + role);
}

TEST_F(doctor, tells_of_the_webhooks_troubles) {
    beat("0.1.0", "1 s");
    world["POSTRIDER_PUBLIC_URL"] = "https://localhost";
    ASSERT_EQ(run_with({"bot", "webhook", "set"}).code, 0);
    telegram.say({.from = user_id{7}, .text = "hello"});
    ASSERT_TRUE(telegram.wait_until(
        [](auto const& record) { return !record.deliveries.empty(); }, std::chrono::seconds{10}
    ));

    auto done = run_with({"doctor"});

    EXPECT_THAT(done.out, HasSubstr("warn   webhook main: Telegram's last error: "));
    EXPECT_THAT(done.out, HasSubstr("1 update waits there"));
}

} // namespace
} // namespace postrider::cli::doctor_test
