#include "storage/migrations.hpp"
#include "tests/support/held_lock.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <sys/wait.h>
#include <unistd.h>

namespace postrider::storage::migrations_test {
namespace {

using base::errc;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using files = std::vector<schema_file>;

constexpr schema_file first{
    "tables/0001_first",
    "1",
    "create table postrider.a (n int); insert into postrider.a values (1);"};
constexpr schema_file second{"tables/0002_second", "2", "insert into postrider.a values (2);"};
constexpr schema_file harmless{"tables/0003_harmless", "3", "create index on postrider.a (n);"};
constexpr schema_file breaking{"tables/0003_breaking", "4", "-- breaking\ndrop table postrider.a;"};
constexpr schema_file failing{
    "tables/0003_failing", "5", "insert into postrider.a values (3); select 1 / 0;"};
constexpr schema_file wider{
    "tables/0002_wider", "6", "alter table postrider.a alter column n type bigint;"};

constexpr schema_file returns_one{
    "functions/f",
    "1",
    "create or replace function postrider.f(x int) returns int language sql as 'select 1';"};
constexpr schema_file returns_two{
    "functions/f",
    "2",
    "create or replace function postrider.f(x int) returns int language sql as 'select 2';"};
constexpr schema_file renamed_parameter{
    "functions/f",
    "3",
    "create or replace function postrider.f(y int) returns int language sql as 'select 3';"};
constexpr schema_file other_parameters{
    "functions/f",
    "4",
    "create or replace function postrider.f(x text default '') returns text language sql as "
    "$$ select '4' $$;"};
constexpr schema_file other_function{
    "functions/f",
    "5",
    "create or replace function postrider.g() returns int language sql as 'select 5';"};

constexpr schema_file narrow_view{
    "views/v", "1", "create view postrider.v as select n, postrider.f(0) as f from postrider.a;"};
constexpr schema_file wide_view{
    "views/v",
    "2",
    "create view postrider.v as select 'x' as kind, n, postrider.f(0) as f from postrider.a;"};
constexpr schema_file view_of_view{
    "views/w",
    "1",
    "create view postrider.w as select count(*) as rows, sum(f) as f from postrider.v;"};

class migrations : public testing::Test {
protected:
    base::result<migration_report> run(
        files const& tables, files const& functions = {}, files const& views = {}, int number = 1
    ) {
        return migrate(
            where.options(),
            {.release = "1.0.0",
             .number = number,
             .tables = tables,
             .functions = functions,
             .views = views}
        );
    }

    void in_processes(files const& tables, files const& functions, files const& views) {
        std::vector<pid_t> children;
        for (int n = 0; n < 8; ++n) {
            auto const child = fork();
            if (child == 0) _exit(run(tables, functions, views) ? 0 : 1);
            children.push_back(child);
        }
        for (auto const child : children) {
            int status = 0;
            ASSERT_EQ(waitpid(child, &status, 0), child);
            EXPECT_EQ(status, 0);
        }
    }

    std::string sum() const { return where.value("select sum(n) from postrider.a"); }
    std::string oid_of_f() const { return where.value("select 'postrider.f'::regproc::oid"); }
    std::string functions() const {
        return where.value(
            "select string_agg(oid::regprocedure::text, ' ' order by proname) from pg_proc "
            "where pronamespace = 'postrider'::regnamespace"
        );
    }

    tests::test_database where{tests::test_database::content::empty};
};

TEST_F(migrations, make_the_schema_of_an_empty_database) {
    auto const report = run({first, second}, {returns_one}, {narrow_view, view_of_view});

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_EQ(report->before, 0);
    EXPECT_EQ(report->now, 2);
    EXPECT_THAT(
        report->applied,
        ElementsAre("tables/0001_first", "tables/0002_second", "functions/f", "views/v", "views/w")
    );
    EXPECT_EQ(sum(), "3");
    EXPECT_EQ(where.value("select f from postrider.w"), "2");
}

TEST_F(migrations, log_one_line_for_all_files) {
    testing::internal::CaptureStderr();
    ASSERT_TRUE(run({first, second}, {returns_one}));
    auto const first_log = testing::internal::GetCapturedStderr();
    testing::internal::CaptureStderr();
    ASSERT_TRUE(run({first, second}, {returns_one}));
    auto const second_log = testing::internal::GetCapturedStderr();

    EXPECT_THAT(first_log, HasSubstr("info migrations.applied count=3 number=1\n"));
    EXPECT_EQ(std::ranges::count(first_log, '\n'), 1) << first_log;
    EXPECT_EQ(second_log, "");
}

TEST_F(migrations, are_applied_once) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view}));

    auto const again = run({first, second}, {returns_one}, {narrow_view});

    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->before, 1);
    EXPECT_THAT(again->applied, ElementsAre("tables/0002_second"));
    EXPECT_EQ(sum(), "3");
}

