// What the files of sql/ make of a database.
#include "storage/migrations.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

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

TEST(schema, has_tables_that_are_numbered_without_gaps) {
    int expected = 0;
    for (auto const& file : embedded_schema().tables)
        EXPECT_EQ(number_of(file), ++expected) << file.name;
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
