// What becomes of those who wait when Postgres stops, restarts, or breaks off at the worst moment.
#include "storage/database.hpp"
#include "storage/private_cluster.hpp"
#include "tests/support/cutting_proxy.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <gtest/gtest.h>

#include <atomic>
#include <csignal>
#include <future>

namespace postrider::storage::database_failures_test {
namespace {

using base::errc;
using tests::cutting_proxy;
using namespace std::chrono_literals;

constexpr statement add{"test.add", "insert into public.note (n) values ($1)"};
constexpr statement pause{"test.pause", "select pg_sleep($1::float8)"};
constexpr statement my_backend{"test.pid", "select pg_backend_pid()"};

// Closes once a backend is at work on `pause`; false when none was in time.
base::awaitable<bool> close_while_it_pauses(database& db, tests::test_database const& server) {
    auto const deadline = base::system_clock().steady() + 3s;
    auto const pauses = [&] {
        return server.value("select count(*) from pg_stat_activity where datname = "
                            "current_database() and state = 'active' and wait_event = 'PgSleep'");
    };
    bool pausing = false;
    while (!pausing && base::system_clock().steady() < deadline) {
        co_await base::sleep_for(1ms);
        pausing = pauses() == "1";
    }
    db.close();
    co_return pausing;
}

class database_failures : public testing::Test {
protected:
    database_failures() { where.execute("create table public.note (n int primary key)"); }

    std::unique_ptr<database> open(std::string url) {
        auto options = where.options();
        options.url = std::move(url);
        options.connections = 1;
        options.reachability = reports;
        return open_database(loop.executor(), options);
    }

    base::result<rows> query(
        database& db,
        statement const& statement,
        std::vector<param> params = {},
        base::duration limit = 5s
    ) {
        return loop.run(db.query(statement, std::move(params), limit));
    }

    // Until the database answers again, as callers that try again would.
    base::result<rows> query_until_it_answers(database& db, statement const& statement) {
        auto const deadline = base::system_clock().steady() + 10s;
        auto found = query(db, statement);
        while (!found && base::system_clock().steady() < deadline) {
            loop.run(base::sleep_for(10ms));
            found = query(db, statement);
        }
        return found;
    }

    std::string notes() const { return where.value("select count(*) from public.note"); }

