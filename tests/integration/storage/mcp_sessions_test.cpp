// Sessions of clients of POST /mcp.
#include "storage/query.hpp"
#include "storage/stores/mcp_sessions.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::mcp_sessions_test {
namespace {

using namespace std::chrono_literals;
using base::errc;

class mcp_sessions : public testing::Test {
protected:
    mcp_sessions() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
        EXPECT_TRUE(io_.run(query(*batches_, add_mcp_session("s", user_id{7}, "2025-11-25"), 5s)));
    }
    ~mcp_sessions() override { batches_->close(); }

    base::result<std::string> find(std::int64_t user) {
        return io_.run(find_mcp_revision(*batches_, "s", user_id{user}, 5s));
    }
    bool end(std::int64_t user) {
        return !io_.run(query(*batches_, end_mcp_session("s", user_id{user}), 5s)).value().empty();
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

TEST_F(mcp_sessions, are_their_users_alone) {
    EXPECT_EQ(find(7).value(), "2025-11-25");
    EXPECT_EQ(find(8).error().code, errc::not_found);
    EXPECT_FALSE(end(8));
    EXPECT_TRUE(find(7));
}

TEST_F(mcp_sessions, end_once) {
    EXPECT_TRUE(end(7));
    EXPECT_FALSE(end(7));
    EXPECT_EQ(find(7).error().code, errc::not_found);
}

TEST_F(mcp_sessions, end_by_themselves_after_a_week) {
    database_.execute("update postrider.mcp_session set created_at = now() - interval '8 days'");
    EXPECT_EQ(find(7).error().code, errc::not_found);
    EXPECT_EQ(database_.value("select postrider.prune_mcp_sessions()"), "1");
    EXPECT_EQ(database_.value("select count(*) from postrider.mcp_session"), "0");
}

} // namespace
} // namespace postrider::storage::mcp_sessions_test
