#include "server/maintenance.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::server::maintenance_test {
namespace {

using namespace std::chrono_literals;

TEST(maintenance, prunes_what_is_older_than_its_retention_and_nothing_else) {
    tests::test_database database;
    tests::loop loop;
    auto db = storage::open_database(loop.executor(), database.options());
    database.execute(
        "insert into postrider.inbox (bot_id, update_id, received_at, disposition, reason)"
        " select 1, n, postrider.now() - interval '49 h', 'job', null from generate_series(1, "
        "6000) n"
        " union all select 1, 7001, postrider.now() - interval '47 h', 'job', null"
        " union all select 1, 7002, postrider.now() - interval '49 h', 'rejected', 'invalid'"
        " union all select 1, 7003, postrider.now() - interval '31 days', 'rejected', 'invalid'"
    );

    auto pruned = loop.run(prune_inbox(*db, {48h, 720h, 2160h}));

    ASSERT_TRUE(pruned);
    EXPECT_EQ(*pruned, 6001);
    EXPECT_EQ(
        database.value(
            "select string_agg(update_id::text, ',' order by update_id) from postrider.inbox"
        ),
        "7001,7002"
    );
    db->close();
}

} // namespace
} // namespace postrider::server::maintenance_test
