// Items that nodes have seen, as the commits of executions leave them.
#include "storage/query.hpp"
#include "storage/stores/seen_items.hpp"
#include "tests/support/loop.hpp"
#include "tests/support/postgres.hpp"

#include <gmock/gmock.h>

namespace postrider::storage::seen_items_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class seen_items : public testing::Test {
protected:
    seen_items() {
        batcher_options options;
        options.name = "writes";
        batches_ = make_batcher(io_.executor(), database_.options(), options);
    }
    ~seen_items() override { batches_->close(); }

    static item_claim claim(int job, std::string run = "new/", std::string node = "new") {
        return {.flow = "feed", .node = std::move(node), .job = job_id{job}, .run = std::move(run)};
    }
    std::set<std::string> commit(
        item_claim const& claim, std::vector<std::string> const& digests, std::int64_t newest = 100
    ) {
        boost::json::array list;
        for (auto const& digest : digests) list.emplace_back(digest);
        std::vector<write> writes{claim_items(claim, list), forget_seen_items(claim, newest)};
        auto const done = io_.run(query(*batches_, std::move(writes), 5s));
        EXPECT_TRUE(done) << to_string(done.error());
        return io_.run(claimed_items(*batches_, claim, list, 5s)).value();
    }

    std::string digests() {
        return database_.value("select string_agg(encode(digest, 'hex'), ' ' order by digest) "
                               "from postrider.seen_item where node = 'new'");
    }

    tests::test_database database_;
    tests::loop io_;
    std::unique_ptr<batcher> batches_;
};

TEST_F(seen_items, belong_to_the_run_that_claimed_them_first) {
    EXPECT_THAT(commit(claim(1), {"01", "02"}), ElementsAre("01", "02"));
    EXPECT_THAT(commit(claim(2), {"02", "03"}), ElementsAre("03"));
    EXPECT_THAT(commit(claim(1), {"01", "02"}), ElementsAre("01", "02")) << "after a crash";
    EXPECT_THAT(commit(claim(1, "new/round:2/"), {"01"}), IsEmpty()) << "another round";
    EXPECT_THAT(commit(claim(1, "new/", "other"), {"01"}), ElementsAre("01")) << "another node";
}

TEST_F(seen_items, are_forgotten_beyond_what_a_node_remembers) {
    for (auto const* digest : {"01", "02", "03", "04"}) commit(claim(1), {digest}, 2);
    commit(claim(1, "new/", "other"), {"01"}, 2);

    EXPECT_EQ(digests(), "03 04");
    EXPECT_THAT(commit(claim(2), {"01", "03"}, 2), ElementsAre("01"));
}

// A run after a crash looks for what it has claimed.
TEST_F(seen_items, of_an_unfinished_job_are_not_forgotten) {
    database_.execute("insert into postrider.lane (lane_key) values ('flow:a')");
    database_.execute(
        "insert into postrider.job (job_id, lane_id, conversation_id, arrival, state, "
        "kind) values (48, 1, 9, 1, 'available', 'flow')"
    );
    commit(claim(48), {"01", "02"}, 2);

    commit(claim(2), {"03", "04"}, 2);
    commit(claim(2), {"05", "06"}, 2);
    EXPECT_EQ(digests(), "01 02 05 06");

    database_.execute("delete from postrider.job where job_id = 48");
    commit(claim(2), {"07"}, 2);
    EXPECT_EQ(digests(), "06 07");
}

TEST_F(seen_items, are_looked_at_without_a_claim) {
    commit(claim(1), {"01"});
    commit(claim(2), {"02"});

    boost::json::array const list{"01", "02", "03"};
    EXPECT_THAT(
        io_.run(unseen_items(*batches_, claim(1), list, 5s)).value(), ElementsAre("01", "03")
    );
    EXPECT_EQ(digests(), "01 02");
}

TEST_F(seen_items, go_with_their_flow) {
    database_.execute("insert into postrider.flow (name, draft) values ('feed', '{}')");
    commit(claim(1), {"01"});

    database_.execute("delete from postrider.flow where name = 'feed'");

    EXPECT_EQ(database_.value("select count(*) from postrider.seen_item"), "0");
}

} // namespace
} // namespace postrider::storage::seen_items_test
