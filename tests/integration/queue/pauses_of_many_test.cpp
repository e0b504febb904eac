// What a pause reads where many lanes wait. A million are 2,000 passes: one that reads them all is a
// million times 2,000.
#include "tests/integration/queue/operations_world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::pauses_of_many_test {
namespace {

// 2,000 lanes of bot 1 whose jobs wait; two of them are of bot 2.
class pauses_of_many : public testing::Test {
protected:
    pauses_of_many() {
        world.execute(
            "insert into postrider.lane (lane_key, bot_id) select n::text, case when n in (700, "
            "1400) then 2 else 1 end from generate_series(1, 2000) n;"
            "update postrider.lane_run set ready_at = postrider.now() + interval '1 day', "
            "arrivals = 1, head = lane_id + 100, priority = 2;"
            "insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, state, "
            "run_no, started_at, due_at) select lane_id + 100, lane_id, 1, 1, 'x', 'waiting', 1, "
            "postrider.now(), postrider.now() + interval '1 day' from postrider.lane"
        );
    }

    // By a pass that may change 10 lanes.
    std::int64_t rows_read_by_a_pass() {
        return world.get<std::int64_t>([](storage::transaction& tx) {
            storage::statement const read{"read", R"(
select sum(pg_stat_get_xact_tuples_returned(oid))::bigint
from (select 'postrider.lane_run'::regclass::oid as oid
      union all select indexrelid from pg_index where indrelid = 'postrider.lane_run'::regclass) r)"};
            auto const before = tx.query(read).at(0).int64(0);
            tx.query(storage::statement{"pass", "select postrider.apply_pauses(10)"});
            return tx.query(read).at(0).int64(0) - before;
        });
    }

    // How many, and of which bots.
    std::string held() {
        return world.value(
            "select concat_ws(' ', count(*), string_agg(distinct bot_id::text, ',')) "
            "from postrider.lane_run where ready_at = 'infinity'"
        );
    }

    operations_world world;
};

TEST_F(pauses_of_many, read_little_more_than_they_change) {
    world.execute("insert into postrider.pause (scope) values ('all')");
    EXPECT_LE(rows_read_by_a_pass(), 200) << "holds 10";
    world.execute("select postrider.apply_pauses(2000);"
                  "delete from postrider.pause");
    EXPECT_LE(rows_read_by_a_pass(), 200) << "frees 10";
}

TEST_F(pauses_of_many, of_a_bot_read_little_more_than_they_change) {
    world.execute("insert into postrider.pause (scope, bot_id) values ('bot:main', 1)");

    EXPECT_LE(rows_read_by_a_pass(), 200);
    EXPECT_EQ(held(), "10 1");
    EXPECT_LE(rows_read_by_a_pass(), 200) << "the next 10";
    EXPECT_EQ(held(), "20 1");
}

TEST_F(pauses_of_many, of_one_bot_do_not_read_the_lanes_of_another) {
    world.execute("insert into postrider.pause (scope, bot_id) values ('bot:other', 2)");

    EXPECT_LE(rows_read_by_a_pass(), 100);
    EXPECT_EQ(held(), "2 2");
}

} // namespace
} // namespace postrider::tests::pauses_of_many_test