// covers: E.19
TEST_F(migrations, are_race_free_among_processes) {
    in_processes({first, second}, {returns_one}, {narrow_view, view_of_view});

    EXPECT_EQ(sum(), "3");
    EXPECT_EQ(where.value("select count(*) from postrider.migration"), "2");
    EXPECT_EQ(where.value("select count(*) from postrider.source"), "3");
}

// covers: E.19
TEST_F(migrations, replace_functions_and_views_race_free_among_processes) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view, view_of_view}));

    in_processes({first, wider}, {returns_two}, {wide_view, view_of_view});

    EXPECT_EQ(where.value("select f from postrider.w"), "2");
    EXPECT_EQ(where.value("select kind from postrider.v"), "x");
}

// covers: E.19
TEST_F(migrations, let_a_neighbouring_version_start_on_a_newer_schema) {
    ASSERT_TRUE(run({first, second, harmless}, {returns_two}));

    auto const older = run({first, second}, {returns_one});

    ASSERT_TRUE(older) << to_string(older.error());
    EXPECT_EQ(older->now, 3);
    EXPECT_THAT(older->applied, IsEmpty());
    EXPECT_EQ(where.value("select postrider.f(0)"), "2");
}

// covers: E.19
TEST_F(migrations, leave_the_functions_of_a_newer_build_alone) {
    ASSERT_TRUE(run({first}, {returns_two}, {}, 10));

    auto const older = run({first}, {returns_one}, {narrow_view}, 9);

    ASSERT_TRUE(older) << to_string(older.error());
    EXPECT_THAT(older->applied, IsEmpty());
    EXPECT_EQ(where.value("select postrider.f(0)"), "2");
}

TEST_F(migrations, refuse_a_schema_that_a_newer_version_broke) {
    ASSERT_TRUE(run({first, second, breaking}));

    auto const older = run({first, second});

    EXPECT_EQ(older.error(), errc::refused);
    EXPECT_THAT(older.error().detail, HasSubstr("migration 3"));
    EXPECT_TRUE(run({first, second, breaking})) << "the newer version itself starts";
}

TEST_F(migrations, refuse_a_database_from_before_the_first_release) {
    where.execute("create schema postrider");
    where.execute("create table postrider.migration (number int primary key, name text not null, "
                  "breaking boolean not null, applied_at timestamptz not null default now())");
    where.execute("insert into postrider.migration values (21, '0021_flow_numbers', false)");

    auto const report = run({first}, {returns_one}, {narrow_view});

    EXPECT_EQ(report.error(), errc::refused);
    EXPECT_THAT(
        report.error().detail,
        AllOf(HasSubstr("unreleased"), HasSubstr("empty database"), HasSubstr("drop the schema"))
    );
    EXPECT_EQ(where.value("select to_regclass('postrider.a')"), "");
}

TEST_F(migrations, refuse_a_database_whose_tables_were_made_from_another_text) {
    ASSERT_TRUE(run({first, second}));

    auto const report = run({first, wider});

    EXPECT_EQ(report.error(), errc::refused);
    EXPECT_THAT(report.error().detail, HasSubstr("tables/0002_second"));
}

TEST_F(migrations, that_fail_leave_nothing_behind) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view}));

    EXPECT_FALSE(run({first, second, failing}, {returns_two}, {wide_view}));

    EXPECT_EQ(sum(), "1");
    EXPECT_EQ(where.value("select max(number) from postrider.migration"), "1");
    EXPECT_EQ(where.value("select f from postrider.v"), "1");
    EXPECT_TRUE(run({first, second, harmless}, {returns_two}, {wide_view}))
        << "mended, it is applied";
}

