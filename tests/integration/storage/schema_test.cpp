// What the files of sql/ make of a database.
#include "storage/migrations.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <fstream>

namespace postrider::storage::schema_test {
namespace {

using testing::IsEmpty;

constexpr std::string_view definitions = R"(
select md5(string_agg(definition, ' ' order by definition)) from (
    select pg_get_functiondef(oid) from pg_proc where pronamespace = 'postrider'::regnamespace
    union all
    select relname || pg_get_viewdef(oid) || relacl::text from pg_class
    where relnamespace = 'postrider'::regnamespace and relkind = 'v'
) as all_of_them(definition)
)";

TEST(schema, is_applied_whole_to_an_empty_database) {
    tests::test_database database{tests::test_database::content::empty};
    auto const& files = embedded_schema();

    auto const report = migrate(database.options());
    auto const again = migrate(database.options());

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_EQ(
        report->applied.size(), files.tables.size() + files.functions.size() + files.views.size()
    );
    EXPECT_NE(database.value("select to_regclass('postrider.job')"), "");
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_THAT(again->applied, IsEmpty());
}

TEST(schema, is_the_same_after_all_functions_and_views_were_replaced) {
    tests::test_database database;
    auto const before = database.value(definitions);
    database.execute("update postrider.source set digest = 'of another version'");

    auto const report = migrate(database.options());

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_THAT(report->applied, testing::Contains("functions/lanes"));
    EXPECT_EQ(database.value(definitions), before);
}

TEST(schema, has_tables_with_ascending_numbers) {
    int last = 0;
    for (auto const& file : embedded_schema().tables) {
        EXPECT_GT(number_of(file), last) << file.name;
        last = number_of(file);
    }
}

// Of all functions and views, as sql/number has it (FNV-1a of their digests).
std::string digest_of_sources() {
    std::uint64_t hash = 14695981039346656037u;
    for (auto const& files : {embedded_schema().functions, embedded_schema().views})
        for (auto const& file : files)
            for (unsigned char c : file.digest) hash = (hash ^ c) * 1099511628211u;
    return fmt::format("{:016x}", hash);
}

// Else a build that lacks the change would undo it when it restarts.
TEST(schema, has_a_number_that_rises_with_its_functions_and_views) {
    std::ifstream in(tests::source("sql/number"));
    int number = 0;
    std::string digest;
    in >> number >> digest;

    EXPECT_EQ(number, embedded_schema().number);
    EXPECT_EQ(digest, digest_of_sources())
        << "functions or views have changed: write \"" << number + 1 << ' ' << digest_of_sources()
        << "\" into sql/number";
}

// covers: E.19
TEST(schema, of_a_newer_build_is_left_alone_by_an_older_one_of_the_same_release) {
    tests::test_database database;
    database.execute("update postrider.source set number = number + 1, digest = 'newer'");

    auto const report = migrate(database.options());

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_THAT(report->applied, IsEmpty());
}

TEST(schema, defines_each_function_once) {
    tests::test_database database;

    EXPECT_EQ(
        database.value("select string_agg(name, ' ') from (select proname from pg_proc where "
                       "pronamespace = 'postrider'::regnamespace group by 1 having count(*) > 1) "
                       "as twice(name)"),
        ""
    );
    EXPECT_EQ(
        database.value("select string_agg(name, ' ') from (select unnest(defines) from "
                       "postrider.source group by 1 having count(*) > 1) as twice(name)"),
        ""
    );
}

TEST(schema, tells_which_transaction_wrote_a_row) {
    tests::test_database database;
    auto const full = [&](std::string const& version, std::string const& seen) {
        return database.value("select postrider.full_xid('" + version + "'::xid, '" + seen + "')");
    };

    EXPECT_EQ(full("99", "100:103:"), "99");
    EXPECT_EQ(full("105", "100:103:"), "105") << "behind the snapshot";
    EXPECT_EQ(full("110", "4294967396:4294967400:"), "4294967406");
    EXPECT_EQ(full("4294967290", "4294967396:4294967400:"), "4294967290");
    EXPECT_EQ(full("2", "100:103:"), "3") << "frozen";
}

} // namespace
} // namespace postrider::storage::schema_test
