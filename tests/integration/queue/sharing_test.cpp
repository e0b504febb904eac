// Two nodes on one database: work that one has no room for is begun by the other.
#include "storage/notices.hpp"
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::sharing_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
using queue::outcome;
using queue::workflow;

struct sharing_world {
    test_database database;
    loop io;
    base::signal opened{io.executor()};
    bool open = false;
    std::vector<std::unique_ptr<node>> nodes;

    ~sharing_world() {
        open = true;
        opened.notify();
        for (auto& node : nodes) io.run(node->engine->drain(1s));
    }

    node& start(int slots, base::duration poll) {
        queue::engine_options options;
        options.slots = slots;
        options.version = "test";
        options.silence = 60s;
        options.shortest_poll = poll;
        options.longest_poll = poll;
        options.idle_poll = poll;
        auto& joined =
            *nodes.emplace_back(std::make_unique<node>(io.executor(), database.url(), options));
        joined.engine->add({"held", [this](workflow&) { return held(); }});
        joined.engine->add({"quick", [](workflow&) { return quick(); }});
        auto started = io.run(joined.engine->start());
        if (!started) throw std::runtime_error(base::to_string(started.error()));
        // Its first look around holds a slot.
        until([&] {
            return joined.quick->counts().commits > 0 && joined.engine->counts().free == slots;
        });
        return joined;
    }

    std::unique_ptr<storage::notices> listen(node& listener, std::string name) {
        auto options = database.options();
        options.application = std::move(name);
        storage::notices_options quick_again;
        quick_again.first_retry = 10ms;
        auto wake = [&listener] { listener.engine->wake(); };
        auto channel = storage::listen(
            io.executor(), options, quick_again, [wake](std::string_view) { wake(); }, wake
        );
        until([&] { return channel->counts().listening; });
        return channel;
    }

    // As the intake does it: leased when the node has room, or told to the others.
    queue::enqueued enqueue(node& by, std::string key, std::string kind, storage::notices* tell) {
        auto const lane = lane_id{std::stoll(database.value(
            "insert into postrider.lane (lane_key) values ('" + key + "') returning lane_id"
        ))};
        queue::new_job job;
        job.lane = lane;
        job.kind = std::move(kind);
        job.lease_to = by.engine->try_reserve();
        queue::enqueued enqueued;
        auto done = storage::run_blocking(database.options(), [&](storage::transaction& tx) {
            enqueued = queue::enqueue(tx, job);
        });
        if (!done) throw std::runtime_error(base::to_string(done.error()));
        if (enqueued.leased) by.engine->start_leased(queue::leased_job(job, enqueued), enqueued);
        if (queue::needs_claim(enqueued)) {
            by.engine->wake();
            if (tell) tell->send("wake");
        }
        return enqueued;
    }

    void until(std::function<bool()> condition) { io.run(poll(std::move(condition)), 15s); }
    void until_completed(queue::enqueued const& enqueued) {
        auto const sql =
            "select state from postrider.job where job_id = " + base::to_string(enqueued.id);
        until([&] { return database.value(sql) == "completed"; });
    }

private:
    static awaitable<void> poll(std::function<bool()> condition) {
        while (!condition()) co_await base::sleep_for(5ms);
    }
    static awaitable<outcome> quick() { co_return outcome::completed("done"); }
    awaitable<outcome> held() {
        while (!open) co_await opened.wait();
        co_return outcome::completed("let go");
    }
};

// covers: E.17 X.17
TEST(sharing, an_idle_node_hears_of_what_a_full_one_cannot_take) {
    sharing_world w;
    auto& full = w.start(1, 1h);
    auto& idle = w.start(1, 1h);
    auto said = w.listen(full, "full");
    auto heard = w.listen(idle, "idle");
    ASSERT_TRUE(w.enqueue(full, "a", "held", nullptr).leased);

    auto const enqueued = w.enqueue(full, "b", "quick", said.get());

    EXPECT_FALSE(enqueued.leased);
    w.until_completed(enqueued); // nobody polls within the hour
    w.until([&] { return idle.engine->counts().completed == 1u; });
    EXPECT_GE(said->counts().sent, 1u);
}

TEST(sharing, a_job_behind_another_of_its_lane_is_not_worth_a_notice) {
    queue::enqueued second;
    second.arrival = 2;
    EXPECT_FALSE(queue::needs_claim(second));
    queue::enqueued leased;
    leased.arrival = 1;
    leased.leased = true;
    EXPECT_FALSE(queue::needs_claim(leased));
    queue::enqueued first;
    first.arrival = 1;
    EXPECT_TRUE(queue::needs_claim(first));
}

TEST(sharing, a_node_with_one_free_slot_and_nothing_to_do_rests) {
    sharing_world w;
    auto& node = w.start(1, 1h);
    auto const before = node.quick->counts().commits;
    w.enqueue(node, "a", "quick", nullptr); // its end frees the last slot
    w.until([&] { return node.engine->counts().completed == 1; });

    auto last = before;
    int same = 0;
    w.until([&] {
        auto const now = node.quick->counts().commits;
        same = now == last ? same + 1 : 0;
        last = now;
        return same == 10; // looks, 5 ms apart
    });
    EXPECT_LE(last, before + 3);
}

// covers: E.17
TEST(sharing, goes_on_by_polling_while_the_listener_is_dead_and_it_comes_back) {
    sharing_world w;
    auto& full = w.start(1, 1h);
    auto& polling = w.start(1, 50ms);
    auto heard = w.listen(polling, "idle");
    ASSERT_TRUE(w.enqueue(full, "a", "held", nullptr).leased);
    w.database.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = "
                       "current_database() and application_name = 'idle'");

    w.until_completed(w.enqueue(full, "b", "quick", nullptr));
    w.until([&] { return heard->counts().listening; });
}

} // namespace
} // namespace postrider::tests::sharing_test
