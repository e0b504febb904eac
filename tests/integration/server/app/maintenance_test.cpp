#include "server/app/maintenance.hpp"
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

// One step's statement fails in every round; what comes behind it must not wait for that.
TEST(maintenance, does_the_other_steps_where_one_fails) {
    tests::test_database database;
    tests::loop loop;
    auto db = storage::open_database(loop.executor(), database.options());
    database.execute(
        "drop function postrider.prune_messages(interval, int);"
        "drop function postrider.prune_kept(interval);"
        "insert into postrider.session_message (session, job_id, created_at, position, "
        "role, content) values ('s', 1, postrider.now() - interval '31 days', 0, "
        "'user', 'old');"
        "insert into postrider.refused_tool values (postrider.now() - interval '31 days', 'm', "
        "'old', ''), "
        "(postrider.now(), 'm', 'new', '')"
    );
    std::int64_t lane_position = 0;

    loop.run(tidy_once(*db, {48h, 720h, 2160h, 720h}, lane_position));

    EXPECT_EQ(database.value("select count(*) from postrider.session_message"), "0");
    EXPECT_EQ(database.value("select tool from postrider.refused_tool"), "new");
    db->close();
}

// Whoever removes a document waits for some of its parts alone.
TEST(maintenance, deletes_what_is_left_of_removed_documents) {
    tests::test_database database;
    tests::loop loop;
    auto db = storage::open_database(loop.executor(), database.options());
    database.execute(
        "insert into postrider.collection (name) values ('docs');"
        "insert into postrider.document (collection_id, name, source, generation, incoming, state) "
        "values (1, 'a', 'a', 1, 1, 'ready');"
        "insert into postrider.document_part (document_id, collection_id, generation, number, "
        "heading, content, words) select 1, 1, 1, n, '', 'a', '' from generate_series(1, 3000) n"
    );
    database.execute("select postrider.remove_document(1)");
    ASSERT_EQ(database.value("select count(*) from postrider.document_part"), "2000");
    std::int64_t lane_position = 0;

    loop.run(tidy_once(*db, {48h, 720h, 2160h, 720h}, lane_position));

    EXPECT_EQ(database.value("select count(*) from postrider.document_part"), "0");
    EXPECT_EQ(database.value("select count(*) from postrider.document"), "0");
    db->close();
}

// A flow without a lane of its own makes a lane for each execution.
TEST(maintenance, removes_lanes_as_fast_as_they_are_made) {
    tests::test_database database;
    tests::loop loop;
    auto db = storage::open_database(loop.executor(), database.options());
    database.execute(
        "insert into postrider.lane (lane_key, created_at) select 'execution:' || n, "
        "postrider.now() - interval '91 days' from generate_series(1, 5000) n;"
        "insert into postrider.lane (lane_key) select 'young:' || n from generate_series(1, 10) n"
    );

    std::int64_t position = 0;

    EXPECT_EQ(loop.run(prune_lanes(*db, {48h, 720h, 2160h}, position)).value(), 5000);

    EXPECT_EQ(position, 0) << "all were looked at";

    EXPECT_EQ(database.value("select count(*) from postrider.lane"), "10");
    db->close();
}

} // namespace
} // namespace postrider::server::maintenance_test
