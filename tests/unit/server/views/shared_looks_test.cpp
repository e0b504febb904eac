#include "server/views/shared_looks.hpp"
#include "tests/support/loop.hpp"

#include <gmock/gmock.h>

namespace postrider::server::shared_looks_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::SizeIs;

using looks = shared_looks<int, std::string>;
using queries = std::vector<int>;

// Watchers of numbers, each of which has its text.
class shared_look : public testing::Test {
protected:
    struct watcher {
        std::shared_ptr<base::waker> wakes;
        std::shared_ptr<looks::place> place;
        std::vector<std::string> found;
        std::optional<base::error> failure;
    };
    using shared_watcher = std::shared_ptr<watcher>;

    base::awaitable<base::result<std::vector<std::string>>> read(queries of) {
        reads.push_back(of);
        // As a database does, it answers later.
        co_await base::asio::post(io.executor(), base::asio::use_awaitable);
        if (is_stuck) co_await base::sleep_for(1h);
        if (std::ranges::find(of, refused) != of.end())
            co_return base::error(base::errc::poison, "it is refused");
        if (std::exchange(failures, std::max(0, failures - 1)) > 0)
            co_return base::error(base::errc::unavailable, "it is away");
        std::vector<std::string> texts;
        for (auto const query : of) texts.push_back("of " + std::to_string(query));
        co_return texts;
    }

    shared_watcher add() {
        auto by = std::make_shared<watcher>();
        by->wakes = std::make_shared<base::waker>(io.executor());
        by->place = std::make_shared<looks::place>(by->wakes);
        all.join(by->place);
        return by;
    }
    // Waits for one finding.
    static base::awaitable<void> watch(
        looks& all, shared_watcher by, int query, base::clock& clock
    ) {
        auto const now = clock.steady();
        std::optional<looks::answer> found;
        while (!found) {
            all.expect(*by->place, query, now, now);
            co_await all.wait(*by->place);
            found = by->place->take();
        }
        if (*found)
            by->found.push_back(***found);
        else
            by->failure = found->error();
    }
    void start(shared_watcher const& by, int query) {
        running.push_back(tasks.spawn("watcher", watch(all, by, query, clock)));
    }
    void run_to_the_end() { io.run(tasks.join()); }
    static base::awaitable<void> turn(base::asio::any_io_executor executor) {
        for (int i = 0; i < 20; ++i) co_await base::asio::post(executor, base::asio::use_awaitable);
    }

    ~shared_look() override {
        tasks.cancel();
        run_to_the_end();
    }

    tests::loop io;
    base::manual_clock clock;
    std::vector<queries> reads;
    int failures = 0; // to come
    int refused = -1;
    bool is_stuck = false;
    looks all{clock, [this](queries of) { return read(std::move(of)); }};
    base::task_group tasks{io.executor()};
    std::vector<base::task_group::task_id> running;
};

class shared_look_of_many : public shared_look, public testing::WithParamInterface<int> {};

TEST_P(shared_look_of_many, costs_what_one_costs) {
    std::vector<shared_watcher> watchers;
    for (int i = 0; i < GetParam(); ++i) watchers.push_back(add());
    for (auto const& by : watchers) all.expect(*by->place, 7, clock.steady(), clock.steady());
    for (auto const& by : watchers) start(by, 7);

    run_to_the_end();

    EXPECT_THAT(reads, ElementsAre(queries{7}));
    for (auto const& by : watchers) EXPECT_THAT(by->found, ElementsAre("of 7"));
}

INSTANTIATE_TEST_SUITE_P(watchers, shared_look_of_many, testing::Values(1, 100, 1000));

TEST_F(shared_look, reads_different_queries_together) {
    std::vector<shared_watcher> watchers;
    for (int i = 0; i < 6; ++i) watchers.push_back(add());
    for (int i = 0; i < 6; ++i)
        all.expect(
            *watchers[static_cast<std::size_t>(i)]->place, i / 2, clock.steady(), clock.steady()
        );
    for (int i = 0; i < 6; ++i) start(watchers[static_cast<std::size_t>(i)], i / 2);

    run_to_the_end();

    EXPECT_THAT(reads, ElementsAre(queries{0, 1, 2}));
    EXPECT_THAT(watchers.back()->found, ElementsAre("of 2"));
}

