// A commit that travels with its fence in one round trip, and the ones that must look first.
#include "queue/store/checkpoint.hpp"
#include "queue/store/enqueue.hpp"
#include "storage/pg/connection.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <deque>
#include <future>

namespace postrider::tests::checkpoint_at_once_test {

namespace {

using namespace std::chrono_literals;
using queue::enqueued;
using verdict = queue::checkpoint::verdict;

constexpr node_id node{7};

// Remembers how a checkpoint was asked for its rows.
class watched_checkpoint final : public storage::one_stage_unit {
public:
    explicit watched_checkpoint(queue::checkpoint_request request)
        : commit(std::make_shared<queue::checkpoint_request const>(std::move(request))) {}

    bool fits_one_stage() const override { return commit.fits_one_stage(); }
    std::vector<storage::write> only_stage() override {
        ++at_once;
        return commit.only_stage();
    }
    std::vector<storage::write> stage(int number, std::vector<storage::rows> const& found)
        override {
        if (number == 0) ++by_stages;
        return commit.stage(number, found);
    }
    bool is_last(int number) const override { return commit.is_last(number); }

    queue::checkpoint commit;
    int at_once = 0;
    int by_stages = 0;
};

// Keeps the connection busy until it is opened, and shares its batch with nobody.
class gate final : public storage::unit {
public:
    std::vector<storage::write> stage(int, std::vector<storage::rows> const&) override {
        entered.set_value();
        opened.get_future().wait();
        return {};
    }
    bool apart() const override { return true; }

    std::promise<void> entered;
    std::promise<void> opened;
};

class checkpoint_at_once : public testing::Test {
protected:
    checkpoint_at_once() {
        storage::batcher_options options;
        options.name = "test";
        batcher = storage::make_batcher(io.executor(), database.options(), options);
    }

    lane_id make_lane(std::string const& key) const {
        auto const id = database.value(
            "insert into postrider.lane (lane_key) values ('" + key + "') returning lane_id"
        );
        return lane_id{std::stoll(id)};
    }

    enqueued arrive(lane_id in) const {
        auto session = storage::pg::connect(database.options(), storage::pg::purpose::batches);
        session->begin();
        auto const job =
            queue::enqueue(*session, {.lane = in, .kind = "turn", .input = {}, .lease_to = node});
        session->commit();
        return job;
    }

    static queue::checkpoint_request request_of(lane_id in, enqueued const& job) {
        queue::checkpoint_request request;
        request.node = node;
        request.lease.lane = in;
        request.lease.epoch = job.epoch;
        request.lease.head = job_id{base::raw(job.epoch)};
        request.job = job.id;
        request.arrival = job.arrival;
        return request;
    }

    static queue::checkpoint_request end_of(lane_id in, enqueued const& job) {
        auto request = request_of(in, job);
        queue::settle over;
        over.outcome.state = queue::job_state::completed;
        request.ending = std::move(over);
        return request;
    }

    std::shared_ptr<watched_checkpoint> commit(queue::checkpoint_request request) {
        auto sent = std::make_shared<watched_checkpoint>(std::move(request));
        EXPECT_TRUE(io.run(batcher->commit(sent, 5s)));
        return sent;
    }

    static base::awaitable<void> committing(
        storage::batcher& on, std::shared_ptr<storage::unit> unit, bool* committed
    ) {
        auto const outcome = co_await on.commit(std::move(unit), 10s);
        if (committed) *committed = outcome.has_value();
    }

    // In one batch.
    void commit_together(std::vector<std::shared_ptr<watched_checkpoint>> const& units) {
        auto busy = std::make_shared<gate>();
        auto entered = busy->entered.get_future();
        base::task_group tasks{io.executor()};
        tasks.spawn("busy", committing(*batcher, busy, nullptr));
        until([&] { return entered.wait_for(0s) == std::future_status::ready; });
        std::deque<bool> committed(units.size());
        for (std::size_t n = 0; n < units.size(); ++n)
            tasks.spawn("commit", committing(*batcher, units[n], &committed[n]));
        until([&] { return batcher->counts().waiting == units.size(); });
        busy->opened.set_value();
        io.run(tasks.join(), 20s);
        EXPECT_TRUE(std::ranges::all_of(committed, std::identity{}));
    }