    tests::test_database where{tests::test_database::content::empty};
    tests::loop loop;
    std::shared_ptr<reachability> reports; // of all that are opened from then on
};

TEST_F(database_failures, a_deadline_abandons_the_wait_and_not_the_connection) {
    auto db = open(where.url());

    EXPECT_EQ(query(*db, pause, {"0.2"}, 20ms).error(), errc::timeout);
    EXPECT_TRUE(query(*db, pause, {"0"}));
}

TEST_F(database_failures, work_whose_deadline_passed_in_the_queue_is_not_done) {
    using namespace base::asio::experimental::awaitable_operators;
    auto db = open(where.url());
    std::atomic<bool> occupied{false};
    std::promise<void> end;
    auto occupy = [&](transaction&) {
        occupied = true;
        end.get_future().wait();
    };
    auto const meanwhile = [&]() -> base::awaitable<base::result<rows>> {
        while (!occupied) co_await base::sleep_for(1ms);
        std::vector<param> params{1};
        auto late = co_await db->query(add, std::move(params), 10ms);
        end.set_value();
        co_return late;
    };

    auto const both = loop.run(db->run("occupy", occupy, 10s) && meanwhile());

    EXPECT_TRUE(std::get<0>(both));
    EXPECT_EQ(std::get<1>(both).error(), errc::timeout);
    ASSERT_TRUE(query(*db, pause, {"0"}));
    EXPECT_EQ(notes(), "0");
}

TEST_F(database_failures, a_cancelled_wait_throws_operation_aborted) {
    using namespace base::asio::experimental::awaitable_operators;
    auto db = open(where.url());

    auto const outcome = loop.run(db->query(pause, {"0.3"}, 5s) || base::sleep_for(10ms));

    EXPECT_EQ(outcome.index(), 1u);
    EXPECT_TRUE(query(*db, pause, {"0"}));
}

TEST_F(database_failures, a_stopped_server_times_waiters_out_and_close_ends_the_threads) {
    auto db = open(where.url());
    auto const backend = static_cast<pid_t>(query(*db, my_backend)->front().int64(0));
    ASSERT_EQ(kill(backend, SIGSTOP), 0);

    EXPECT_EQ(query(*db, my_backend, {}, 50ms).error(), errc::timeout);
    db->close();

    EXPECT_EQ(query(*db, my_backend).error(), errc::unavailable);
    kill(backend, SIGCONT);
}

TEST_F(database_failures, close_tells_those_in_the_queue) {
    using namespace base::asio::experimental::awaitable_operators;
    auto db = open(where.url());
    std::vector<param> seconds{"60"};
    std::vector<param> number{1};

    auto const [running, queued, paused] = loop.run(
        db->query(pause, std::move(seconds), 1h) && db->query(add, std::move(number), 1h) &&
        close_while_it_pauses(*db, where)
    );

    EXPECT_TRUE(paused);
    EXPECT_EQ(running.error(), errc::unavailable);
    EXPECT_EQ(queued.error(), errc::unavailable);
}

TEST_F(database_failures, a_connection_that_broke_while_idle_is_not_noticed) {
    auto db = open(where.url());
    auto const backend = query(*db, my_backend)->front().text(0);
    where.execute("select pg_terminate_backend(" + backend + ", 5000)");

    EXPECT_TRUE(query(*db, add, {1}));
}

TEST_F(database_failures, a_connection_that_breaks_in_a_transaction_is_unavailable) {
    auto db = open(where.url());

    auto const done = loop.run(db->run(
        "test",
        [this](transaction& tx) {
            tx.query(add, {1});
            where.execute(
                "select pg_terminate_backend(" + tx.query(my_backend).at(0).text(0) + ", 5000)"
            );
            tx.query(add, {2});
        },
        5s
    ));

    EXPECT_EQ(done.error(), errc::unavailable);
    EXPECT_TRUE(query(*db, add, {1})) << "it connects again, and the first insert was rolled back";
}

TEST_F(database_failures, a_commit_without_an_answer_is_ambiguous) {
    cutting_proxy proxy{where.url()};
    auto db = open(proxy.url());

    proxy.cut("commit", cutting_proxy::moment::after);
    EXPECT_EQ(query(*db, add, {1}).error(), errc::ambiguous);
    EXPECT_EQ(notes(), "1");

    proxy.cut("commit", cutting_proxy::moment::before);
    EXPECT_EQ(query(*db, add, {2}).error(), errc::ambiguous);
    EXPECT_EQ(notes(), "1");
}

TEST_F(database_failures, a_statement_without_an_answer_did_not_happen) {
    cutting_proxy proxy{where.url()};
    auto db = open(proxy.url());

    proxy.cut("test.add", cutting_proxy::moment::after);

    EXPECT_EQ(query(*db, add, {1}).error(), errc::unavailable);
    EXPECT_EQ(notes(), "0");
}

TEST_F(database_failures, an_unreachable_server_is_unavailable_at_once) {
    auto db = open("host=127.0.0.1 port=1 dbname=none");

    EXPECT_EQ(query(*db, my_backend).error(), errc::unavailable);
    EXPECT_EQ(query(*db, my_backend).error(), errc::unavailable) << "between two attempts";
}

TEST_F(database_failures, several_hosts_are_tried_until_one_is_the_primary) {
    auto const socket = where.url().substr(6, where.url().find('\'', 6) - 6);
    auto db =
        open("host=127.0.0.1," + socket + " port=1,5432 user=postrider dbname=" + where.name());

    EXPECT_TRUE(query(*db, add, {1}));
}

TEST_F(database_failures, run_blocking_returns_failures_as_values) {
    auto options = where.options();
    options.url = "host=127.0.0.1 port=1";

    EXPECT_EQ(run_blocking(options, [](transaction&) {}).error(), errc::unavailable);
}

TEST_F(database_failures, a_restart_of_postgres_is_survived_and_logged_once) {
    auto const folder = tests::test_cluster_folder().parent_path() / "test-postgres-restart";
    std::filesystem::remove_all(folder);
    auto cluster = start_private_cluster(folder, tests::quick_programs());
    ASSERT_TRUE(cluster) << to_string(cluster.error());
    reports = std::make_shared<reachability>();
    auto db = open((*cluster)->url());
    auto other = open((*cluster)->url());
    ASSERT_TRUE(query(*db, my_backend));
    ASSERT_TRUE(query(*other, my_backend));

    (*cluster)->stop();
    testing::internal::CaptureStderr();
    EXPECT_EQ(query(*db, my_backend).error(), errc::unavailable);
    EXPECT_EQ(query(*other, my_backend).error(), errc::unavailable);
    auto const lost = testing::internal::GetCapturedStderr();
    cluster = start_private_cluster(folder, tests::quick_programs());
    ASSERT_TRUE(cluster) << to_string(cluster.error());

    testing::internal::CaptureStderr();
    auto const found = query_until_it_answers(*db, my_backend);
    auto const found_by_other = query_until_it_answers(*other, my_backend);
    auto const back = testing::internal::GetCapturedStderr();
    EXPECT_TRUE(found) << to_string(found.error());
    EXPECT_TRUE(found_by_other) << to_string(found_by_other.error());
    EXPECT_NE(lost.find("warn database.unreachable"), std::string::npos) << lost;
    EXPECT_EQ(lost.find("database.unreachable"), lost.rfind("database.unreachable")) << lost;
    EXPECT_NE(back.find("info database.reached"), std::string::npos) << back;
    EXPECT_EQ(back.find("database.reached"), back.rfind("database.reached")) << back;
}

} // namespace
} // namespace postrider::storage::database_failures_test
