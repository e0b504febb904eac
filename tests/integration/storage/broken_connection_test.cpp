// A connection that broke: its descriptor's number may be another's by now.
#include "storage/pg/notice_connection.hpp"
#include "storage/pg/session.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <stdexcept>
#include <sys/socket.h>
#include <thread>
#include <unistd.h>

namespace postrider::tests::broken_connection_test {
namespace {

using namespace std::chrono_literals;

// Opens the lowest numbers that are free, so also one that a broken connection has closed.
class foreign_sockets {
public:
    foreign_sockets() {
        if (::socketpair(AF_UNIX, SOCK_STREAM, 0, ends_) != 0)
            throw std::runtime_error("there are no sockets");
    }
    ~foreign_sockets() {
        for (int end : ends_) ::close(end);
    }
    foreign_sockets(foreign_sockets const&) = delete;
    foreign_sockets& operator=(foreign_sockets const&) = delete;

    bool work() const {
        return ::send(ends_[0], "a", 1, MSG_NOSIGNAL) == 1 &&
               ::send(ends_[1], "b", 1, MSG_NOSIGNAL) == 1;
    }

private:
    int ends_[2];
};

class broken_connection : public testing::TestWithParam<storage::pg::purpose> {
protected:
    test_database database;
    storage::pg::session session{database.options(), GetParam()};
};

TEST_P(broken_connection, that_is_closed_leaves_the_descriptors_of_others_alone) {
    auto& db = session.get();
    auto const pid = db.query({"pid", "select pg_backend_pid()"}, {}).front().text(0);
    database.execute("select pg_terminate_backend(" + pid + ", 10000)");
    EXPECT_THROW(db.query({"lost", "select 1"}, {}), storage::pg::failure);
    ASSERT_FALSE(db.open());
    foreign_sockets const others;

    session.close();

    EXPECT_TRUE(others.work());
}

INSTANTIATE_TEST_SUITE_P(
    clients,
    broken_connection,
    testing::Values(storage::pg::purpose::general, storage::pg::purpose::batches),
    [](auto const& client) {
        return client.param == storage::pg::purpose::general ? "general" : "batches";
    }
);

// Goes on in the end, so that it does not stay behind.
class frozen_process {
public:
    explicit frozen_process(pid_t pid) : pid_(pid) {
        if (::kill(pid_, SIGSTOP) != 0) throw std::runtime_error("it cannot be stopped");
    }
    ~frozen_process() { go_on(); }
    frozen_process(frozen_process const&) = delete;
    frozen_process& operator=(frozen_process const&) = delete;

    void go_on() const { ::kill(pid_, SIGCONT); }

private:
    pid_t pid_;
};

// What it was sent last may have been sent again, and come true, by the time it goes on.
// covers: E.21
TEST(silent_server_process, is_given_up_and_does_nothing_more) {
    test_database database;
    database.execute("create table public.late (n int)");
    auto options = database.options();
    options.application = "silent";
    options.statement_timeout = options.connect_timeout = 1s;
    storage::pg::session session{options, storage::pg::purpose::batches};
    auto const pid = session.get().query({"pid", "select pg_backend_pid()"}, {}).front().text(0);
    frozen_process const frozen(std::stoi(pid));

    EXPECT_THROW(
        session.get().query({"late", "insert into public.late values (1)"}, {}),
        storage::pg::failure
    );
    auto& again = session.get();
    EXPECT_EQ(again.query({"two", "select 2"}, {}).front().text(0), "2");
    frozen.go_on();

    auto const present = "select count(*) from pg_stat_activity where pid = " + pid;
    auto const end = base::system_clock().steady() + 10s;
    while (database.value(present) != "0") {
        ASSERT_LT(base::system_clock().steady(), end);
        std::this_thread::yield();
    }
    EXPECT_EQ(database.value("select count(*) from public.late"), "0");
}

TEST(broken_notice_connection, that_is_shut_down_leaves_the_descriptors_of_others_alone) {
    test_database database;
    auto options = database.options();
    options.application = "broken";
    storage::pg::notice_connection db{options, "postrider"};
    ASSERT_EQ(db.failed(), "");
    database.execute(
        "select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = "
        "current_database() and application_name = 'broken'"
    );
    // The server's last words come first, the end behind them.
    for (int reads = 0; reads < 10 && db.failed().empty(); ++reads) db.read([](auto) {});
    ASSERT_NE(db.failed(), "");
    foreign_sockets const others;

    db.socket().shut_down();

    EXPECT_TRUE(others.work());
}

} // namespace
} // namespace postrider::tests::broken_connection_test
