// A lease that the database believes to be a node's and the node knows nothing of: the answer to the
// commit that granted it was lost.
#include "tests/integration/queue/steps.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::unknown_lease_test {

namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;

awaitable<outcome> gated(workflow& flow, latch& door) {
    auto value = co_await flow.run("gate", {}, [&] { return pass_through(door); });
    co_return outcome::completed(*value);
}

// covers: E.09
TEST(unknown_lease, is_freed_when_it_stays_unknown_for_a_heartbeats_time) {
    constexpr auto heartbeat = 1s;
    world w;
    latch held(w.io);
    auto& node =
        w.start_node({{"gated", [&](workflow& flow) { return gated(flow, held); }}}, 1, heartbeat);
    w.enqueue(node, w.make_lane("busy"), "gated");
    w.until([&] { return held.arrived == 1; });
    auto const lane = base::to_string(w.make_lane("lost"));
    w.enqueue(node, lane_id{std::stoll(lane)}, "gated"); // there is no slot for it
    auto const owner = "select coalesce(node_id::text, 'nobody') from postrider.busy_lane "
                       "where lane_id = " +
                       lane;
    ASSERT_EQ(w.value(owner), "nobody");
    auto beat_twice = [&] {
        for (int beats = 0; beats < 2; ++beats) {
            auto const before = node.beats->counts().commits;
            node.engine->beat_now();
            w.until([&] { return node.beats->counts().commits > before; });
        }
    };

    auto const leased_at = base::system_clock().steady();
    w.execute(
        "with j as (update postrider.job set state = 'running', run_no = 1, started_at = now() "
        "where lane_id = " +
        lane +
        ") update postrider.lane_run set epoch = nextval('postrider.number'), node_id = "
        "(select node_id from postrider.node) where lane_id = " +
        lane
    );
    beat_twice();
    w.until(owner, "nobody");

    EXPECT_GE(base::system_clock().steady() - leased_at, heartbeat)
        << "two beats in a row are no proof: a commit may be under way";
    held.let_go();
    w.until("select count(*) from postrider.job where state = 'completed'", "2");
}

} // namespace

} // namespace postrider::tests::unknown_lease_test