    void until(std::function<bool()> condition) { io.run(poll(std::move(condition)), 10s); }

    static base::awaitable<void> poll(std::function<bool()> condition) {
        while (!condition()) co_await base::sleep_for(1ms);
    }

    std::string row_of(lane_id row, std::string const& columns) const {
        return database.value(fmt::format(
            "select concat_ws(' ', {}) from postrider.lane_run where lane_id = {}",
            columns,
            base::raw(row)
        ));
    }

    std::string state_of(job_id job) const {
        return database.value(
            "select state from postrider.job where job_id = " + base::to_string(job)
        );
    }

    test_database database;
    loop io;
    std::unique_ptr<storage::batcher> batcher;
    lane_id lane = make_lane("a");
};

// covers: E.08
TEST_F(checkpoint_at_once, records_what_was_done_in_one_round_trip) {
    auto const job = arrive(lane);
    auto request = request_of(lane, job);
    request.attempts = {{.key = "model", .seq = 1, .result = "hello"}};

    auto const sent = commit(std::move(request));

    EXPECT_EQ(sent->at_once, 1);
    EXPECT_EQ(sent->by_stages, 0);
    EXPECT_EQ(sent->commit.result(), verdict::written);
    EXPECT_EQ(database.value("select key || ' ' || outcome from postrider.step"), "model done");
}

TEST_F(checkpoint_at_once, dates_attempts_in_their_order) {
    auto const job = arrive(lane);
    base::manual_clock clock;
    auto request = request_of(lane, job);
    request.clock = &clock;
    auto const now = clock.steady();
    request.attempts = {
        {.key = "a", .seq = 1, .ended = now - 2s},
        {.key = "b", .seq = 2, .ended = now - 1s},
        {.key = "c", .seq = 3, .ended = now - 1s}};
    request.ends_after = std::chrono::microseconds{1};

    auto const sent = commit(std::move(request));

    EXPECT_EQ(
        database.value("select string_agg(key, '' order by ended_at, key desc) from postrider.step"
        ),
        "abc"
    );
    EXPECT_EQ(
        database.value("select extract(epoch from max(ended_at) - min(ended_at)) between 1 and 1.1 "
                       "from postrider.step"),
        "t"
    );
    EXPECT_EQ(
        database.value("select (extract(epoch from max(ended_at)) * 1000000)::bigint from "
                       "postrider.step"),
        std::to_string(sent->commit.latest_end().count())
    );
}

TEST_F(checkpoint_at_once, dates_no_attempt_before_those_of_an_earlier_commit) {
    auto const job = arrive(lane);
    base::manual_clock clock;
    auto request = request_of(lane, job);
    request.clock = &clock;
    request.attempts = {{.key = "a", .seq = 1, .ended = clock.steady() - 1h}};
    auto const earlier = std::chrono::microseconds{4'000'000'000'000'000};
    request.ends_after = earlier;

    auto const sent = commit(std::move(request));

    EXPECT_EQ(sent->commit.latest_end(), earlier + std::chrono::microseconds{1});
}

TEST_F(checkpoint_at_once, ends_the_lane_behind_its_last_job) {
    auto const job = arrive(lane);

    auto const sent = commit(end_of(lane, job));

    EXPECT_EQ(sent->by_stages, 0);
    EXPECT_FALSE(sent->commit.next());
    EXPECT_EQ(state_of(job.id), "completed");
    EXPECT_EQ(row_of(lane, "node_id, ready_at, arrivals"), "0");
}

// covers: E.10
TEST_F(checkpoint_at_once, hands_the_lane_to_its_next_job) {
    auto const first = arrive(lane);
    auto const second = arrive(lane);

    auto const sent = commit(end_of(lane, first));

    EXPECT_EQ(sent->by_stages, 0);
    ASSERT_TRUE(sent->commit.next());
    EXPECT_EQ(sent->commit.next()->id, second.id);
    EXPECT_EQ(state_of(second.id), "running");
    EXPECT_EQ(row_of(lane, "node_id, head"), "7 " + base::to_string(second.id));
}

// covers: E.10
TEST_F(checkpoint_at_once, goes_on_with_a_job_that_was_put_back_before_its_own) {
    auto const earlier = arrive(lane);
    auto const job = arrive(lane);
    database.execute(
        "update postrider.job set state = 'available' where job_id = " + base::to_string(earlier.id)
    );
    // Whoever puts a job back counts it as an arrival (decision 0014).
    database.execute("update postrider.lane_run set arrivals = arrivals + 1");
    auto request = end_of(lane, job);
    request.lease.head = job.id;

    auto const sent = commit(std::move(request));

    EXPECT_EQ(sent->by_stages, 1); // its head is an earlier one: it looked before it chose
    ASSERT_TRUE(sent->commit.next());
    EXPECT_EQ(sent->commit.next()->id, earlier.id);
}

// covers: E.09
TEST_F(checkpoint_at_once, of_a_lost_lease_writes_nothing_and_takes_nothing_from_its_batch) {
    auto const other_lane = make_lane("b");
    auto const job = arrive(lane);
    auto const other_job = arrive(other_lane);
    auto lost = request_of(lane, job);
    lost.lease.epoch = lane_epoch{base::raw(job.epoch) - 1};
    lost.attempts = {{.key = "late", .seq = 1}};
    auto kept = request_of(other_lane, other_job);
    kept.attempts = {{.key = "kept", .seq = 1}};
    auto const losing = std::make_shared<watched_checkpoint>(std::move(lost));
    auto const keeping = std::make_shared<watched_checkpoint>(std::move(kept));

    commit_together({losing, keeping});

    EXPECT_EQ(losing->commit.result(), verdict::lost);
    EXPECT_EQ(keeping->commit.result(), verdict::written);
    EXPECT_EQ(keeping->at_once, 1);
    EXPECT_EQ(keeping->by_stages, 1);
    EXPECT_EQ(database.value("select string_agg(key, ' ') from postrider.step"), "kept");
}

TEST_F(checkpoint_at_once, of_an_edited_message_writes_nothing) {
    auto const job = arrive(lane);
    database.execute(
        "update postrider.lane_run set edits = 1 where lane_id = " + base::to_string(lane)
    );
    auto request = request_of(lane, job);
    request.unless_edited = true;
    request.attempts = {{.key = "model", .seq = 1}};

    auto const sent = commit(std::move(request));

    EXPECT_EQ(sent->commit.result(), verdict::stale);
    EXPECT_EQ(sent->commit.edits(), 1);
    EXPECT_EQ(database.value("select count(*) from postrider.step"), "0");
}

// covers: E.12
TEST_F(checkpoint_at_once, leaves_a_lane_that_is_asked_to_hold) {
    auto const first = arrive(lane);
    auto const second = arrive(lane);
    database.execute(
        "update postrider.lane_run set asked = 'hold' where lane_id = " + base::to_string(lane)
    );

    auto const sent = commit(end_of(lane, first));

    EXPECT_EQ(sent->by_stages, 1);
    EXPECT_FALSE(sent->commit.next());
    EXPECT_EQ(state_of(second.id), "available");
    EXPECT_EQ(row_of(lane, "node_id, ready_at"), "infinity");
}

// What the run has heard before it decided to end was a cancel, or nothing.
// covers: E.12
TEST_F(checkpoint_at_once, ends_no_job_whose_rollback_was_asked_for_meanwhile) {
    auto const job = arrive(lane);
    auto const end = [&] {
        auto request = end_of(lane, job);
        std::get<queue::settle>(request.ending).unless_rollback = true;
        return commit(std::move(request));
    };
    auto const ask = [&](std::string const& request) {
        database.execute(
            "update postrider.lane_run set asked = '" + request +
            "' where lane_id = " + base::to_string(lane)
        );
    };

    ask("rollback");
    EXPECT_TRUE(end()->commit.withdrawn());
    EXPECT_EQ(state_of(job.id), "running");
    ask("cancel");
    EXPECT_FALSE(end()->commit.withdrawn());
    EXPECT_EQ(state_of(job.id), "completed");
}

} // namespace

} // namespace postrider::tests::checkpoint_at_once_test