TEST_F(migrations, may_take_longer_than_a_statement_of_daily_work) {
    constexpr schema_file slow{"tables/0001_slow", "1", "select pg_sleep(0.2);"};
    auto options = where.options();
    options.statement_timeout = std::chrono::milliseconds{100};

    files const tables{slow};
    auto const report = migrate(
        options, {.release = "1.0.0", .number = 1, .tables = tables, .functions = {}, .views = {}}
    );

    EXPECT_TRUE(report) << to_string(report.error());
}

// Whoever comes behind a migration that waits for a table waits as well: every chat.
TEST_F(migrations, give_way_to_a_transaction_that_somebody_left_open) {
    ASSERT_TRUE(run({first}));
    auto options = where.options();
    options.lock_timeout = std::chrono::milliseconds{50};
    files const tables{first, wider};
    schema const with{
        .release = "1.0.0", .number = 1, .tables = tables, .functions = {}, .views = {}};
    {
        tests::held_lock const somebody(where.url(), "select n from postrider.a");
        auto const meanwhile = migrate(options, with);
        ASSERT_FALSE(meanwhile);
        EXPECT_EQ(meanwhile.error(), errc::conflict);
        EXPECT_THAT(meanwhile.error().detail, HasSubstr("end its transaction"));
    }

    auto const afterwards = migrate(options, with);

    EXPECT_TRUE(afterwards) << to_string(afterwards.error());
}

TEST_F(migrations, replace_a_function_in_place) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view}));
    auto const before = oid_of_f();

    auto const report = run({first}, {returns_two}, {narrow_view});

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_THAT(report->applied, ElementsAre("functions/f"));
    EXPECT_EQ(where.value("select postrider.f(0)"), "2");
    EXPECT_EQ(where.value("select f from postrider.v"), "2");
    EXPECT_EQ(oid_of_f(), before) << "whoever calls it meanwhile misses it";
}

TEST_F(migrations, replace_a_function_whose_parameters_have_other_names) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view}));

    auto const report = run({first}, {renamed_parameter}, {narrow_view});

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_EQ(where.value("select f from postrider.v"), "3");
}

TEST_F(migrations, replace_a_function_that_has_other_parameters) {
    ASSERT_TRUE(run({first}, {returns_one}));

    auto const report = run({first}, {other_parameters});

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_EQ(functions(), "f(text)");
}

TEST_F(migrations, drop_what_no_file_defines_any_more_and_nothing_else) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view, view_of_view}));
    where.execute("create function postrider.mine() returns int language sql as 'select 0'");

    ASSERT_TRUE(run({first}, {other_function}));

    EXPECT_EQ(functions(), "g() mine()");
    EXPECT_EQ(where.value("select to_regclass('postrider.v')"), "");
    EXPECT_EQ(where.value("select string_agg(name, ' ') from postrider.source"), "functions/f");
}

TEST_F(migrations, replace_a_view_that_has_other_columns_and_those_that_depend_on_it) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view, view_of_view}));

    auto const report = run({first, wider}, {returns_one}, {wide_view, view_of_view});

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_THAT(report->applied, ElementsAre("tables/0002_wider", "views/v"));
    EXPECT_EQ(where.value("select kind || n from postrider.v"), "x1");
    EXPECT_EQ(where.value("select rows from postrider.w"), "1");
}

TEST_F(migrations, refuse_to_drop_a_view_that_a_person_has_built_on) {
    ASSERT_TRUE(run({first}, {returns_one}, {narrow_view}));
    where.execute("create view public.mine as select n from postrider.v");

    auto const report = run({first}, {returns_one}, {wide_view});

    EXPECT_EQ(report.error(), errc::refused);
    EXPECT_THAT(report.error().detail, HasSubstr("the view public.mine depends on"));
    EXPECT_EQ(where.value("select n from public.mine"), "1");
}

} // namespace
} // namespace postrider::storage::migrations_test
