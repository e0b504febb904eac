#include "tests/integration/server/cli/scene.hpp"
#include "tests/support/paths.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <sys/wait.h>

namespace postrider::tests::recipes_test {
namespace {

struct psql_result {
    int code;
    std::string output;
};

psql_result run_recipes(test_database const& database, std::string const& options) {
    std::string const out = testing::TempDir() + "recipes-" + database.name();
    auto const command = "psql -X \"" + database.url() + "\" " + options + " -f " +
                         source("sql/recipes.psql") + " >" + out + " 2>&1";
    int const status = std::system(command.c_str());
    std::ostringstream text;
    text << std::ifstream(out).rdbuf();
    std::remove(out.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, text.str()};
}

// covers: E.18
TEST(recipes, run_on_an_empty_and_on_a_used_database) {
    test_database database;

    auto empty = run_recipes(database, "");
    database.execute(one_turn);
    auto used = run_recipes(database, "-v job=42");

    EXPECT_EQ(empty.code, 0) << empty.output;
    EXPECT_EQ(used.code, 0) << used.output;
    EXPECT_NE(used.output.find("try later"), std::string::npos) << used.output;
    EXPECT_NE(used.output.find("no such agent"), std::string::npos) << used.output;
}

// covers: E.12
TEST(recipes, try_every_operation_and_take_it_back) {
    test_database database;
    database.execute(one_turn);
    database.execute("insert into postrider.bot (bot_id, name) overriding system value "
                     "values (1, 'main')");
    auto const all = "select concat((select string_agg(j::text, '' order by job_id) from "
                     "postrider.job j), (select string_agg(e::text, '') from postrider.effect e), "
                     "(select count(*) from postrider.busy_lane), (select count(*) from "
                     "postrider.pause))";
    auto const before = database.value(all);

    auto tried = run_recipes(database, "-v job=43 -v try=1");

    EXPECT_EQ(tried.code, 0) << tried.output;
    EXPECT_NE(tried.output.find("it has failed already"), std::string::npos) << tried.output;
    EXPECT_NE(tried.output.find("forked from 43"), std::string::npos) << tried.output;
    EXPECT_EQ(database.value(all), before);
}

TEST(schema, every_table_view_and_function_explains_itself) {
    test_database database;

    EXPECT_EQ(
        database.value(
            "select string_agg(relname, ', ' order by relname) from pg_class"
            " where relnamespace = 'postrider'::regnamespace and relkind in ('r', 'p', 'v')"
            " and not relispartition and obj_description(oid, 'pg_class') is null"
        ),
        ""
    );
    EXPECT_EQ(
        database.value("select string_agg(proname, ', ' order by proname) from pg_proc"
                       " where pronamespace = 'postrider'::regnamespace"
                       " and obj_description(oid, 'pg_proc') is null"),
        ""
    );
}

} // namespace
} // namespace postrider::tests::recipes_test
