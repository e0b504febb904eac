// What comes in with a job, in one statement.
#include "queue/store/enqueue_turn.hpp"
#include "tests/integration/queue/retention_world.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::tests::enqueue_turn_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class turns_of_rows : public ::testing::Test {
protected:
    turns_of_rows() {
        w.database.execute("insert into postrider.lane (lane_key) values ('left'), ('right')");
        a = lane_of("left");
        b = lane_of("right");
        message.role = "user";
        message.content = "hi";
    }

    lane_id lane_of(std::string const& key) {
        return lane_id{std::stoll(
            w.database.value("select lane_id from postrider.lane where lane_key = '" + key + "'")
        )};
    }
    static queue::new_job job(lane_id lane) { return {lane, "turn", {}, {}}; }
    storage::write row(
        lane_id lane,
        queue::turn_rows with,
        queue::absent_lane absent = queue::absent_lane::stores_nothing
    ) {
        return queue::enqueue_turn(job(lane), lane, with, absent);
    }
    // The numbers of the rows that got a job.
    std::vector<std::int64_t> store(std::vector<storage::write> const& writes) {
        std::string all;
        for (std::size_t n = 0; n < writes.size(); ++n)
            all += (n ? "," : "[") +
                   std::string(writes[n].row).insert(1, "\"i\":" + std::to_string(n) + ",");
        std::vector<std::int64_t> stored;
        for (auto const& returned : door->query(*writes.front().statement, {all + "]"}))
            if (queue::read_turn(returned)) stored.push_back(returned.int64(0));
        return stored;
    }

    old_jobs w;
    std::unique_ptr<storage::pg::connection> door = w.session();
    lane_id a{};
    lane_id b{};
    storage::message_row message;
};

// covers: E.02
TEST_F(turns_of_rows, are_new_unless_an_inbox_row_says_otherwise) {
    storage::inbox_row const update{bot_id{1}, update_id{7}, "job", {}, {}, {}};
    EXPECT_THAT(
        store({row(a, {&update, &message}), row(a, {nullptr, &message}), row(b, {})}),
        ElementsAre(0, 1, 2)
    );
    EXPECT_THAT(
        store({row(a, {&update, &message}), row(a, {nullptr, &message}), row(b, {})}),
        ElementsAre(1, 2)
    ) << "the update was seen before";

    EXPECT_EQ(w.database.value("select count(*) from postrider.inbox"), "1");
    EXPECT_EQ(
        w.database.value("select string_agg(l.lane_key || ' ' || coalesce(m.content, '-'), ', ' "
                         "order by j.job_id) from postrider.job j join postrider.lane l using "
                         "(lane_id) left join postrider.message m using (job_id) where "
                         "l.lane_key in ('left', 'right')"),
        "left hi, left hi, right -, left hi, right -"
    );
}

TEST_F(turns_of_rows, of_a_lane_that_is_not_there_are_left_out_or_fail_as_told) {
    lane_id const gone{999};
    EXPECT_THAT(store({row(gone, {nullptr, &message}), row(b, {})}), ElementsAre(1));
    try {
        store({row(gone, {}, queue::absent_lane::fails_statement), row(b, {})});
        FAIL() << "what belongs to the job would be committed without it";
    } catch (storage::pg::failure const& failed) {
        EXPECT_EQ(failed.error.code, base::errc::conflict);
    }
    EXPECT_EQ(w.database.value("select count(*) from postrider.message where role = 'user'"), "0");
}

} // namespace
} // namespace postrider::tests::enqueue_turn_test