TEST_F(shared_look, that_fails_is_repeated_later_and_ends_no_watch) {
    failures = 2;
    auto const by = add();
    start(by, 7);

    io.run(turn(io.executor()));
    EXPECT_THAT(reads, SizeIs(1));
    clock.advance(900ms);
    by->wakes->wake();
    io.run(turn(io.executor()));
    EXPECT_THAT(reads, SizeIs(1)) << "it waits a second first";
    clock.advance(100ms);
    by->wakes->wake();
    io.run(turn(io.executor()));
    EXPECT_THAT(reads, SizeIs(2));
    clock.advance(2s);
    by->wakes->wake();
    run_to_the_end();

    EXPECT_THAT(reads, SizeIs(3));
    EXPECT_THAT(by->found, ElementsAre("of 7"));
}

TEST_F(shared_look, is_repeated_at_growing_intervals) {
    std::vector<base::duration> pauses;
    for (int failed = 1; failed <= 5; ++failed) pauses.push_back(pause_after_failures(failed));

    EXPECT_THAT(pauses, ElementsAre(1s, 2s, 4s, 5s, 5s));
}

base::awaitable<looks::answer> first_look(looks& of, looks::place& by, int query) {
    co_return co_await of.look(by, query);
}

TEST_F(shared_look, that_is_a_watchers_first_tells_it_of_the_failure) {
    failures = 1;
    auto const by = add();

    auto const found = io.run(first_look(all, *by->place, 7));

    ASSERT_FALSE(found);
    EXPECT_EQ(found.error(), base::errc::unavailable);
}

TEST_F(shared_look, fails_for_the_refused_query_alone) {
    refused = 3;
    auto const good = add();
    auto const bad = add();
    all.expect(*good->place, 1, clock.steady(), clock.steady());
    all.expect(*bad->place, 3, clock.steady(), clock.steady());
    start(good, 1);
    start(bad, 3);

    run_to_the_end();

    EXPECT_THAT(good->found, ElementsAre("of 1"));
    ASSERT_TRUE(bad->failure);
    EXPECT_EQ(*bad->failure, base::errc::poison);
}

TEST_F(shared_look, does_not_wait_for_a_watcher_that_is_slow_and_owes_it_one_finding) {
    auto const slow = add();
    auto const quick = add();
    all.expect(*slow->place, 7, clock.steady(), clock.steady()); // and is busy from now on
    for (int i = 0; i < 3; ++i) {
        start(quick, 7);
        run_to_the_end();
    }

    EXPECT_THAT(quick->found, SizeIs(3));
    EXPECT_THAT(reads, SizeIs(3));
    EXPECT_TRUE(slow->place->take());
    EXPECT_FALSE(slow->place->take());
}

TEST_F(shared_look, goes_on_when_the_watcher_that_reads_is_gone) {
    auto const first = add();
    auto const second = add();
    all.expect(*second->place, 7, clock.steady(), clock.steady());
    is_stuck = true;
    start(first, 7);
    start(second, 7);
    io.run(turn(io.executor()));
    ASSERT_THAT(reads, ElementsAre(queries{7}));

    is_stuck = false;
    tasks.cancel(running.front());
    run_to_the_end();

    EXPECT_THAT(reads, ElementsAre(queries{7}, queries{7}));
    EXPECT_THAT(first->found, SizeIs(0));
    EXPECT_THAT(second->found, ElementsAre("of 7"));
}

base::awaitable<void> wait_briefly(looks& of, looks::place& by) {
    co_await of.wait(by, 1ms);
}

TEST_F(shared_look, keeps_the_watcher_that_reads_no_longer_than_its_limit) {
    auto const hasty = add();
    auto const patient = add();
    auto const now = clock.steady();
    for (auto const& by : {hasty, patient}) all.expect(*by->place, 7, now, now);
    is_stuck = true;
    running.push_back(tasks.spawn("hasty", wait_briefly(all, *hasty->place)));
    io.run(turn(io.executor()));
    start(patient, 7);
    ASSERT_THAT(reads, ElementsAre(queries{7}));

    is_stuck = false;
    run_to_the_end();

    EXPECT_THAT(reads, ElementsAre(queries{7}, queries{7})) << "the next one reads for all";
    EXPECT_THAT(patient->found, ElementsAre("of 7"));
}

TEST_F(shared_look, does_not_read_before_a_watchers_time_but_takes_it_along) {
    auto const now = clock.steady();
    auto const early = add();
    auto const along = add();
    auto const later = add();
    all.expect(*along->place, 2, now, now + 1h);
    all.expect(*later->place, 3, now + 1min, now + 1h);
    start(early, 1);

    run_to_the_end();

    EXPECT_THAT(reads, ElementsAre(queries{1, 2}));
    EXPECT_TRUE(along->place->take());
    EXPECT_FALSE(later->place->take());
}

} // namespace
} // namespace postrider::server::shared_looks_test
