// Forgetting a named session from the command line.
#include "server/cli/run.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace postrider::cli::sessions_test {
namespace {

// covers: S3.22
TEST(sessions_command, forgets_one_session_and_says_when_there_is_none) {
    tests::test_database database;
    database.execute(
        "insert into postrider.session_message (session, job_id, position, role, content) "
        "values ('kim', 1, 0, 'user', 'a'), ('kim', 1, 1, 'assistant', 'b'), ('lee', 1, 0, 'user', "
        "'c')"
    );
    std::ostringstream out, err, second, slip;
    base::environment const with{{"DATABASE_URL", database.url()}};

    EXPECT_EQ(run({"sessions", "forget", "kim", "--json"}, with, out, err), 0) << err.str();
    EXPECT_EQ(run({"sessions", "forget", "kim"}, with, out, second), 1);
    EXPECT_EQ(run({"sessions", "forget", "leee"}, with, out, slip), 1);

    EXPECT_EQ(out.str(), "{\"session\":\"kim\",\"messages\":2}\n");
    EXPECT_EQ(second.str(), "postrider: nothing is remembered of kim.\n");
    EXPECT_EQ(slip.str(), "postrider: nothing is remembered of leee; did you mean lee?\n");
    EXPECT_EQ(
        database.value("select string_agg(session, ' ') from postrider.session_message"), "lee"
    );
}

TEST(sessions_command, suggests_a_name_behind_a_thousand_others) {
    tests::test_database database;
    database.execute(
        "insert into postrider.session_message (session, job_id, position, role, content) "
        "select 'customer-' || n, 1, 0, 'user', 'a' from generate_series(1, 1000) n"
    );
    database.execute(
        "insert into postrider.session_message (session, job_id, position, role, content) "
        "values ('order-desk', 1, 0, 'user', 'a')"
    );
    std::ostringstream out, slip;
    base::environment const with{{"DATABASE_URL", database.url()}};

    EXPECT_EQ(run({"sessions", "forget", "oder-desk"}, with, out, slip), 1);

    EXPECT_THAT(slip.str(), testing::HasSubstr("did you mean order-desk?"));
}

} // namespace
} // namespace postrider::cli::sessions_test
