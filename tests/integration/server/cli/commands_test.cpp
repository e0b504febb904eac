#include "server/cli/run.hpp"
#include "tests/integration/server/cli/scene.hpp"

#include <boost/json/parse.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace postrider::cli {
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

    outcome run_with(std::vector<std::string> const& args) {
        std::ostringstream out, err;
        int const code = run(args, {{"DATABASE_URL", database.url()}}, out, err);
        return {code, out.str(), err.str()};
    }

    tests::test_database database;
};

class commands_on_nothing : public commands {
protected:
    commands_on_nothing() : commands(tests::test_database::content::empty) {}
};

TEST_F(commands, jobs_are_listed_newest_first_and_by_state_and_lane) {
    database.execute(tests::one_turn);

    auto all = run_with({"jobs", "list"});
    auto failed = run_with({"jobs", "list", "--state", "failed"});
    auto elsewhere = run_with({"jobs", "list", "--lane", "1:6:0"});
    auto newest = run_with({"jobs", "list", "--limit", "1"});

    EXPECT_EQ(all.code, 0);
    EXPECT_LT(all.out.find("43   turn  failed"), all.out.find("42   turn  completed"));
    EXPECT_THAT(all.out, HasSubstr("100/7"));
    EXPECT_THAT(failed.out, AllOf(HasSubstr("invalid: no such agent"), Not(HasSubstr("42"))));
    EXPECT_THAT(elsewhere.out, testing::IsEmpty());
    EXPECT_THAT(elsewhere.err, HasSubstr("No job matches"));
    EXPECT_THAT(newest.out, Not(HasSubstr("42 ")));
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
    EXPECT_EQ(job.at("age_ms").as_double(), 3000.0);
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

TEST_F(commands_on_nothing, migrate_brings_the_schema_and_then_has_nothing_to_do) {
    auto first = run_with({"migrate"});
    auto second = run_with({"migrate", "--json"});

    EXPECT_EQ(first.code, 0);
    EXPECT_THAT(first.out, HasSubstr("applied 0001_engine\n"));
    EXPECT_TRUE(boost::json::parse(second.out).at("applied").as_array().empty());
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

TEST_F(commands, check_fails_when_something_does_not_work) {
    auto folder = run_with({"check", "--data", "/proc/nowhere"});

    EXPECT_EQ(folder.code, 1);
    EXPECT_THAT(folder.out, HasSubstr("failed data folder: cannot write into /proc/nowhere"));
}

} // namespace
} // namespace postrider::cli
