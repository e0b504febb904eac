// postrider_reader sees everything but secrets, and changes nothing.
#include "storage/migrations.hpp"
#include "storage/pg/connection.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace postrider::storage::reader_role_test {
namespace {

// Acts as the role without logging in as it.
std::string as_reader(tests::test_database const& database, std::string const& sql) {
    auto db = pg::connect(database.options(), pg::purpose::general);
    db->begin();
    db->script("set local role postrider_reader");
    try {
        auto rows = db->query({"ask", sql}, {});
        return rows.empty() ? "" : rows.front().optional_text(0).value_or("");
    } catch (std::exception const&) {
        return "refused";
    }
}

// covers: E.18
TEST(reader_role, may_read_every_table_and_view_but_no_secret) {
    tests::test_database database;

    EXPECT_EQ(
        database.value("select string_agg(c.relname, ' ') from pg_class c where c.relnamespace = "
                       "'postrider'::regnamespace and c.relkind in ('r', 'p', 'v') and not "
                       "has_any_column_privilege('postrider_reader', c.oid, 'select')"),
        ""
    ) << "a migration that adds a table or view ends with: select postrider.grant_reader()";
    EXPECT_EQ(
        database.value(
            "select string_agg(c.relname || '.' || a.attname, ' ' order by c.relname, a.attname) "
            "from pg_class c join "
            "pg_attribute a on a.attrelid = c.oid where c.relnamespace = 'postrider'::regnamespace "
            "and c.relkind in ('r', 'p', 'v') and a.attnum > 0 and not a.attisdropped and not "
            "has_column_privilege('postrider_reader', c.oid, a.attnum, 'select')"
        ),
        "bot.webhook_secret console_link.sha256 console_session.sha256 token.sha256 "
        "token_key.mac_key"
    );
    EXPECT_EQ(as_reader(database, "select nodes from postrider.queue_health"), "0");
    EXPECT_EQ(as_reader(database, "select count(*) from postrider.jobs_about"), "0");
    EXPECT_EQ(as_reader(database, "select name from postrider.bot"), "");
    EXPECT_EQ(as_reader(database, "select webhook_secret from postrider.bot"), "refused");
    EXPECT_EQ(as_reader(database, "delete from postrider.node"), "refused");
    EXPECT_EQ(as_reader(database, "select postrider.prune_kept('1 day')"), "refused");
}

TEST(reader_role, gives_its_members_time_limits) {
    tests::test_database database;
    auto const reader = "reader_of_" + database.name();

    database.execute("select postrider.admit_reader('" + reader + "')");

    EXPECT_EQ(
        database.value(
            "select setconfig::text from pg_db_role_setting s join pg_roles r on r.oid = s.setrole "
            "where rolname = '" +
            reader + "'"
        ),
        "{statement_timeout=30s,idle_in_transaction_session_timeout=60s,search_path=postrider}"
    );
    database.execute("drop role " + reader);
}

// A role belongs to the cluster: databases that are migrated at the same time both want it.
TEST(reader_role, is_made_once_by_databases_that_come_together) {
    using content = tests::test_database::content;
    std::vector<std::unique_ptr<tests::test_database>> databases;
    for (int n = 0; n < 3; ++n)
        databases.push_back(std::make_unique<tests::test_database>(content::empty));
    std::atomic<int> migrated{0};
    std::vector<std::jthread> all;
    for (auto const& database : databases)
        all.emplace_back([&] {
            if (migrate(database->options())) ++migrated;
        });
    for (auto& thread : all) thread.join();

    EXPECT_EQ(migrated, 3);
}

} // namespace
} // namespace postrider::storage::reader_role_test
