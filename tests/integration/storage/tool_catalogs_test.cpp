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

// Retention leaves it for a day.
TEST_F(tool_catalogs, are_known_to_be_kept_for_an_hour_after_their_use) {
    auto const is_kept = [this](std::string digest) {
        auto const kept = io_.run(keeps_tool_catalog(*batches_, std::move(digest), 5s));
        return kept && *kept;
    };
    EXPECT_FALSE(is_kept("x"));
    keep("x");
    EXPECT_TRUE(is_kept("x"));
    database_.execute("update postrider.tool_catalog set used_at = used_at - interval '61 min'");
    EXPECT_FALSE(is_kept("x")) << "its use is to be noted again";
    keep("x");
    EXPECT_TRUE(is_kept("x"));
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

TEST_F(tool_catalogs, that_a_fork_reads_again_are_used_by_it) {
    keep("asked");
    keep("later");
    keep("other");
    database_.execute(
        "update postrider.tool_catalog set used_at = used_at - interval '5 days';"
        "insert into postrider.lane (lane_key) values ('a');"
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, kind, "
        "finished_at) select 1, lane_id, 1, 1, 'completed', 'flow', postrider.now() "
        "from postrider.lane;"
        "insert into postrider.step (job_id, seq, started_at, ended_at, node_id, key, outcome, "
        "result) values "
        "(1, 1, postrider.now(), postrider.now(), 1, 'part:mcp', 'done', "
        "'{\"s\": {\"catalog\": \"asked\"}}'), "
        "(1, 2, postrider.now(), postrider.now(), 1, 'then', 'done', "
        "'{\"s\": {\"catalog\": \"later\"}}')"
    );

    database_.execute("select postrider.job_fork(1, 'then')");

    EXPECT_EQ(
        database_.value("select string_agg(digest, ' ') from postrider.tool_catalog "
                        "where used_at > postrider.now() - interval '1 hour'"),
        "asked"
    );
}

} // namespace
} // namespace postrider::storage::tool_catalogs_test
