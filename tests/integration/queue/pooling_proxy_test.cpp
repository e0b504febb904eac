// The engine behind a real pgbouncer that hands out sessions by transaction.
#include "queue/node/engine.hpp"
#include "queue/store/enqueue_turn.hpp"
#include "storage/connections.hpp"
#include "storage/notices.hpp"
#include "storage/pg/connection.hpp"
#include "storage/query.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <regex>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace postrider::tests::pooling_proxy_test {
namespace {

using namespace std::chrono_literals;
using base::awaitable;
namespace fs = std::filesystem;

constexpr auto program = "/usr/sbin/pgbouncer";

std::string word(std::string const& conninfo, std::string const& key) {
    std::smatch found;
    std::regex const pattern(key + "='?([^' ]+)");
    return std::regex_search(conninfo, found, pattern) ? found[1].str() : "";
}

// On a Unix socket in a folder of its own, in front of the test cluster. Two server sessions at
// most, so that every client gets one that others have used.
class pgbouncer {
public:
    explicit pgbouncer(test_database const& behind) {
        auto pattern = (fs::temp_directory_path() / "postrider-pgbouncer-XXXXXX").string();
        folder_ = mkdtemp(pattern.data());
        fs::permissions(folder_, fs::perms{0777}); // as root, it runs as another user
        auto const port = word(behind.url(), "port");
        std::ofstream(folder_ / "ini")
            << "[databases]\n* = host=" << word(behind.url(), "host")
            << (port.empty() ? "" : " port=" + port) << " user=" << word(behind.url(), "user")
            << "\n[pgbouncer]\nlisten_addr =\nlisten_port = 6499\nunix_socket_dir = "
            << folder_.string()
            << "\nauth_type = any\npool_mode = transaction\ndefault_pool_size = 2\n"
            << "max_client_conn = 50\nlogfile = " << (folder_ / "log").string()
            << "\npidfile = " << (folder_ / "pid").string() << '\n';
        std::vector<std::string> words{program, "-q", (folder_ / "ini").string()};
        if (geteuid() == 0) words.insert(words.end(), {"-u", "postgres"});
        std::vector<char*> arguments;
        for (auto& word : words) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        if (posix_spawn(&pid_, program, nullptr, nullptr, arguments.data(), environ) != 0)
            throw std::runtime_error("pgbouncer does not start");
        options_.url =
            "host=" + folder_.string() + " port=6499 user=postrider dbname=" + behind.name();
        options_.prepared = false;
    }

    ~pgbouncer() {
        kill(pid_, SIGKILL);
        waitpid(pid_, nullptr, 0);
        fs::remove_all(folder_);
    }

    // Once it answers.
    storage::database_options const& options() {
        auto const end = base::system_clock().steady() + 10s;
        while (!storage::run_blocking(options_, [](storage::transaction&) {})) {
            if (base::system_clock().steady() > end)
                throw std::runtime_error(
                    "pgbouncer does not answer: " + (folder_ / "log").string()
                );
            std::this_thread::yield();
        }
        return options_;
    }

private:
    fs::path folder_;
    pid_t pid_ = 0;
    storage::database_options options_;
};

awaitable<queue::outcome> two_steps(queue::workflow& flow) {
    auto first = co_await flow.run("one", {}, [] { return queue::give(1); });
    auto second = co_await flow.run("two", {}, [] { return queue::give(2); });
    co_return queue::outcome::completed({*first, *second});
}

awaitable<void> poll(std::function<bool()> condition) {
    while (!condition()) co_await base::sleep_for(5ms);
}

// covers: E.17
TEST(pooling_proxy, jobs_run_behind_pgbouncer_in_transaction_mode) {
    if (!fs::exists(program)) GTEST_SKIP() << "pgbouncer is not installed: scripts/setup --test";
    test_database database;
    pgbouncer proxy(database);
    loop io;
    auto postgres = storage::connect(io.executor(), proxy.options());
    queue::engine_options options;
    options.version = "test";
    auto engine = queue::make_engine(
        io.executor(),
        {*postgres.checkpoints,
         *postgres.quick,
         *postgres.beats,
         *postgres.db,
         base::system_clock(),
         base::system_random()},
        options
    );
    engine->add({"two_steps", two_steps});
    ASSERT_TRUE(io.run(engine->start()));

    database.execute("insert into postrider.lane (lane_key) select n::text from "
                     "generate_series(1, 20) n");
    for (int n = 0; n < 200; ++n) {
        queue::new_job job;
        job.lane = lane_id{1 + n % 20};
        job.kind = "two_steps";
        auto turn = queue::enqueue_turn(job, job.lane, {});
        ASSERT_TRUE(io.run(storage::query(*postgres.intake, std::move(turn), 10s)));
    }
    engine->wake();
    auto const completed = "select count(*) from postrider.job where state = 'completed'";
    io.run(poll([&] { return database.value(completed) == "200"; }), 30s);

    EXPECT_EQ(database.value("select count(*) from postrider.step"), "400");
    EXPECT_EQ(database.value("select max(run_no) from postrider.job"), "1");
    EXPECT_EQ(
        database.value("select bool_and(overtaken is null) from (select case when started_at < "
                       "lag(finished_at) over (partition by lane_id order by job_id) then 1 end "
                       "as overtaken from postrider.job) x"),
        "t"
    );
    io.run(engine->drain(1s));
    postgres.close();
}

// LISTEN has no lasting session there. Nothing breaks; setting database.listen saves the session.
TEST(pooling_proxy, listening_through_pgbouncer_is_harmless) {
    if (!fs::exists(program)) GTEST_SKIP() << "pgbouncer is not installed: scripts/setup --test";
    test_database database;
    pgbouncer proxy(database);
    loop io;
    auto notices = storage::listen(
        io.executor(), proxy.options(), {}, [](std::string_view) {}, [] {}
    );
    for (int n = 0; n < 100; ++n) notices->send("wake");
    io.run(poll([&] { return notices->counts().listening; }));
    notices->send("wake");
    io.run(poll([&] { return notices->counts().sent > 0; }));

    EXPECT_EQ(database.value("select 1"), "1");
    notices->close();
}

} // namespace
} // namespace postrider::tests::pooling_proxy_test
