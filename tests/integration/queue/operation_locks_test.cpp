// Several jobs that one operation changes, beside a transaction that has changed one of their lanes.
#include "queue/admin/operations.hpp"
#include "queue/store/enqueue.hpp"
#include "tests/integration/queue/two_sessions.hpp"

#include <array>

namespace postrider::tests::operation_locks_test {
namespace {

using operation_locks = two_sessions;

// An arrival has changed b's mailbox, and waits for a's row in lane_run next.
// covers: E.21
TEST_F(operation_locks, take_all_lanes_before_the_rows_that_arrivals_lock) {
    database.execute("insert into postrider.lane (lane_key) values ('a'), ('b')");
    std::array<job_id, 2> jobs{};
    for (std::size_t n = 0; n < jobs.size(); ++n) {
        auto const key = n == 0 ? "'a'" : "'b'";
        auto const lane = database.value(
            std::string("select lane_id from postrider.lane where lane_key = ") + key
        );
        jobs[n] = queue::enqueue(*first, {lane_id{std::stoll(lane)}, "turn", {}, {}}).id;
    }
    first->begin();
    first->script("update postrider.lane set mailbox = 'interrupt' where lane_key = 'b'");
    auto pausing = std::async(std::launch::async, [&] {
        second->begin();
        (void)queue::operate_on(*second, jobs, {.operation = queue::operation::pause});
        second->commit();
    });
    wait_until_somebody_waits();

    EXPECT_NO_THROW(
        first->script("select from postrider.lane_run r join postrider.lane l using (lane_id) "
                      "where l.lane_key = 'a' for update of r nowait")
    );
    first->commit();

    EXPECT_NO_THROW(pausing.get());
    EXPECT_EQ(database.value("select count(*) from postrider.job where state = 'paused'"), "2");
}

} // namespace
} // namespace postrider::tests::operation_locks_test
