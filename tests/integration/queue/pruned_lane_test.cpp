// A lane that retention removes while something for it arrives.
#include "queue/store/enqueue_turn.hpp"
#include "tests/integration/queue/two_sessions.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::pruned_lane_test {
namespace {

class lane_that_goes : public two_sessions {
protected:
    lane_that_goes() {
        database.execute("insert into postrider.lane (lane_key, created_at) values "
                         "('idle', postrider.now() - interval '91 days')");
        lane = lane_id{std::stoll(database.value("select max(lane_id) from postrider.lane"))};
    }

    static std::string prune(storage::pg::connection& by) {
        return by.query({"prune", "select gone from postrider.prune_lanes(0, '90 days')"}, {})
            .front()
            .text(0);
    }

    lane_id lane{};
    storage::pg::connection* const pruner = first.get();
    storage::pg::connection* const door = second.get();
};

TEST_F(lane_that_goes, is_no_lane_for_an_arrival_that_has_seen_it) {
    pruner->begin();
    EXPECT_EQ(prune(*pruner), "1");
    door->begin();
    auto arrival = std::async(std::launch::async, [&] {
        queue::enqueue(*door, {lane, "turn", {}, {}});
    });
    wait_until_somebody_waits();
    pruner->commit();

    EXPECT_THROW(arrival.get(), storage::database_error);
    door->rollback();
    EXPECT_EQ(database.value("select count(*) from postrider.job"), "0");
}

TEST_F(lane_that_goes, leaves_nothing_of_a_turn_that_has_seen_it) {
    storage::inbox_row const update{bot_id{1}, update_id{1}, "job", {}, {}, {}};
    storage::message_row message;
    message.role = "user";
    auto const turn = queue::enqueue_turn({lane, "turn", {}, {}}, lane, {&update, &message});
    auto const rows = "[" + std::string(turn.row).insert(1, "\"i\":0,") + "]";
    pruner->begin();
    EXPECT_EQ(prune(*pruner), "1");
    door->begin();
    auto arrival = std::async(std::launch::async, [&] { door->query(*turn.statement, {rows}); });
    wait_until_somebody_waits();
    pruner->commit();

    EXPECT_EQ(failure_of(arrival), base::errc::conflict) << "it is tried again";
    door->rollback();
    EXPECT_EQ(database.value("select count(*) from postrider.inbox"), "0");
}

// Made anew it would be the younger one, and a command would lock both against the order.
TEST_F(lane_that_goes, goes_after_the_one_of_its_commands) {
    database.execute("insert into postrider.lane (lane_key, created_at) values "
                     "('commands:idle', postrider.now() - interval '91 days')");
    auto const left = [this] {
        return database.value("select string_agg(lane_key, ' ') from postrider.lane");
    };

    EXPECT_EQ(prune(*pruner), "1");
    EXPECT_EQ(left(), "idle");
    EXPECT_EQ(prune(*pruner), "1");
    EXPECT_EQ(left(), "");
}

TEST_F(lane_that_goes, stays_when_an_arrival_was_first) {
    door->begin();
    queue::enqueue(*door, {lane, "turn", {}, {}});
    EXPECT_EQ(prune(*pruner), "0") << "its row is locked: that is not waited for";
    door->commit();

    EXPECT_EQ(prune(*pruner), "0");
    EXPECT_EQ(database.value("select state from postrider.job"), "available");
}

TEST_F(lane_that_goes, stays_for_a_delayed_job_that_was_first) {
    auto const later = "select postrider.enqueue_later('idle', 'turn', delay => '1 day') is null";
    door->begin();
    EXPECT_EQ(door->query({"later", later}, {}).front().text(0), "f");
    EXPECT_EQ(prune(*pruner), "0");
    door->commit();

    EXPECT_EQ(prune(*pruner), "0");
    EXPECT_EQ(database.value("select count(*) from postrider.lane where lane_key = 'idle'"), "1");
}

} // namespace
} // namespace postrider::tests::pruned_lane_test
