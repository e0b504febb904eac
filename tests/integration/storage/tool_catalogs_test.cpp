// Lists of tools that are kept once.
#include "storage/query.hpp"
#include "storage/stores/tool_catalogs.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <boost/json/array.hpp>
#include <gtest/gtest.h>

namespace postrider::storage::tool_catalogs_test {
namespace {

using namespace std::chrono_literals;

class tool_catalogs : public testing::Test {
protected:
    tool_catalogs() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~tool_catalogs() override { batches_->close(); }

    void keep(std::string_view digest) {
        boost::json::value const tools = boost::json::array{"a"};
        auto const done = io_.run(query(*batches_, keep_tool_catalog(digest, tools), 5s));
        ASSERT_TRUE(done) << to_string(done.error());
    }
    std::string kept() {
        return database_.value("select coalesce(string_agg(digest, ' ' order by digest), '') from "
                               "postrider.tool_catalog");
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

TEST_F(tool_catalogs, are_kept_once_and_read_by_their_digest) {
    keep("x");
    keep("x");

    auto const found = io_.run(read_tool_catalog(*batches_, "x", 5s));
    auto const none = io_.run(read_tool_catalog(*batches_, "y", 5s));

    ASSERT_TRUE(found && *found);
    EXPECT_EQ(**found, boost::json::array{"a"});
    ASSERT_TRUE(none);
    EXPECT_FALSE(*none);
    EXPECT_EQ(kept(), "x");
}

TEST_F(tool_catalogs, go_when_no_job_is_as_old_as_their_last_use) {
    keep("old");
    keep("new");
    keep("again");
    database_.execute(
        "insert into postrider.lane (lane_key) values ('a');"
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
        "created_at, finished_at) "
        "select 1, lane_id, 1, 1, 'completed', 'flow', postrider.now() - interval '3 days', "
        "postrider.now() "
        "from postrider.lane;"
        "update postrider.tool_catalog set used_at = postrider.now() - interval '5 days' "
        "where digest <> 'new'"
    );
    keep("again");

    EXPECT_EQ(database_.value("select postrider.prune_tool_catalogs()"), "1");
    EXPECT_EQ(kept(), "again new");
}

} // namespace
} // namespace postrider::storage::tool_catalogs_test
