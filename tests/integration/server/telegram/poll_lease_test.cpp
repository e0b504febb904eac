// Whose turn it is to poll a bot, among processes that share a database.
#include "server/telegram/poll_lease.hpp"
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

namespace postrider::telegram::poll_lease_test {
namespace {

using namespace std::chrono_literals;
using base::errc;

constexpr base::duration never = 1h; // longer than any test

constexpr auto commit_waits = R"(
select exists (select from pg_locks where locktype = 'advisory' and not granted and
               database = (select oid from pg_database where datname = current_database()))
)";

struct process {
    tests::node node;
    poll_leases leases{*node.engine, *node.db};
    std::unique_ptr<poll_lease> lease = leases.of(bot_id{1});

    process(tests::loop& loop, std::string url, queue::engine_options options)
        : node(loop.executor(), std::move(url), std::move(options)) {}
};

struct fixture {
    tests::test_database database;
    tests::loop loop;
    std::vector<std::unique_ptr<process>> processes;

    ~fixture() {
        for (auto const& running : processes) {
            loop.run(running->node.engine->drain(0s));
            loop.run(running->node.limits->stop());
        }
    }

    process& start(base::duration heartbeat, base::duration silence = 60s) {
        queue::engine_options options;
        options.version = "test";
        options.heartbeat = heartbeat;
        options.silence = silence;
        auto& started = *processes.emplace_back(
            std::make_unique<process>(loop, database.url(), std::move(options))
        );
        if (!loop.run(started.node.limits->start({})) || !loop.run(started.node.engine->start()))
            throw std::runtime_error("the engine did not start");
        return started;
    }
    bool take(process& by) { return loop.run(by.lease->take()).value(); }
    void until(std::function<bool()> condition) { loop.run(wait(std::move(condition)), 15s); }
    void until_taken(process& by) { loop.run(take_until(by), 15s); }
    void beat_twice(process& of) {
        auto const beats = of.node.beats->counts().commits;
        until([&of, beats] { return of.node.beats->counts().commits >= beats + 2; });
    }
    void silence(process& whose, std::string ago) {
        database.execute(
            "update postrider.node set beat_at = postrider.now() - interval '" + ago +
            "' where node_id = " + base::to_string(whose.node.engine->self())
        );
    }

private:
    static base::awaitable<void> wait(std::function<bool()> condition) {
        while (!condition()) co_await base::sleep_for(2ms);
    }
    static base::awaitable<void> take_until(process& by) {
        while (true) {
            auto taken = co_await by.lease->take();
            if (taken.value()) co_return;
            co_await base::sleep_for(2ms);
        }
    }
};

// covers: E.17
TEST(poll_lease, stays_with_the_process_that_beats) {
    fixture f;
    auto& holder = f.start(20ms);
    auto& other = f.start(20ms);

    EXPECT_TRUE(f.take(holder));
    EXPECT_TRUE(holder.lease->held());
    for (int times = 0; times < 3; ++times) {
        EXPECT_FALSE(f.take(other));
        f.beat_twice(other);
        f.beat_twice(holder);
    }
    EXPECT_TRUE(f.take(holder));
    EXPECT_TRUE(holder.lease->held());
    EXPECT_FALSE(other.lease->held());
}

// covers: E.17
TEST(poll_lease, passes_on_when_it_is_given_back) {
    fixture f;
    auto& holder = f.start(20ms);
    auto& other = f.start(20ms);
    ASSERT_TRUE(f.take(holder));
    f.beat_twice(other);
    ASSERT_FALSE(f.take(other));

    f.loop.run(holder.lease->release());

    EXPECT_FALSE(holder.lease->held());
    f.until_taken(other);
    EXPECT_TRUE(other.lease->held());
    f.beat_twice(holder);
    EXPECT_FALSE(f.take(holder));
}

// The heartbeat has read who holds the lease, but its answer comes after the lease was given back.
TEST(poll_lease, is_given_back_beside_a_heartbeat_that_is_under_way) {
    fixture f;
    auto& holder = f.start(never);
    ASSERT_TRUE(f.take(holder));
    f.database.execute(R"(
create function wait_at_commit() returns trigger language plpgsql as $$
begin
  perform set_config('lock_timeout', '0', true), pg_advisory_xact_lock(1);
  return null;
end $$;
create constraint trigger wait_at_commit after update on postrider.node
deferrable initially deferred for each row execute function wait_at_commit();
)");
    auto const commits = [&] { return holder.node.beats->counts().commits; };
    auto const before = commits();

    storage::run_blocking(f.database.options(), [&](storage::transaction& tx) {
        tx.script("select pg_advisory_xact_lock(1)");
        holder.node.engine->beat_now();
        f.until([&] { return f.database.value(commit_waits) == "t"; });
        f.loop.run(holder.lease->release());
        EXPECT_EQ(commits(), before);
    }).value();

    f.until([&] { return commits() > before; });
    EXPECT_FALSE(holder.lease->held());
}

// covers: E.17
TEST(poll_lease, passes_on_when_its_holder_is_silent_which_then_knows_it) {
    fixture f;
    auto& holder = f.start(never);
    auto& other = f.start(20ms);
    ASSERT_TRUE(f.take(holder));
    f.silence(holder, "6 s");
    f.beat_twice(other);
    EXPECT_FALSE(f.take(other));

    f.silence(holder, "8 s");
    f.until_taken(other);
    EXPECT_TRUE(other.lease->held());

    holder.node.engine->beat_now();
    f.until([&] { return !holder.lease->held(); });
    EXPECT_FALSE(f.take(holder));
}

TEST(poll_lease, ends_where_somebody_deletes_its_row) {
    fixture f;
    auto& holder = f.start(20ms);
    ASSERT_TRUE(f.take(holder));
    f.beat_twice(holder);
    ASSERT_TRUE(holder.lease->held());

    f.database.execute("delete from postrider.poll_lease");

    f.until([&] { return !holder.lease->held(); });
    EXPECT_TRUE(f.take(holder));
}

// covers: E.17
TEST(poll_lease, is_not_acted_on_without_a_heartbeat) {
    fixture f;
    auto& cut_off = f.start(never, 2s);
    ASSERT_TRUE(f.take(cut_off));
    ASSERT_TRUE(cut_off.lease->held());

    f.until([&] { return !cut_off.lease->held(); });

    auto const taken = f.loop.run(cut_off.lease->take());
    ASSERT_FALSE(taken);
    EXPECT_EQ(taken.error(), errc::unavailable);

    cut_off.node.engine->beat_now();
    f.until([&] { return cut_off.lease->held(); });
}

} // namespace
} // namespace postrider::telegram::poll_lease_test
