#include "server/cli/run.hpp"
#include "tests/integration/server/cli/scene.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

namespace postrider::cli::commands_test {
namespace {

using testing::HasSubstr;
using testing::Not;

struct outcome {
    int code;
    std::string out;
    std::string err;
};

class commands : public testing::Test {
protected:
    explicit commands(tests::test_database::content with = tests::test_database::content::migrated)
        : database(with) {}

    outcome run_with(std::vector<std::string> const& args, base::environment environment = {}) {
        std::ostringstream out, err;
        environment.emplace("DATABASE_URL", database.url());
        int const code = run(args, environment, out, err);
        return {code, out.str(), err.str()};
    }

    tests::test_database database;
};

class commands_on_nothing : public commands {
protected:
    commands_on_nothing() : commands(tests::test_database::content::empty) {}
};

// Older pooling proxies refuse a connection that comes with settings.
TEST_F(commands, psql_sets_nothing_behind_an_old_proxy) {
    auto const file = testing::TempDir() + "postrider_search_path";
    auto const search_path = [&](base::environment const& environment) {
        auto const done = run_with(
            {"psql", "--", "-X", "-A", "-t", "-o", file, "-c", "show search_path"}, environment
        );
        EXPECT_EQ(done.code, 0) << done.err;
        std::string line;
        std::getline(std::ifstream(file), line);
        return line;
    };

    EXPECT_EQ(search_path({}), "postrider,public");
    EXPECT_THAT(
        search_path({{"POSTRIDER_DATABASE_PREPARED", "false"}}), Not(HasSubstr("postrider"))
    );
}

TEST_F(commands, jobs_are_listed_newest_first_and_by_state_and_lane) {
    database.execute(tests::one_turn);

    auto all = run_with({"jobs", "list"});
    auto failed = run_with({"jobs", "list", "--state", "failed"});
    auto elsewhere = run_with({"jobs", "list", "--lane", "1:6:0"});
    auto newest = run_with({"jobs", "list", "--limit", "1"});
    auto either = run_with({"jobs", "list", "--state", "failed,completed"});

    EXPECT_EQ(all.code, 0);
    EXPECT_LT(all.out.find("43   turn  failed"), all.out.find("42   turn  completed"));
    EXPECT_THAT(all.out, HasSubstr("100/7"));
    EXPECT_THAT(failed.out, HasSubstr("invalid: no such agent"));
    EXPECT_THAT(failed.out, Not(HasSubstr("42   turn")));
    EXPECT_THAT(elsewhere.out, testing::IsEmpty());
    EXPECT_THAT(elsewhere.err, HasSubstr("No job matches"));
    EXPECT_THAT(newest.out, Not(HasSubstr("42 ")));
    EXPECT_EQ(either.out, all.out) << either.err;
}

TEST_F(commands, a_job_is_shown_with_its_tries_and_effects) {
    database.execute(tests::one_turn);

    auto shown = run_with({"jobs", "show", "42"});

    EXPECT_EQ(shown.code, 0);
    EXPECT_THAT(shown.out, HasSubstr("model  1    retry    +20ms   100ms  overloaded: try later"));
    EXPECT_THAT(shown.out, HasSubstr("again at +2s"));
    EXPECT_THAT(shown.out, HasSubstr("model  2    done     +2s     500ms"));
    EXPECT_THAT(shown.out, HasSubstr("may have been done twice"));
}

TEST_F(commands, json_holds_the_whole_job) {
    database.execute(tests::one_turn);

    auto job = boost::json::parse(run_with({"jobs", "show", "42", "--json"}).out);
    auto list = boost::json::parse(run_with({"jobs", "list", "--json"}).out);

    EXPECT_EQ(job.at("created_at").as_string(), "2026-11-21T09:00:00.000000Z");
    EXPECT_EQ(job.at("age_ms").to_number<double>(), 3000.0);
    EXPECT_EQ(job.at("input").at("agent").as_string(), "assistant");
    EXPECT_EQ(job.at("steps").as_array().size(), 2u);
    EXPECT_EQ(job.at("effects").at(0).at("state").as_string(), "done");
    EXPECT_EQ(list.at("jobs").as_array().size(), 2u);
}

TEST_F(commands, a_job_that_does_not_exist_is_said_so) {
    auto shown = run_with({"jobs", "show", "7"});

    EXPECT_EQ(shown.code, 1);
    EXPECT_EQ(shown.out, "");
    EXPECT_THAT(shown.err, HasSubstr("no job 7"));
}

TEST_F(commands, a_schedule_is_set_shown_listed_paused_and_removed) {
    auto set = run_with(
        {"schedules",
         "set",
         "morning",
         "--cron",
         "0 9 * * mon-fri",
         "--timezone",
         "Europe/Berlin",
         "--kind",
         "turn",
         "--input",
         "{\"n\": 1}",
         "--missed",
         "skip"}
    );
    auto shown = boost::json::parse(run_with({"schedules", "show", "morning", "--json"}).out);
    auto list = run_with({"schedules", "list"});
    auto paused = run_with({"schedules", "pause", "morning"});
    auto list_paused = boost::json::parse(run_with({"schedules", "list", "--json"}).out);
    auto resumed = run_with({"schedules", "resume", "morning"});
    auto removed = run_with({"schedules", "remove", "morning"});
    auto gone = run_with({"schedules", "show", "morning"});

    EXPECT_EQ(set.code, 0) << set.err;
    EXPECT_THAT(set.out, HasSubstr("0 9 * * mon-fri Europe/Berlin"));
    EXPECT_EQ(shown.at("input").at("n").as_int64(), 1);
    EXPECT_EQ(shown.at("missed").as_string(), "skip");
    EXPECT_EQ(shown.at("next").as_array().size(), 5u);
    EXPECT_THAT(
        std::string(shown.at("next").at(0).as_string()),
        testing::ContainsRegex("T09:00:00[+]0[12]:00")
    );
    EXPECT_THAT(list.out, HasSubstr("active"));
    EXPECT_EQ(paused.code, 0);
    EXPECT_EQ(list_paused.at("schedules").at(0).at("state").as_string(), "paused");
    EXPECT_EQ(resumed.code + removed.code, 0);
    EXPECT_EQ(gone.code, 1);
    EXPECT_THAT(gone.err, HasSubstr("no schedule morning"));
}

TEST_F(commands, a_one_shot_may_be_given_by_the_zones_wall_clock) {
    auto run_at = [&](char const* time) {
        auto shown = run_with(
            {"schedules",
             "set",
             "s",
             "--at",
             time,
             "--timezone",
             "Europe/Berlin",
             "--kind",
             "turn",
             "--json"}
        );
        EXPECT_EQ(shown.code, 0) << shown.err;
        return std::string(boost::json::parse(shown.out).at("at").as_string());
    };

    EXPECT_EQ(run_at("2036-12-24T18:00"), "2036-12-24T17:00:00Z");
    EXPECT_EQ(run_at("2036-12-24T18:00:00+03:00"), "2036-12-24T15:00:00Z");
    EXPECT_EQ(run_at("2036-03-30T02:30"), "2036-03-30T01:00:00Z"); // skipped: right after the gap
}

TEST_F(commands, a_wrong_schedule_is_refused_with_the_reason) {
    auto refusal = [&](std::vector<std::string> more, int code = 2) {
        more.insert(more.begin(), {"schedules", "set", "s", "--kind", "turn"});
        auto refused = run_with(more);
        EXPECT_EQ(refused.code, code);
        return refused.err;
    };

    EXPECT_THAT(refusal({"--cron", "0 25 * * *"}), HasSubstr("hour (column 3)"));
    EXPECT_THAT(refusal({"--cron", "@daily", "--timezone", "Berlin"}), HasSubstr("Europe/Berlin?"));
    EXPECT_THAT(refusal({"--cron", "@daily", "--input", "{"}), HasSubstr("--input"));
    EXPECT_THAT(refusal({"--cron", "@daily", "--lane", "1:5:0"}, 1), HasSubstr("no lane 1:5:0"));
    EXPECT_THAT(refusal({"--at", "soon"}), HasSubstr("--at: \"soon\" is not a time"));
    EXPECT_THAT(refusal({}), HasSubstr("either a cron expression or one time"));
    EXPECT_THAT(run_with({"schedules", "list"}).err, HasSubstr("There is no schedule"));
}

TEST_F(commands, a_schedule_of_a_kind_that_nobody_runs_is_refused) {
    auto const set = [&](std::vector<std::string> more) {
        more.insert(more.begin(), {"schedules", "set", "morning", "--cron", "@daily"});
        return run_with(more);
    };
    auto const unknown = set({"--kind", "order"});
    auto const slip = set({"--kind", "flwo"});
    auto const elsewhere = set({"--kind", "order", "--any-kind"});

    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(
        unknown.err, HasSubstr("no program runs jobs of the kind order; a server runs turn, flow, ")
    );
    EXPECT_THAT(slip.err, HasSubstr("did you mean flow?"));
    EXPECT_EQ(elsewhere.code, 0) << elsewhere.err;
    EXPECT_THAT(run_with({"schedules", "show", "t"}).err, HasSubstr("no schedule t"));
    EXPECT_THAT(run_with({"schedules", "show", "mornin"}).err, HasSubstr("did you mean morning?"));
}

TEST_F(commands, strangers_are_listed_with_what_an_allowlist_takes) {
    database.execute(R"sql(
insert into postrider.bot (bot_id, name) overriding system value values (1, 'main'), (2, 'sales');
insert into postrider.stranger (bot_id, user_id, chat_id, refused, name, last_seen_at)
values (1, 666, 666, 3, E'Mal\x1b', '2026-11-21T09:00:00Z'), (1, 667, -5, 1, 'Eve', '2026-11-21T10:00:00Z'))sql"
    );

