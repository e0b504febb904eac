#include "storage/reachability.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::reachability_test {
namespace {

using namespace std::chrono_literals;
using base::errc;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

class database_outage : public testing::Test {
protected:
    database_outage() { testing::internal::CaptureStderr(); }
    ~database_outage() override { (void)testing::internal::GetCapturedStderr(); }

    std::string log() {
        auto text = testing::internal::GetCapturedStderr();
        testing::internal::CaptureStderr();
        return text;
    }
    void fail(std::string_view connection) {
        watch.note_failed(clock.steady(), connection, {errc::unavailable, "cannot connect"});
    }

    base::manual_clock clock;
    reachability watch{clock};
};

TEST_F(database_outage, of_many_connections_is_one_warning_and_one_line_when_it_is_over) {
    for (auto const* connection : {"postrider", "postrider-beats", "postrider-intake"}) {
        fail(connection);
        clock.advance(5s);
    }
    auto const beginning = log();
    watch.note_opened("postrider-beats");
    watch.note_opened("postrider");
    auto const over = log();

    EXPECT_THAT(beginning, HasSubstr("warn database.unreachable connection=postrider error="));
    EXPECT_THAT(beginning, HasSubstr("unavailable: cannot connect"));
    EXPECT_EQ(beginning.find('\n'), beginning.size() - 1) << beginning;
    EXPECT_THAT(over, HasSubstr("info database.reached connection=postrider-beats after=15s"));
    EXPECT_EQ(over.find('\n'), over.size() - 1) << over;
}

TEST_F(database_outage, is_an_error_once_when_it_lasts) {
    for (int second = 0; second < 60; ++second) {
        fail("postrider");
        clock.advance(1s);
    }
    auto const tolerable = log();
    for (int second = 0; second < 60; ++second) {
        fail("postrider");
        clock.advance(1s);
    }
    auto const lasting = log();

    EXPECT_THAT(tolerable, Not(HasSubstr("error database")));
    EXPECT_THAT(lasting, HasSubstr("error database.still_unreachable connection=postrider"));
    EXPECT_EQ(lasting.find('\n'), lasting.size() - 1) << lasting;
}

TEST_F(database_outage, is_not_begun_by_an_attempt_from_before_it_was_over) {
    fail("postrider");
    auto const attempted = clock.steady();
    clock.advance(1s);
    watch.note_opened("postrider");
    (void)log();

    watch.note_failed(attempted, "postrider-reads", {errc::unavailable, "cannot connect"});

    EXPECT_THAT(log(), IsEmpty());
}

TEST_F(database_outage, after_a_long_time_without_an_attempt_is_another_one) {
    fail("postrider reports");
    clock.advance(1h);
    fail("postrider reports");

    auto const lines = log();

    EXPECT_THAT(lines, Not(HasSubstr("error database")));
    EXPECT_NE(lines.find("database.unreachable"), lines.rfind("database.unreachable"));
}

TEST(tolerated, is_an_outage_and_not_what_the_database_refuses) {
    EXPECT_EQ(tolerated({errc::unavailable, "cannot connect"}), tolerated_outage);
    EXPECT_EQ(tolerated({errc::timeout, "no commit"}), tolerated_outage);
    EXPECT_EQ(tolerated({errc::unavailable, "53100 in insert_job", "53100"}), 0s);
    EXPECT_EQ(tolerated({errc::conflict, "it is locked"}), 0s);
}

} // namespace
} // namespace postrider::storage::reachability_test
