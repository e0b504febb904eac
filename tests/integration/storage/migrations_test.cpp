#include "storage/migrations.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

#include <sys/wait.h>
#include <unistd.h>

namespace postrider::storage {
namespace {

using base::errc;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr migration first{
    1, "0001_first", "create table postrider.a (n int); insert into postrider.a values (1);"};
constexpr migration second{2, "0002_second", "insert into postrider.a values (2);"};
constexpr migration harmless{3, "0003_harmless", "create index on postrider.a (n);"};
constexpr migration breaking{3, "0003_breaking", "-- breaking\ndrop table postrider.a;"};
constexpr migration failing{3, "0003_failing", "insert into postrider.a values (3); select 1 / 0;"};

class migrations : public testing::Test {
protected:
    base::result<migration_report> run(std::vector<migration> const& all) {
        return migrate(where.options(), all);
    }

    std::string sum() const { return where.value("select sum(n) from postrider.a"); }

    tests::test_database where{tests::test_database::content::empty};
};

TEST_F(migrations, make_the_schema_of_an_empty_database) {
    auto const report = run({first, second});

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_EQ(report->before, 0);
    EXPECT_EQ(report->now, 2);
    EXPECT_THAT(report->applied, ElementsAre("0001_first", "0002_second"));
    EXPECT_EQ(sum(), "3");
}

TEST_F(migrations, are_applied_once) {
    ASSERT_TRUE(run({first}));

    auto const again = run({first, second});

    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_EQ(again->before, 1);
    EXPECT_THAT(again->applied, ElementsAre("0002_second"));
    EXPECT_EQ(sum(), "3");
}

// covers: E.19
TEST_F(migrations, are_race_free_among_processes) {
    std::vector<pid_t> children;
    for (int n = 0; n < 8; ++n) {
        auto const child = fork();
        if (child == 0) _exit(run({first, second}) ? 0 : 1);
        children.push_back(child);
    }
    for (auto const child : children) {
        int status = 0;
        ASSERT_EQ(waitpid(child, &status, 0), child);
        EXPECT_EQ(status, 0);
    }

    EXPECT_EQ(sum(), "3");
    EXPECT_EQ(where.value("select count(*) from postrider.migration"), "2");
}

// covers: E.19
TEST_F(migrations, let_a_neighbouring_version_start_on_a_newer_schema) {
    ASSERT_TRUE(run({first, second, harmless}));

    auto const older = run({first, second});

    ASSERT_TRUE(older) << to_string(older.error());
    EXPECT_EQ(older->now, 3);
    EXPECT_THAT(older->applied, IsEmpty());
}

TEST_F(migrations, refuse_a_schema_that_a_newer_version_broke) {
    ASSERT_TRUE(run({first, second, breaking}));

    auto const older = run({first, second});

    EXPECT_EQ(older.error(), errc::refused);
    EXPECT_THAT(older.error().detail, HasSubstr("migration 3"));
    EXPECT_TRUE(run({first, second, breaking})) << "the newer version itself starts";
}

TEST_F(migrations, that_fail_leave_nothing_behind) {
    EXPECT_FALSE(run({first, second, failing}));

    EXPECT_EQ(sum(), "3");
    EXPECT_EQ(where.value("select max(number) from postrider.migration"), "2");
    EXPECT_TRUE(run({first, second, harmless})) << "mended, it is applied";
}

TEST_F(migrations, may_take_longer_than_a_statement_of_daily_work) {
    constexpr migration slow{1, "0001_slow", "select pg_sleep(0.2);"};
    auto options = where.options();
    options.statement_timeout = std::chrono::milliseconds{100};

    auto const report = migrate(options, std::vector{slow});

    EXPECT_TRUE(report) << to_string(report.error());
}

TEST_F(migrations, that_are_embedded_make_a_whole_schema) {
    auto const report = migrate(where.options());

    ASSERT_TRUE(report) << to_string(report.error());
    EXPECT_EQ(report->applied.size(), embedded_migrations().size());
    EXPECT_NE(where.value("select to_regclass('postrider.job')"), "");
}

TEST(embedded_migrations, are_numbered_without_gaps) {
    int expected = 0;
    for (auto const& one : embedded_migrations()) EXPECT_EQ(one.number, ++expected) << one.name;
}

} // namespace
} // namespace postrider::storage
