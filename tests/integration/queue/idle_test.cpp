// What a node with nothing to do asks of Postgres.
#include "tests/integration/queue/world.hpp"

#include <gtest/gtest.h>

namespace postrider::tests::idle_test {
namespace {

using namespace std::chrono_literals;

struct idle_node {
    test_database database;
    loop io;
    std::unique_ptr<node> self;

    idle_node() {
        queue::engine_options options;
        options.version = "test";
        options.heartbeat = 20ms;
        options.idle_poll = 50ms; // as two to five
        self = std::make_unique<node>(io.executor(), database.url(), options);
        if (!io.run(self->limits->start({})) || !io.run(self->engine->start()))
            throw std::runtime_error("the engine did not start");
    }
    ~idle_node() {
        io.run(self->engine->drain(0s));
        io.run(self->limits->stop());
    }

    std::uint64_t beats() const { return self->beats->counts().commits; }
    std::uint64_t reads() const { return self->quick->counts().commits; }
    // When a connection for rare work was last used.
    std::string rare_work() {
        return database.value("select max(state_change) from pg_stat_activity where datname = "
                              "current_database() and application_name = 'postrider' "
                              "and pid <> pg_backend_pid()");
    }
    void after_beats(std::uint64_t count) {
        auto const from = beats();
        io.run(wait([this, until = from + count] { return beats() >= until; }), 15s);
    }

private:
    static base::awaitable<void> wait(std::function<bool()> condition) {
        while (!condition()) co_await base::sleep_for(1ms);
    }
};

TEST(idle_node, asks_only_with_its_heartbeat_and_one_poll) {
    idle_node node;
    node.after_beats(25); // what belongs to the start is over
    auto const rare = node.rare_work();
    auto const reads = node.reads();

    node.after_beats(50);

    // As many beats as in 100 s, and a poll for each five seconds of them; a slow machine has more
    // of the polls to a beat, never as many.
    EXPECT_GE(node.reads() - reads, 10u);
    EXPECT_LE(node.reads() - reads, 50u);
    EXPECT_EQ(node.rare_work(), rare);
}

} // namespace
} // namespace postrider::tests::idle_test