    auto const listed = run_with({"strangers", "list"});
    auto const of_another = run_with({"strangers", "list", "--bot", "sales"});
    auto const of_none = run_with({"strangers", "list", "--bot", "mian"});
    auto const json = boost::json::parse(run_with({"strangers", "list", "--json"}).out);

    EXPECT_THAT(
        listed.out,
        testing::ContainsRegex(
            "667 +Eve +main +-5 +1 +2026-11-21T10:00:00Z +bots.main.allowed_chats -5\n"
            "666 +Mal. +main +666 +3 .*bots.main.allowed_users 666"
        )
    );
    EXPECT_THAT(listed.err, HasSubstr("POSTRIDER_ALLOWED_USERS"));
    EXPECT_THAT(of_another.err, HasSubstr("Nobody was refused"));
    EXPECT_EQ(of_none.code, 1);
    EXPECT_THAT(of_none.err, HasSubstr("there is no bot mian; did you mean main?"));
    EXPECT_EQ(json.at("strangers").at(1).at("user_id").as_int64(), 666);
}

// What is forgotten is mostly a variable of the second process of an installation.
TEST_F(commands, a_demo_stays_out_of_the_database_of_other_bots) {
    database.execute("insert into postrider.bot (name) values ('main'), ('sales')");
    auto const said = [&](std::vector<std::string> args) -> std::string {
        args.insert(args.end(), {"--data", testing::TempDir(), "--listen", "127.0.0.1:0"});
        try {
            run_with(args);
        } catch (std::exception const& e) {
            return e.what();
        }
        return "it ran";
    };

    EXPECT_THAT(said({"serve"}), HasSubstr("it has the bot main, sales, and no bot is configured"));
    EXPECT_THAT(said({"demo", "--say", "Hello"}), HasSubstr("another DATABASE_URL"));
    EXPECT_EQ(database.value("select count(*) from postrider.bot where name = 'demo'"), "0");
}

// covers: X.08
TEST_F(commands, texts_that_were_asked_for_singly_are_not_cut) {
    database.execute(tests::one_turn);
    database.execute("update postrider.job set error = repeat('x', 500) where job_id = 43");
    database.execute("update postrider.step set result = to_jsonb(repeat('y', 500)) "
                     "where job_id = 42 and outcome = 'done'");

    auto const failed = run_with({"jobs", "show", "43"});
    auto const done = run_with({"jobs", "show", "42"});
    auto const list = run_with({"jobs", "list"});

    EXPECT_THAT(failed.out, HasSubstr(std::string(500, 'x')));
    EXPECT_THAT(done.out, HasSubstr(std::string(500, 'y')));
    EXPECT_THAT(list.out, Not(HasSubstr(std::string(100, 'x'))));
}

TEST_F(commands, next_previews_an_expression_without_a_database) {
    auto next =
        run_with({"schedules", "next", "30 6 * * *", "--timezone", "Asia/Kathmandu", "--count", "3"}
        );
    auto json = run_with({"schedules", "next", "@hourly", "--json"});
    auto wrong = run_with({"schedules", "next", "* * *"});

    EXPECT_EQ(std::ranges::count(next.out, '\n'), 3);
    EXPECT_THAT(next.out, HasSubstr("T06:30:00+05:45"));
    EXPECT_EQ(boost::json::parse(json.out).as_array().size(), 5u);
    EXPECT_EQ(wrong.code, 2);
    EXPECT_THAT(wrong.err, HasSubstr("3 fields"));
}

TEST_F(commands_on_nothing, migrate_brings_the_schema_and_then_has_nothing_to_do) {
    auto first = run_with({"migrate"});
    auto second = run_with({"migrate", "--json"});

    EXPECT_EQ(first.code, 0);
    EXPECT_THAT(first.out, HasSubstr("applied tables/0001_engine\n"));
    EXPECT_TRUE(boost::json::parse(second.out).at("applied").as_array().empty());
}

TEST_F(commands_on_nothing, reading_says_that_there_is_no_schema_yet) {
    for (auto const& args : std::vector<std::vector<std::string>>{
             {"jobs", "list"},
             {"jobs", "show", "1"},
             {"jobs", "tail"},
             {"lanes", "list"},
             {"effects", "list"},
             {"jobs", "retry", "1"}}) {
        auto done = run_with(args);

        EXPECT_EQ(done.code, 1) << args[1];
        EXPECT_THAT(done.err, HasSubstr("run `postrider migrate`, or start the server")) << args[1];
    }
}

TEST_F(commands_on_nothing, check_tells_how_far_the_schema_is) {
    auto before = run_with({"check", "--data", testing::TempDir()});
    (void)run_with({"migrate"});
    auto after = run_with({"check", "--data", testing::TempDir()});

    EXPECT_EQ(before.code, 0);
    EXPECT_THAT(before.out, HasSubstr("schema 0; `serve` brings it to"));
    EXPECT_EQ(after.code, 0);
    EXPECT_THAT(after.out, HasSubstr("ok     database: reachable, schema"));
}

TEST_F(commands_on_nothing, refuse_a_database_from_before_the_first_release) {
    database.execute("create schema postrider");
    database.execute("create table postrider.migration (number int primary key, name text, "
                     "breaking boolean, applied_at timestamptz)");

    auto migrated = run_with({"migrate"});
    auto checked = run_with({"check", "--data", testing::TempDir()});
    auto examined = run_with({"doctor"});

    EXPECT_EQ(migrated.code, 1);
    EXPECT_THAT(migrated.err, HasSubstr("the database was made by an unreleased postrider"));
    EXPECT_EQ(checked.code, 1);
    EXPECT_THAT(checked.out, HasSubstr("failed database: the database was made by an unreleased"));
    EXPECT_EQ(examined.code, 1);
    EXPECT_THAT(examined.out, HasSubstr("failed schema: the database was made by an unreleased"));
}

TEST_F(commands, check_and_doctor_tell_that_functions_are_of_another_version) {
    database.execute("update postrider.source set digest = '' where name = 'functions/lanes'");

    auto checked = run_with({"check", "--data", testing::TempDir()});
    auto examined = run_with({"doctor"});
    auto migrated = run_with({"migrate"});

    EXPECT_EQ(checked.code, 0);
    EXPECT_THAT(checked.out, HasSubstr("`serve` replaces its functions and views"));
    EXPECT_EQ(examined.code, 1);
    EXPECT_THAT(examined.out, HasSubstr("its functions and views are of another version"));
    EXPECT_THAT(migrated.out, testing::StartsWith("applied functions/lanes\nschema "));
}

TEST_F(commands, check_fails_when_something_does_not_work) {
    auto folder = run_with({"check", "--data", "/proc/nowhere"});

    EXPECT_EQ(folder.code, 1);
    EXPECT_THAT(folder.out, HasSubstr("failed data folder: cannot write into /proc/nowhere"));
}

} // namespace
} // namespace postrider::cli::commands_test
