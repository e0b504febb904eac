// Everything that locks lanes, jobs, what belongs to a job, buckets or budgets, against everything
// else, from two processes: none may wait for the other in a circle. docs/states.md has the order. What
// begins executions by several stages is in tests/integration/agent/lock_order_test.cpp.
#include "tests/integration/queue/lock_order_operations.hpp"
#include "tests/integration/queue/lock_order_pairs.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <iterator>

namespace postrider::tests::lock_order_test {
namespace {

using actor = lock_order_actor;

std::vector<locking> everything() {
    auto all = arrivals();
    std::ranges::move(workers(), std::back_inserter(all));
    std::ranges::move(people(), std::back_inserter(all));
    std::ranges::move(upkeep(), std::back_inserter(all));
    return all;
}

void repeat(actor& process, locking const& operation) {
    for (int n = 0; n < operation.rounds; ++n) operation.act(process);
}

constexpr std::size_t shares = 5; // of the pairs, each with a database of its own

struct lock_order : testing::TestWithParam<std::size_t> {};

// covers: E.21
TEST_P(lock_order, no_two_operations_wait_for_each_other) {
    test_database database;
    prepare(database);
    auto const all = everything();
    {
        actor left(database, "left", 1);
        actor right(database, "right", 2);
        for (std::size_t a = 0; a < all.size(); ++a)
            for (std::size_t b = a; b < all.size(); ++b) {
                if ((a + b) % shares != GetParam()) continue;
                begin_pair(left);
                side_by_side([&] { repeat(right, all[b]); }, [&] { repeat(left, all[a]); });
            }
        EXPECT_THAT(left.refused, testing::IsEmpty());
        EXPECT_THAT(right.refused, testing::IsEmpty());
    } // the sessions end, and have told what they counted

    EXPECT_EQ(deadlocks(database), "0");
}

INSTANTIATE_TEST_SUITE_P(
    shares, lock_order, testing::Range(std::size_t{0}, shares), testing::PrintToStringParamName()
);

} // namespace
} // namespace postrider::tests::lock_order_test
