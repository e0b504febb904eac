// A connection that broke: its descriptor's number may be another's by now.
#include "storage/pg/session.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

#include <sys/socket.h>
#include <unistd.h>

namespace postrider::tests {
namespace {

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
    int ends[2]; // the lowest numbers that are free
    ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM, 0, ends), 0);

    session.close();

    EXPECT_EQ(::send(ends[0], "a", 1, MSG_NOSIGNAL), 1);
    EXPECT_EQ(::send(ends[1], "b", 1, MSG_NOSIGNAL), 1);
    for (int end : ends) ::close(end);
}

INSTANTIATE_TEST_SUITE_P(
    clients,
    broken_connection,
    testing::Values(storage::pg::purpose::general, storage::pg::purpose::batches),
    [](auto const& client) {
        return client.param == storage::pg::purpose::general ? "general" : "batches";
    }
);

} // namespace
} // namespace postrider::tests
