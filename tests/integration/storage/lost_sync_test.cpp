// The sync behind a COMMIT cannot be sent. Nothing outside libpq makes that happen, so this file takes
// the place of its function, for all tests of the program.
#include "tests/integration/storage/batcher_world.hpp"

#include <dlfcn.h>
#include <libpq-fe.h>

namespace {

// How many syncs pass until one is lost; none is while it is negative.
std::atomic<int> passing{-1};

} // namespace

extern "C" int PQpipelineSync(PGconn* db) {
    using function = int (*)(PGconn*);
    static auto const original = reinterpret_cast<function>(dlsym(RTLD_NEXT, "PQpipelineSync"));
    if (passing.load() < 0 || passing.fetch_sub(1) > 0) return original(db);
    while (PQflush(db) > 0) continue; // all before it arrives
    return 0;
}

namespace postrider::tests::lost_sync_test {
namespace {

using base::errc;
using stages = std::vector<std::vector<storage::write>>;

using lost_sync = batcher_world;

// Promises after its second stage to ask for nothing more.
class two_stages final : public scripted_unit {
public:
    two_stages()
        : scripted_unit(stages{
              {{&insert_note, note_row("first")}}, {{&insert_note, note_row("second")}}}) {}
    bool is_last(int number) const override { return number == 1; }
};

// Postgres carries a COMMIT out when it reads it, whatever follows.
TEST_F(lost_sync, behind_a_commit_is_ambiguous_and_the_batch_is_not_repeated) {
    ASSERT_TRUE(commit(note("connects")));
    auto const first = std::make_shared<scripted_unit>(stages{{{&insert_note, note_row("first")}}});
    auto const second =
        std::make_shared<scripted_unit>(stages{{{&insert_note, note_row("second")}}});

    passing = 1; // that of the statements; the batch before is empty and has none
    auto const outcomes = commit_together({first, second});

    for (auto const& ended : outcomes) EXPECT_EQ(ended.error(), errc::ambiguous);
    EXPECT_EQ(first->started, 1);
    EXPECT_EQ(second->started, 1);
    until([&] { return notes() == "3"; });
    EXPECT_TRUE(commit(note("connects again")));
    EXPECT_EQ(notes(), "4");
}

TEST_F(lost_sync, behind_a_commit_that_travels_with_its_statements_is_ambiguous) {
    ASSERT_TRUE(commit(note("connects")));
    auto const unit = std::make_shared<two_stages>();
    passing = 1;

    EXPECT_EQ(commit(unit).error(), errc::ambiguous);

    EXPECT_EQ(unit->started, 1);
    until([&] { return notes() == "3"; });
    EXPECT_TRUE(commit(note("connects again")));
}

// The sync is what commits here, and it has not arrived.
TEST_F(lost_sync, of_a_lone_statement_left_nothing_behind) {
    ASSERT_TRUE(commit(note("connects")));
    auto const unit = note("lost", true);
    passing = 0;

    EXPECT_EQ(commit(unit).error(), errc::unavailable);

    EXPECT_EQ(unit->started, 1);
    EXPECT_TRUE(commit(note("connects again")));
    EXPECT_EQ(notes(), "2");
}

} // namespace
} // namespace postrider::tests::lost_sync_test
