#include "storage/notices.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::notices_test {
namespace {

using namespace std::chrono_literals;

base::awaitable<void> poll(std::function<bool()> condition) {
    while (!condition()) co_await base::sleep_for(2ms);
}

struct listener {
    listener(tests::loop& on, database_options where, notices_options options = {}) : io(on) {
        channel = listen(
            io.executor(),
            std::move(where),
            std::move(options),
            [this](std::string_view payload) { heard.emplace_back(payload); },
            [this] { ++reconnected; }
        );
    }

    void until(std::function<bool()> condition) { io.run(poll(std::move(condition))); }
    void until_listening() {
        until([this] { return channel->counts().listening; });
    }

    tests::loop& io;
    std::vector<std::string> heard;
    int reconnected = 0;
    std::unique_ptr<notices> channel;
};

database_options named(tests::test_database const& database, std::string name) {
    auto options = database.options();
    options.application = std::move(name);
    return options;
}

// covers: E.17
TEST(notices, are_heard_by_others_and_not_by_the_sender) {
    tests::test_database database;
    tests::loop io;
    listener a(io, database.options());
    listener b(io, database.options());
    a.until_listening();
    b.until_listening();

    a.channel->send("wake");
    b.until([&] { return !b.heard.empty(); });
    b.channel->send("asked");
    a.until([&] { return !a.heard.empty(); });

    EXPECT_EQ(b.heard, std::vector<std::string>{"wake"});
    EXPECT_EQ(a.heard, std::vector<std::string>{"asked"});
}

TEST(notices, are_heard_from_functions_of_the_database_too) {
    tests::test_database database;
    tests::loop io;
    listener a(io, database.options());
    a.until_listening();

    database.execute("select pg_notify('postrider', 'asked')");

    a.until([&] { return !a.heard.empty(); });
    EXPECT_EQ(a.heard.front(), "asked");
}

// covers: E.17
TEST(notices, of_a_moment_are_one_command) {
    tests::test_database database;
    tests::loop io;
    notices_options slow;
    slow.send_interval = 100ms;
    listener a(io, database.options(), slow);
    listener b(io, database.options());
    a.until_listening();
    b.until_listening();

    auto const began = base::system_clock().steady();
    for (int n = 0; n < 10'000; ++n) a.channel->send("wake");
    // Counted once the server has confirmed it, which others may hear of earlier.
    b.until([&] { return !b.heard.empty() && a.channel->counts().sent > 0; });
    auto const at_most = (base::system_clock().steady() - began) / slow.send_interval + 2;

    auto const counts = a.channel->counts();
    EXPECT_EQ(counts.requested, 10'000u);
    EXPECT_GE(counts.sent, 1u);
    EXPECT_LE(counts.sent, static_cast<std::uint64_t>(at_most));
}

// covers: E.17
TEST(notices, come_back_after_the_connection_was_killed) {
    tests::test_database database;
    tests::loop io;
    notices_options quick;
    quick.first_retry = 10ms;
    listener a(io, named(database, "killed"), quick);
    listener b(io, database.options());
    a.until_listening();
    b.until_listening();

    database.execute("select pg_terminate_backend(pid) from pg_stat_activity where datname = "
                     "current_database() and application_name = 'killed'");
    a.until([&] { return a.reconnected == 1; });
    b.channel->send("wake");

    a.until([&] { return !a.heard.empty(); });
    EXPECT_EQ(a.heard.front(), "wake");
    EXPECT_TRUE(a.channel->counts().listening);
}

TEST(notices, to_a_server_that_is_away_are_forgotten) {
    tests::loop io;
    database_options nowhere;
    nowhere.url = "host=/nowhere dbname=none";
    listener a(io, nowhere);

    a.channel->send("wake");
    EXPECT_FALSE(a.channel->counts().listening);
    a.channel->close(); // at once, although it waits for its next try

    EXPECT_TRUE(a.heard.empty());
    EXPECT_EQ(a.channel->counts().sent, 0u);
}

TEST(notices, that_came_before_it_was_closed_are_not_reported_after) {
    tests::test_database database;
    tests::loop io;
    listener a(io, database.options());
    a.until_listening();
    database.execute("select pg_notify('postrider', 'wake')");
    while (a.channel->counts().received == 0) std::this_thread::yield();

    a.channel->close();
    io.context.restart();
    io.context.run_for(10ms);

    EXPECT_TRUE(a.heard.empty());
}

} // namespace
} // namespace postrider::storage::notices_test
