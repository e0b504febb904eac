// What people read where Postgres does not let a command do its work, or where there is none.
#include "server/cli/run.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

#include <sstream>

namespace postrider::cli::rights_test {
namespace {

using testing::HasSubstr;

class refused_commands : public testing::Test {
protected:
    struct outcome {
        int code;
        std::string out;
    };

    outcome run_with(std::vector<std::string> args) {
        args.insert(args.end(), {"--data", testing::TempDir()});
        std::ostringstream out, err;
        int const code = run(args, world, out, err);
        return {code, out.str() + err.str()};
    }

    tests::test_database database;
    base::environment world{{"DATABASE_URL", database.url()}};
};

TEST_F(refused_commands, doctor_and_check_survive_a_role_that_may_do_nothing) {
    auto const role = "lowly_" + database.name();
    database.execute("create role " + role + " login");
    world["DATABASE_URL"] = database.url() + " user=" + role;
    auto const told = "failed database: permission denied for schema postrider: role " + role +
                      " may not do that; make it the owner of the database, or of the schema\n";

    auto const checked = run_with({"check"});
    auto const asked = run_with({"check", "--online"});
    auto const examined = run_with({"doctor"});
    auto const listed = run_with({"jobs", "list"});
    auto const migrated = run_with({"migrate"});
    database.execute("drop role " + role);

    EXPECT_THAT(checked.out, HasSubstr(told + "       → postrider check --online\n"));
    for (auto const& of : {asked, examined}) {
        EXPECT_EQ(of.code, 1);
        EXPECT_THAT(of.out, HasSubstr(told));
        EXPECT_THAT(of.out, HasSubstr("failed rights: role " + role + " may not create"));
        EXPECT_THAT(of.out, HasSubstr("ok     telegram: no token")) << "it goes on";
    }
    for (auto const& of : {listed, migrated}) {
        EXPECT_EQ(of.code, 1);
        EXPECT_EQ(
            of.out,
            "postrider: permission denied for schema postrider: role " + role +
                " may not do that; make it the owner of the database, or of the schema; `postrider "
                "check --online` shows what is missing\n"
        );
    }
}

TEST_F(refused_commands, commands_name_the_table_that_a_role_may_not_write) {
    auto const role = "reader_" + database.name();
    database.execute("create role " + role + " login in role postrider_reader");
    world["DATABASE_URL"] = database.url() + " user=" + role;

    auto const paused = run_with({"pause"});
    database.execute("drop role " + role);

    EXPECT_EQ(paused.code, 1);
    EXPECT_THAT(
        paused.out,
        HasSubstr("postrider: permission denied for table pause: role " + role + " may not do that")
    );
}

TEST_F(refused_commands, commands_say_why_the_database_is_read_only_as_check_does) {
    auto const name = database.name();
    database.execute("alter database " + name + " set default_transaction_read_only = on");

    auto const paused = run_with({"pause"});

    EXPECT_EQ(paused.code, 1);
    EXPECT_THAT(
        paused.out,
        HasSubstr(
            "cannot do that: unavailable: the database is read-only: default_transaction_read_only "
            "is on; `begin read write; alter database " +
            name + " reset default_transaction_read_only; commit` ends it"
        )
    );
}

using quiet_database = refused_commands;

TEST_F(quiet_database, lanes_that_are_not_listed_are_told_by_the_reason) {
    auto const all = run_with({"lanes", "list"});
    auto const some = run_with({"lanes", "list", "--status", "running"});

    EXPECT_EQ(
        all.out, "No lane has work; `postrider lanes list --status idle` shows those without.\n"
    );
    EXPECT_EQ(some.out, "No lane matches.\n");
}

} // namespace
} // namespace postrider::cli::rights_test
