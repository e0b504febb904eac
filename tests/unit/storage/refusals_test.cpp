#include "storage/refusals.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::refusals_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using testing::ElementsAre;
using testing::IsEmpty;

base::error full() {
    return {errc::unavailable, "53100 in insert_job: could not extend file", "53100"};
}

class refused_commits : public testing::Test {
protected:
    void commit() { watch.note("beats", {}); }
    void refuse(base::error error) { watch.note("intake", std::move(error)); }

    base::manual_clock clock;
    std::vector<std::string> told;
    refusals watch{
        clock, [this](auto const& reason) { told.push_back(reason.value_or("accepted")); }};
};

TEST_F(refused_commits, are_told_once) {
    refuse(full());
    clock.advance(1h);
    refuse(full());

    EXPECT_THAT(told, ElementsAre("the disk of the database is full"));
}

TEST_F(refused_commits, are_over_when_none_was_refused_for_ten_seconds) {
    refuse(full());
    clock.advance(9s);
    commit();
    refuse(full());
    clock.advance(9s);
    commit();
    EXPECT_EQ(told.size(), 1u);

    clock.advance(1s);
    commit();
    commit();

    EXPECT_THAT(told, ElementsAre("the disk of the database is full", "accepted"));
}

TEST_F(refused_commits, may_change_their_reason) {
    refuse(full());
    refuse({errc::unavailable, "25006 in beat", "25006"});

    EXPECT_THAT(told, ElementsAre("the disk of the database is full", "the database is read-only"));
}

TEST_F(refused_commits, are_not_those_that_trying_again_mends) {
    refuse({errc::unavailable, "08006: the connection is lost"});
    refuse({errc::conflict, "40001 in insert_job"});
    refuse({errc::timeout, "no commit by intake within 5 s"});

    EXPECT_THAT(told, IsEmpty());
}

} // namespace
} // namespace postrider::storage::refusals_test
