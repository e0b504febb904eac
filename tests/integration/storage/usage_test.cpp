// What models were asked and what it cost, as the view counts it.
#include "storage/stores/usage.hpp"
#include "tests/support/postgres.hpp"
#include "tests/support/usage_rows.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::storage::usage_test {
namespace {

class usage_store : public testing::Test {
protected:
    usage_store() { database.execute(tests::four_calls); }

    std::string read(usage_key by, int days = most_usage_days) {
        std::string text;
        auto const done = run_blocking(database.options(), [&](transaction& tx) {
            for (auto const& line : read_usage(tx, by, days).lines)
                text += line.subject.value_or("-") + "=" + std::to_string(line.calls) + "/" +
                        std::to_string(line.tokens_in) + "/" + std::to_string(line.tokens_cached) +
                        "/" + std::to_string(line.tokens_out) + "/" +
                        std::to_string(line.cost_micro) + " ";
        });
        EXPECT_TRUE(done) << to_string(done.error());
        return text;
    }

    tests::test_database database;
};

// covers: X.04
TEST_F(usage_store, tells_who_used_how_much_most_first) {
    EXPECT_EQ(read(usage_key::user), "7=2/300/60/30/75000 -=1/5/0/5/1 8=1/1/0/2/0 ");
    EXPECT_EQ(
        read(usage_key::chat),
        "5=2/300/60/30/75000 -=1/5/0/5/1 00000000-0000-0000-0000-000000000001=1/1/0/2/0 "
    );
    EXPECT_EQ(read(usage_key::agent), "assistant=2/300/60/30/75000 -=1/5/0/5/1 terse=1/1/0/2/0 ");
    EXPECT_EQ(read(usage_key::flow), "assistant=2/300/60/30/75000 -=1/5/0/5/1 todo=1/1/0/2/0 ");
}

TEST_F(usage_store, a_day_begins_in_the_configured_zone) {
    auto const in_utc = read(usage_key::day);
    auto const kept = run_blocking(database.options(), [](transaction& tx) {
        keep_timezone(tx, "Europe/Berlin");
    });
    auto const unknown = run_blocking(database.options(), [](transaction& tx) {
        keep_timezone(tx, "Europe/Berln");
    });

    EXPECT_EQ(in_utc, "2026-11-22=1/5/0/5/1 2026-11-20=3/301/60/32/75000 ");
    ASSERT_TRUE(kept);
    EXPECT_FALSE(unknown);
    EXPECT_EQ(
        read(usage_key::day),
        "2026-11-22=1/5/0/5/1 2026-11-21=2/201/0/22/50000 2026-11-20=1/100/60/10/25000 "
    );
}

// covers: E.21
TEST_F(usage_store, absurd_reports_leave_the_usage_of_all_readable) {
    database.execute(
        R"(update postrider.step set usage = usage || '{"tokens_in": 9223372036854775807,
        "tokens_out": 9223372036854775807, "cost_micro": 9223372036854775807}' where job_id <> 43)"
    );
    std::string const most = "9223372036854775807";

    auto const users = read(usage_key::user);
    auto const days = read(usage_key::day);

    EXPECT_THAT(users, testing::HasSubstr("7=2/" + most + "/60/" + most + "/" + most));
    EXPECT_THAT(users, testing::HasSubstr("-=1/5/0/5/1 "));
    EXPECT_THAT(days, testing::HasSubstr("2026-11-22=1/5/0/5/1 "));
}

TEST_F(usage_store, what_a_call_does_not_tell_is_none) {
    database.execute(R"(update postrider.step set usage = '{"tokens_out": 4}' where job_id = 43)");
    database.execute(R"(update postrider.step set usage = '{"tokens_in": 3}' where job_id = 42)");

    EXPECT_EQ(read(usage_key::user), "7=2/300/60/30/75000 8=1/3/0/0/0 -=1/0/0/4/0 ");
}

TEST_F(usage_store, leaves_out_the_days_before) {
    database.execute("update postrider.step set ended_at = postrider.now() where job_id = 43");

    EXPECT_EQ(read(usage_key::user, 1), "-=1/5/0/5/1 ");
}

} // namespace
} // namespace postrider::storage::usage_test
