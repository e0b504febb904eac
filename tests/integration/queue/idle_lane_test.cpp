// A lane's row between two bursts of jobs: what arrives beside its end, beside another arrival, and
// how much of it is looked at beside an old snapshot.
#include "queue/node/node_store.hpp"
#include "queue/store/enqueue.hpp"
#include "queue/store/statements.hpp"
#include "storage/connections.hpp"
#include "storage/pg/connection.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

namespace postrider::tests::idle_lane_test {

namespace {

using namespace std::chrono_literals;
using queue::enqueued;
using storage::pg::connection;

constexpr node_id node{7};

class idle_lane : public testing::Test {
protected:
    std::unique_ptr<connection> session() const {
        return storage::pg::connect(database.options(), storage::pg::purpose::batches);
    }

    enqueued arrive(connection& by) const {
        return queue::enqueue(by, {.lane = lane, .kind = "turn", .input = {}, .lease_to = node});
    }

    std::string lease_of(enqueued const& job) const {
        return fmt::format(
            R"([{{"i": 0, "lane_id": {}, "epoch": {}, "node_id": {}}}])",
            base::raw(lane),
            base::raw(job.epoch),
            base::raw(node)
        );
    }

    // What a worker's commit does to the row when the last of its jobs has ended.
    void end(connection& by, enqueued const& job) const {
        ASSERT_EQ(by.query(queue::sql::fence, {lease_of(job)}).size(), 1u);
        by.query(queue::sql::end_lanes, {lease_of(job)});
    }

    void burst(connection& by) const {
        by.begin();
        auto const job = arrive(by);
        by.commit();
        ASSERT_TRUE(job.leased);
        by.begin();
        end(by, job);
        by.commit();
    }

    void wait_until_one_waits_for_a_lock() const {
        while (database.value("select count(*) > 0 from pg_stat_activity where wait_event_type = "
                              "'Lock' and datname = current_database()") != "t")
            std::this_thread::yield();
    }

    // An arrival that has to wait for what `holder` has done to the lane and then commits.
    enqueued arrive_beside(connection& holder) {
        door->begin();
        auto arrival = std::async(std::launch::async, [&] { return arrive(*door); });
        wait_until_one_waits_for_a_lock();
        holder.commit();
        auto const found = arrival.get();
        door->commit();
        return found;
    }

    std::string row(std::string const& columns) const {
        return database.value(
            "select string_agg(concat_ws(' ', " + columns + "), ', ') from postrider.lane_run"
        );
    }

    test_database database;
    lane_id lane{std::stoll(
        database.value("insert into postrider.lane (lane_key) values ('a') returning lane_id")
    )};
    std::unique_ptr<connection> worker = session();
    std::unique_ptr<connection> door = session();
};

// covers: E.10
TEST_F(idle_lane, is_leased_once_by_two_arrivals_at_the_same_time) {
    worker->begin();
    auto const first = arrive(*worker);
    auto const second = arrive_beside(*worker);

    EXPECT_TRUE(first.leased);
    EXPECT_FALSE(second.leased);
    EXPECT_EQ(second.epoch, first.epoch);
    EXPECT_EQ(second.arrival, 2);
    EXPECT_LT(first.id, second.id);
    EXPECT_EQ(row("node_id, arrivals, ready_at is not null"), "7 2 t");
}

TEST_F(idle_lane, begins_anew_for_an_arrival_that_has_waited_for_its_end) {
    worker->begin();
    auto const first = arrive(*worker);
    worker->commit();
    worker->begin();
    end(*worker, first);
    auto const second = arrive_beside(*worker);

    EXPECT_TRUE(second.leased);
    EXPECT_GT(second.epoch, first.epoch);
    EXPECT_EQ(second.arrival, 1);
    EXPECT_EQ(row("node_id, arrivals, ready_at is not null"), "7 1 t");
    EXPECT_EQ(
        row("epoch, head < " + base::to_string(second.id)), base::to_string(second.epoch) + " t"
    );
}

TEST_F(idle_lane, does_not_end_while_an_arrival_has_it) {
    worker->begin();
    auto const first = arrive(*worker);
    worker->commit();
    door->begin();
    auto const second = arrive(*door);
    auto fenced = std::async(std::launch::async, [&] {
        worker->begin();
        auto const arrivals = worker->query(queue::sql::fence, {lease_of(first)}).at(0).int64(1);
        worker->commit();
        return arrivals;
    });
    wait_until_one_waits_for_a_lock();
    door->commit();

    EXPECT_FALSE(second.leased);
    EXPECT_EQ(fenced.get(), 2) << "so the worker looks for the next job";
}

// An old snapshot keeps the versions of all bursts. pg_stat_get_xact_tuples_returned counts the index
// entries that this session has looked at, those of dead versions too, and is
// told to the others between transactions only.
// covers: E.16
TEST_F(idle_lane, costs_a_turn_the_same_after_thousands_of_bursts_beside_an_old_snapshot) {
    auto const reader = session();
    reader->begin();
    reader->script("set transaction isolation level repeatable read");
    reader->query({"snapshot", "select count(*) from postrider.lane"}, {});
    auto looked_at = [&] {
        return worker
            ->query(
                {"looked_at",
                 "select sum(pg_stat_get_xact_tuples_returned(indexrelid))::bigint from pg_index "
                 "where indrelid = 'postrider.lane_run'::regclass"},
                {}
            )
            .at(0)
            .int64(0);
    };
    auto measured = [&](auto const& act) {
        worker->begin();
        auto const before = looked_at();
        act();
        auto const entries = looked_at() - before;
        worker->commit();
        return entries;
    };
    auto measured_turn = [&] {
        enqueued job;
        auto const begun = measured([&] { job = arrive(*worker); });
        return begun + measured([&] { end(*worker, job); });
    };
    for (int n = 0; n < 10; ++n) burst(*worker); // plans are made
    auto const before = measured_turn();

    for (int n = 0; n < 3000; ++n) burst(*worker);

    EXPECT_GT(before, 0);
    EXPECT_LE(measured_turn(), before + 3);
    reader->rollback();
}

class leased_lane : public idle_lane {
protected:
    queue::beat_result beat() {
        auto found = io.run(store.beat(self, identity, 0, 1min, look, false, {})).value();
        std::vector<lane_epoch> epochs;
        for (auto const& [held, asked] : found.lanes) epochs.push_back(held.epoch);
        EXPECT_TRUE(look.note(found.horizon, std::move(epochs)));
        return found;
    }
    std::vector<lane_epoch> epochs_at_beat() {
        std::vector<lane_epoch> epochs;
        for (auto const& [held, asked] : beat().lanes) epochs.push_back(held.epoch);
        return epochs;
    }
    enqueued arrive_for(node_id leased_to) const {
        return queue::enqueue(
            *door, {.lane = lane, .kind = "turn", .input = {}, .lease_to = leased_to}
        );
    }

