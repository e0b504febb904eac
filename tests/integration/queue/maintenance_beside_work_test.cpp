// Maintenance beside work: partitions are swapped under running jobs, and hot rows are updated in place.
#include "storage/pg/connection.hpp"
#include "tests/integration/queue/steps.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

namespace postrider::tests::maintenance_beside_work_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::step_value;
using queue::workflow;

awaitable<outcome> long_job(workflow& flow, latch& door) {
    co_await flow.run("before", {}, [] { return give("quick"); });
    auto slow = co_await flow.run("slow", {}, [&] { return pass_through(door, "through"); });
    co_return outcome::completed(*slow);
}

awaitable<outcome> short_job(workflow& flow) {
    co_await flow.run("one", {}, [] { return give("quick"); });
    auto two = co_await flow.run("two", {}, [] { return give("quick"); });
    co_return outcome::completed(*two);
}

// Prunes, in a process of its own as it were, until all that is due is gone; counts its acts.
class pruner {
public:
    explicit pruner(std::string url) : thread_([this, url = std::move(url)] { work(url); }) {}
    ~pruner() {
        stop_ = true;
        thread_.join();
    }
    std::atomic<int> dropped{0};

private:
    void work(std::string const& url) {
        storage::database_options options;
        options.url = url;
        auto db = storage::pg::connect(options, storage::pg::purpose::general);
        while (!stop_) {
            auto rows =
                db->query({"prune", "select done from postrider.prune_partitions('90 days')"}, {});
            if (!rows.empty() && rows.front().optional_text(0) == "dropped") ++dropped;
        }
    }

    std::atomic<bool> stop_{false};
    std::thread thread_;
};

// covers: E.16
TEST(maintenance_beside_work, running_jobs_notice_nothing_of_a_partition_that_goes) {
    world w;
    latch held(w.io);
    auto& node = w.start_node(
        {{"long", [&](workflow& f) { return long_job(f, held); }}, {"short", short_job}}
    );
    auto const old = w.enqueue(node, w.make_lane("old"), "long");
    std::vector<lane_id> lanes;
    for (int n = 0; n < 8; ++n) lanes.push_back(w.make_lane("l" + std::to_string(n)));
    for (auto lane : lanes) w.enqueue(node, lane, "short");
    w.until("select count(*) from postrider.job where state = 'completed'", "8");
    w.until("select count(*) from postrider.step where key = 'before'", "1");
    // All of that was long ago, and the present is two partitions on.
    w.execute("update postrider.job set created_at = created_at - interval '100 days', "
              "finished_at = finished_at - interval '100 days'");
    w.execute("select setval('postrider.number', 4000001)");
    w.execute("select postrider.make_partitions()");

    {
        pruner beside(w.url());
        for (int n = 0; n < 200 || beside.dropped < 1; ++n) {
            w.enqueue(node, lanes[static_cast<std::size_t>(n) % lanes.size()], "short");
            if (n == 100) {
                held.open = true;
                held.opened.notify();
            }
        }
        w.until("select count(*) from postrider.job where state not in ('completed')", "0");
    }

    auto const id = base::to_string(old.id);
    EXPECT_EQ(w.value("select output #>> '{}' from postrider.job where job_id = " + id), "through");
    EXPECT_EQ(w.value("select count(*) from postrider.step where job_id = " + id), "2");
    EXPECT_EQ(
        w.value("select tableoid::regclass::text from postrider.job where job_id = " + id),
        "job_keep_0_2000000"
    );
    EXPECT_EQ(node.engine->counts().lost, 0u);
    EXPECT_EQ(w.value("select max(run_no) from postrider.job"), "1");
    EXPECT_EQ(w.value("select count(*) from postrider.busy_lane"), "0");
}

std::string hot_share(std::string table) {
    return "select coalesce(n_tup_hot_upd >= 0.9 * n_tup_upd and n_tup_upd >= 50, false) from "
           "pg_stat_user_tables where schemaname = 'postrider' and relname = '" +
           table + "'";
}

// A session tells of its updates when it ends a transaction a second or more after the last
// telling.
TEST(maintenance_beside_work, arrivals_and_heartbeats_are_updated_in_place) {
    world w;
    latch held(w.io);
    auto& node = w.start_node({{"long", [&](workflow& f) { return long_job(f, held); }}});
    auto const lane = w.make_lane("a");
    w.enqueue(node, lane, "long");

    for (int n = 0; n < 200 || (n < 20'000 && w.value(hot_share("lane_run")) != "t"); ++n)
        w.enqueue(node, lane, "long");

    EXPECT_EQ(w.value(hot_share("lane_run")), "t");
    w.until(hot_share("node"), "t");
    held.open = true;
    held.opened.notify();
}

} // namespace
} // namespace postrider::tests::maintenance_beside_work_test
