// Operators, arrivals and workers at once.
#include "queue/admin/operations.hpp"
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <stdexcept>
#include <stop_token>
#include <thread>

namespace postrider::tests::operations_race_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::operation;
using queue::outcome;
using queue::step_value;
using queue::workflow;

struct tally {
    int steps = 0;
};

awaitable<step_value> note(tally& book) {
    ++book.steps;
    co_return boost::json::value(book.steps);
}

awaitable<outcome> short_work(workflow& flow, tally& book) {
    (void)co_await flow.run("one", {}, [&] { return note(book); });
    (void)co_await flow.run("two", {}, [&] { return note(book); });
    co_return outcome::completed();
}

// Delivers until it was stored, as Telegram does where it meets a lock that is held for long.
void deliver(world& w, node& to, lane_id lane) {
    base::result<queue::enqueued> stored = base::errc::conflict;
    while (!stored && stored.error() == base::errc::conflict)
        stored = w.try_enqueue(to, {lane, "short", {}, {}});
    if (!stored) throw std::runtime_error(base::to_string(stored.error()));
}

// Two operators do anything to anything while messages arrive and workers finish.
// covers: E.12
TEST(operations_race, operators_arrivals_and_workers_together_lose_nothing) {
    constexpr int lanes = 6;
    constexpr int messages = 240;
    world w;
    tally book;
    auto& node =
        w.start_node({{"short", [&](workflow& flow) { return short_work(flow, book); }}}, 4);
    std::vector<lane_id> all;
    for (int i = 0; i < lanes; ++i) all.push_back(w.make_lane("lane" + std::to_string(i)));
    std::atomic<int> did{0};
    std::atomic<int> failures{0};
    auto operates = [&](std::stop_token const& over, unsigned seed) {
        std::mt19937 random(seed);
        for (int round = 0; round < 40 || !over.stop_requested(); ++round) {
            auto done = w.try_in_transaction([&](storage::transaction& tx) {
                auto const newest = queue::matching_jobs(tx, {}, {}, 30);
                if (newest.empty()) return;
                auto const job = newest[random() % newest.size()];
                auto const key = "lane" + std::to_string(random() % lanes);
                switch (random() % 9) {
                case 0:
                    return (void)queue::operate(tx, job, {.operation = operation::cancel});
                case 1:
                    return (void)queue::operate(tx, job, {.operation = operation::pause});
                case 2:
                    return (void)queue::operate_on(tx, newest, {.operation = operation::resume});
                case 3:
                    return (void)queue::operate(tx, job, {.operation = operation::restart});
                case 4:
                    return (void)queue::operate(tx, job, {.operation = operation::fork});
                case 5:
                    return (void)queue::pause_lane(tx, key);
                case 6:
                    return (void)queue::resume_lane(tx, key);
                case 7:
                    return (void)queue::pause_all(tx);
                default:
                    return (void)queue::resume_all(tx);
                }
            });
            if (done)
                ++did;
            else
                ++failures;
        }
    };
    {
        std::jthread const first(operates, 1u);
        std::jthread const second(operates, 2u);
        for (int i = 0; i < messages; ++i)
            deliver(w, node, all[static_cast<std::size_t>(i % lanes)]);
    }

    w.in_transaction([](storage::transaction& tx) { queue::resume_all(tx); });
    for (int i = 0; i < lanes; ++i)
        w.in_transaction([=](storage::transaction& tx) {
            queue::resume_lane(tx, "lane" + std::to_string(i));
        });
    // A pause that its worker has not seen yet takes hold meanwhile.
    w.until(
        [&] {
            w.execute(
                "select postrider.job_resume(job_id) from postrider.job where state = 'paused' "
                "order by lane_id, job_id"
            );
            return w.value("select count(*) from postrider.job where finished_at is null") == "0";
        },
        30s
    );

    EXPECT_GE(did, 80);
    EXPECT_EQ(failures, 0);
    w.until("select count(*) from postrider.busy_lane", "0");
    EXPECT_EQ(
        w.value("select count(*) from postrider.job where forked_from is null"),
        std::to_string(messages)
    );
    EXPECT_EQ(w.value("select count(*) from postrider.job where state = 'failed'"), "0");
    EXPECT_EQ(
        w.value(
            "select count(*) from postrider.job j where state = 'completed' and (select count(*) "
            "from postrider.step s where s.job_id = j.job_id and position('~' in key) = 0) <> 2"
        ),
        "0"
    ) << "each completed job has its whole record";
    EXPECT_EQ(w.value("select count(*) from postrider.step"), std::to_string(book.steps))
        << "what was done stands in the record once";
}

// A worker gives its lane back, as one that saw the pause does, while a pause ends.
TEST(operations_race, a_pause_that_ends_meets_lanes_that_are_given_back) {
    constexpr int rounds = 300;
    constexpr storage::statement lease{
        "lease", "update postrider.lane_run set node_id = 1, asked = 'hold'"};
    constexpr storage::statement give_back{
        "give_back",
        "update postrider.lane_run set node_id = null, asked = null, ready_at = 'infinity', "
        "wait_reason = 'paused'"};
    constexpr storage::statement apply{"apply", "select postrider.apply_pauses()"};
    world w;
    for (int i = 0; i < 20; ++i) w.make_lane("lane" + std::to_string(i));
    w.execute("update postrider.lane_run set ready_at = postrider.now(), arrivals = 1, head = 1");
    w.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind) "
              "select lane_id, lane_id, 1, 1, 'available', 'short' from postrider.lane");
    int failures = 0;
    std::atomic<bool> over{false};
    std::jthread worker([&] {
        for (int i = 0; i < rounds; ++i)
            (void)w.try_in_transaction([&](storage::transaction& tx) {
                tx.query(i % 2 == 0 ? lease : give_back);
            });
        over = true;
    });
    while (!over)
        if (!w.try_in_transaction([&](storage::transaction& tx) { tx.query(apply); })) ++failures;
    worker.join();

    EXPECT_EQ(failures, 0);
}

} // namespace
} // namespace postrider::tests::operations_race_test
