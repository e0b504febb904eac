#pragma once
// Two processes' limiters on one database of their own. They poll once start() was called.
#include "queue/limits/limits.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace postrider::tests {

struct two_nodes {
    two_nodes() {
        storage::batcher_options quick;
        quick.name = "quick";
        for (int n = 0; n < 2; ++n) {
            batchers[n] = storage::make_batcher(io.executor(), db.options(), quick);
            limits[n] = queue::make_limiter(io.executor(), *batchers[n], base::system_clock());
            polls[n] = std::make_unique<queue::poll>(
                io.executor(),
                *batchers[n],
                base::system_clock(),
                [] { return std::chrono::milliseconds{10}; }
            );
            limits[n]->follow(*polls[n]);
        }
    }
    ~two_nodes() {
        loops.cancel();
        io.run(loops.join());
        for (auto& each : limits) io.run(each->stop());
    }

    void start(std::vector<queue::rate_limit> rates = {}) {
        for (auto& each : limits)
            if (!io.run(each->start(rates))) throw std::runtime_error("the limiter did not start");
        for (auto& each : polls) loops.spawn("poll", each->run());
    }

    queue::admission take(int node, std::string resource, queue::gate_use use = {}) {
        return io.run(limits[node]->take(std::move(resource), true, std::nullopt, use));
    }
    // The breaker of x; its jobs run.
    void open_for_a_try() {
        db.execute("insert into postrider.job (job_id, lane_id, conversation_id, arrival, kind, "
                   "state, run_no, "
                   "started_at) select n, n, n, n, 'k', 'running', 1, postrider.now() from "
                   "generate_series(1, 4) n");
        fail(0, base::errc::unavailable, 5);
        comes_true("select breaker = 'open' from postrider.bucket");
        comes_true([&] { return !limits[0]->open("x") && !limits[1]->open("x"); });
        db.execute("update postrider.bucket set open_until = postrider.now()");
        comes_true([&] { return limits[0]->open("x") && limits[1]->open("x"); });
    }
    // Answers of as many callers at once.
    std::vector<queue::admission> take_together(int node, std::size_t count) {
        auto answers = std::make_shared<std::vector<queue::admission>>();
        for (std::size_t n = 0; n < count; ++n)
            loops.spawn("take", take_into(limits[node].get(), answers));
        comes_true([&] { return answers->size() == count; });
        return *answers;
    }
    void fail(int node, base::error reason, int times = 1) {
        for (int n = 0; n < times; ++n) limits[node]->report("x", reason);
    }
    void succeed(int node) { limits[node]->report("x", base::result<void>{}); }

    bool comes_true(std::function<bool()> condition) { return io.run(poll(std::move(condition))); }
    bool comes_true(std::string const& sql) {
        return comes_true([&, sql] { return db.value(sql) == "t"; });
    }

    static base::awaitable<void> take_into(
        queue::limiter* from, std::shared_ptr<std::vector<queue::admission>> answers
    ) {
        auto answer = co_await from->take("x", true, std::nullopt);
        answers->push_back(std::move(answer));
    }
    static base::awaitable<bool> poll(std::function<bool()> condition) {
        auto const until = base::system_clock().steady() + std::chrono::seconds{5};
        while (!condition()) {
            if (base::system_clock().steady() > until) co_return false;
            co_await base::sleep_for(std::chrono::milliseconds{2});
        }
        co_return true;
    }

    test_database db;
    loop io;
    std::unique_ptr<storage::batcher> batchers[2];
    std::unique_ptr<queue::limiter> limits[2];
    std::unique_ptr<queue::poll> polls[2];
    base::task_group loops{io.executor()};
};

} // namespace postrider::tests
