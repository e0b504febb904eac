// A connection that broke: its descriptor's number may be another's by now.
#include "storage/pg/notice_connection.hpp"
#include "storage/pg/session.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <sys/socket.h>
#include <unistd.h>

namespace postrider::tests {
namespace {

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
} // namespace postrider::tests