    void TearDown() override { all.close(); }

    loop io;
    storage::connections all = storage::connect(io.executor(), database.options());
    queue::node_store store{*all.beats, *all.db};
    queue::node_identity identity = queue::this_process("test");
    node_id self = io.run(store.join(identity, 8)).value();
    queue::lease_look look{self};
};

// covers: E.09
TEST_F(leased_lane, is_found_by_its_node_when_the_lease_was_committed_late) {
    door->begin();
    auto const job = arrive_for(self);
    for (int n = 0; n < 4; ++n) {
        database.value("select nextval('postrider.number')");
        EXPECT_EQ(epochs_at_beat(), std::vector<lane_epoch>{});
    }
    EXPECT_LT(look.floor(), base::raw(job.epoch)) << "a lease may still come below";
    door->commit();

    // Transactions of other databases of the cluster hold the floor as well, for as long as they last.
    do EXPECT_EQ(epochs_at_beat(), std::vector{job.epoch});
    while (look.floor() < base::raw(job.epoch));
    EXPECT_EQ(epochs_at_beat(), std::vector{job.epoch}) << "it is asked for by itself";
}

// A new partition begins with a number that is set, and not drawn yet.
// covers: E.09
TEST_F(leased_lane, is_found_when_its_epoch_is_the_first_of_a_partition) {
    auto const first = database.value(
        "select setval('postrider.number', (select min(p.low) from postrider.number n "
        "join postrider.partitions() p on p.low > n.last_value), false)"
    );
    for (int n = 0; n < 3; ++n) (void)beat();

    door->begin();
    auto const job = arrive_for(self);
    door->commit();

    EXPECT_EQ(base::to_string(job.epoch), first);
    EXPECT_EQ(epochs_at_beat(), std::vector{job.epoch});
}

// Its node is gone, and the only one that lives came after the lease was drawn and before its commit.
// covers: E.09
TEST_F(leased_lane, of_a_node_that_has_left_is_found_by_a_younger_one) {
    door->begin();
    auto const job = arrive_for(self);
    io.run(store.leave(self)).value();
    self = io.run(store.join(identity, 8)).value();
    look = queue::lease_look{self};
    ASSERT_LT(base::raw(job.epoch), base::raw(self));
    EXPECT_FALSE(beat().others_died);
    database.value("select nextval('postrider.number')");
    EXPECT_FALSE(beat().others_died);
    door->commit();

    EXPECT_TRUE(beat().others_died);
}

// The node's row goes while the lease cannot be seen yet. Other nodes may have seen the lease beside
// the row, and look for it no more.
// covers: E.09
TEST_F(leased_lane, is_freed_by_its_node_when_it_was_committed_while_the_node_left) {
    database.execute(
        "create function public.hold() returns trigger language plpgsql set lock_timeout = 0 as $$ "
        "begin perform pg_advisory_xact_lock(1); return null; end $$; "
        "create trigger hold after delete on postrider.node for each row execute function "
        "public.hold()"
    );
    worker->begin();
    worker->query({"hold", "select pg_advisory_xact_lock(1)"}, {});
    door->begin();
    auto const job = arrive_for(self);
    ASSERT_TRUE(job.leased);

    auto leaving = std::async(std::launch::async, [this] { return io.run(store.leave(self)); });
    wait_until_one_waits_for_a_lock();
    door->commit();
    worker->commit();

    EXPECT_TRUE(leaving.get());
    EXPECT_EQ(database.value("select count(*) from postrider.node"), "0");
    EXPECT_EQ(row("node_id is null, ready_at is not null"), "t t");
}

} // namespace

} // namespace postrider::tests::idle_lane_test
