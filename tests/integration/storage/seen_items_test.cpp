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

    EXPECT_EQ(
        database_.value("select string_agg(encode(digest, 'hex'), ' ' order by digest) "
                        "from postrider.seen_item where node = 'new'"),
        "03 04"
    );
    EXPECT_THAT(commit(claim(2), {"01", "03"}, 2), ElementsAre("01"));
}

TEST_F(seen_items, go_with_their_flow) {
    database_.execute("insert into postrider.flow (name, draft) values ('feed', '{}')");
    commit(claim(1), {"01"});

    database_.execute("delete from postrider.flow where name = 'feed'");

    EXPECT_EQ(database_.value("select count(*) from postrider.seen_item"), "0");
}

} // namespace
} // namespace postrider::storage::seen_items_test
