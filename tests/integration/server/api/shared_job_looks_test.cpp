// What many who watch jobs cost Postgres: queries are counted where they are sent.
#include "server/api/event_parts.hpp"
#include "tests/support/counting_database.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <iostream>

namespace postrider::tests::shared_job_looks_test {
namespace {

using namespace std::chrono_literals;

// A client that takes what it is sent, unless it is stopped.
class client final : public net::body_writer {
public:
    base::awaitable<bool> write(std::string_view piece) override {
        while (is_stopped) co_await base::sleep_for(1ms);
        auto const before = count("event: job\n");
        text += piece;
        most = std::max(most, count("event: job\n") - before);
        co_return true;
    }
    std::size_t count(std::string_view part) const {
        std::size_t found = 0;
        for (auto at = text.find(part); at != text.npos; at = text.find(part, at + 1)) ++found;
        return found;
    }

    std::string text;
    std::size_t most = 0; // jobs of a write
    bool is_stopped = false;
};

struct watcher {
    api::stream_position position;
    client told;
    std::unique_ptr<api::job_events> jobs;
    bool has_begun = false;
};

class job_watchers : public testing::TestWithParam<int> {
protected:
    job_watchers() {
        database.execute("insert into postrider.lane (lane_id, lane_key) overriding system value "
                         "values (1, 'a')");
    }
    ~job_watchers() override {
        tasks.cancel();
        io.run(tasks.join());
        db->close();
    }

    std::shared_ptr<watcher> watch(std::string const& state = {}) {
        net::http_request request;
        request.query = "topics=jobs" + (state.empty() ? "" : "&state=" + state);
        api::parameters query(request);
        auto const added = std::make_shared<watcher>();
        added->jobs = std::make_unique<api::job_events>(
            rounds, base::system_clock(), api::read_topics(query), io.executor()
        );
        tasks.spawn("watcher", tell(added, io.executor()));
        watchers.push_back(added);
        return added;
    }
    static base::awaitable<void> tell(
        std::shared_ptr<watcher> of, base::asio::any_io_executor executor
    ) {
        auto const looked = co_await of->jobs->look(of->position);
        if (!looked) co_return;
        of->has_begun = true;
        api::event_line line(of->told, of->position, executor);
        co_await of->jobs->tell(line, base::system_clock().steady() + 1h);
    }
    void add_jobs(int count) const {
        database.execute(
            "insert into postrider.job (job_id, lane_id, conversation_id, state, "
            "kind, arrival) select nextval('postrider.number'), 1, 1, 'available', "
            "'turn', 1 from generate_series(1, " +
            std::to_string(count) + ")"
        );
    }
    template<class Condition>
    void run_until(Condition condition) {
        io.run(wait_for(condition), 30s);
    }
    template<class Condition>
    static base::awaitable<void> wait_for(Condition condition) {
        while (!condition()) co_await base::sleep_for(1ms);
    }
    bool all(auto condition) const {
        return std::ranges::all_of(watchers, [&](auto const& watcher) {
            return condition(*watcher);
        });
    }
    std::uint64_t looks() { return rounds.looks().counted().rounds; }

    test_database database;
    loop io;
    std::unique_ptr<storage::database> db =
        storage::open_database(io.executor(), database.options());
    counting_database counted{*db};
    api::job_rounds rounds{counted, base::system_clock(), base::system_random(), 100};
    base::task_group tasks{io.executor()};
    std::vector<std::shared_ptr<watcher>> watchers;
};

TEST_P(job_watchers, cost_the_database_what_one_costs) {
    for (int i = 0; i < GetParam(); ++i) watch();
    run_until([&] { return all([](watcher const& tab) { return tab.has_begun; }); });
    auto const first = counted.queries->exchange(0);
    auto const before = looks();
    run_until([&] { return looks() >= before + 4; });
    auto const quiet = counted.queries->exchange(0);
    auto const quiet_looks = looks() - before;
    add_jobs(3);
    run_until([&] {
        return all([](watcher const& tab) { return tab.told.count("event: job\n") == 3; });
    });

    std::cout << GetParam() << " watchers: " << first << " queries to begin, " << quiet << " for "
              << quiet_looks << " looks\n";
    EXPECT_LE(first, 5) << "all begin together";
    // A moment, what changed, and what is compared where some wait. One more look may have begun.
    EXPECT_LE(quiet, static_cast<int>(3 * (quiet_looks + 1)));
}

INSTANTIATE_TEST_SUITE_P(watchers, job_watchers, testing::Values(1, 100, 1000));

using watchers_of_jobs = job_watchers;

TEST_F(watchers_of_jobs, ask_nothing_once_nobody_watches) {
    watch();
    run_until([&] { return looks() >= 2; });
    tasks.cancel();
    io.run(tasks.join());
    watchers.clear();
    io.run(base::sleep_for(600ms)); // a look that had begun ends
    counted.queries->store(0);

    io.run(base::sleep_for(1200ms)); // two looks' time

    EXPECT_EQ(counted.queries->load(), 0);
}

// It is told the newest state of each job, and of none in between.
TEST_F(watchers_of_jobs, that_are_slow_skip_what_is_past) {
    auto const slow = watch();
    auto const quick = watch();
    run_until([&] { return slow->has_begun && quick->has_begun; });
    slow->told.is_stopped = true;
    add_jobs(2);
    run_until([&] { return quick->told.count("event: job\n") == 2; });
    for (int priority : {0, 1, 3}) {
        database.execute("update postrider.job set priority = " + std::to_string(priority));
        auto const end = quick->told.count("event: job\n") + 2;
        run_until([&] { return quick->told.count("event: job\n") == end; });
    }

    slow->told.is_stopped = false;
    run_until([&] { return slow->told.count("\"priority\":3") == 2; });

    EXPECT_EQ(slow->told.count("\"priority\":0"), 0u);
    EXPECT_EQ(slow->told.count("\"priority\":1"), 0u);
    EXPECT_EQ(quick->told.count("\"priority\":1"), 2u);
}

TEST_F(watchers_of_jobs, leave_the_loop_to_others_between_a_few_jobs) {
    auto const tab = watch();
    run_until([&] { return tab->has_begun; });

    add_jobs(90);
    run_until([&] { return tab->told.count("event: job\n") == 90; });

    EXPECT_LE(tab->told.most, 20u);
}

TEST_F(watchers_of_jobs, that_are_too_slow_are_told_to_read_again) {
    auto const slow = watch();
    auto const quick = watch("failed");
    run_until([&] { return slow->has_begun && quick->has_begun; });
    slow->told.is_stopped = true;
    add_jobs(1);
    run_until([&] { return rounds.log().newest().number == 1; });
    // Together more than the log keeps. Between two of these a quick one moves on.
    for (int added = 61; added <= 301; added += 60) {
        add_jobs(60);
        run_until([&] { return rounds.log().newest().number == added; });
    }

    slow->told.is_stopped = false;
    run_until([&] { return slow->told.count("event: reset\ndata: {\"topics\":[\"jobs\"]}") == 1; });
    add_jobs(1);
    auto const told = slow->told.count("event: job\n");
    run_until([&] { return slow->told.count("event: job\n") == told + 1; });

    EXPECT_LT(told, 50u);
    EXPECT_EQ(quick->told.count("event: "), 0u) << "nothing that it watches has changed";
    EXPECT_GT(quick->told.count("id: jobs="), 0u) << "its place stays known";
}

} // namespace
} // namespace postrider::tests::shared_job_looks_test
