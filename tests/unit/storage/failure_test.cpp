#include "storage/pg/failure.hpp"

#include <gtest/gtest.h>

namespace postrider::storage::pg::failure_test {
namespace {

using base::errc;

struct known {
    std::string_view sqlstate;
    errc code;
};

class sqlstates : public testing::TestWithParam<known> {};

TEST_P(sqlstates, are_one_of_our_failures) {
    EXPECT_EQ(code_of(GetParam().sqlstate), GetParam().code) << GetParam().sqlstate;
}

INSTANTIATE_TEST_SUITE_P(
    all,
    sqlstates,
    testing::Values(
        known{"22P05", errc::poison},      // untranslatable character
        known{"22003", errc::poison},      // out of range
        known{"23505", errc::poison},      // unique violation
        known{"54001", errc::poison},      // JSON nested too deep
        known{"40001", errc::conflict},    // serialisation failure
        known{"40P01", errc::conflict},    // deadlock
        known{"55P03", errc::conflict},    // lock not available
        known{"PR001", errc::stale},       // postrider.lane_differs
        known{"PR002", errc::not_found},   // postrider.lane_refuses
        known{"57014", errc::timeout},     // statement_timeout
        known{"57P01", errc::unavailable}, // shut down
        known{"57P03", errc::unavailable}, // starting up
        known{"08006", errc::unavailable}, // connection failure
        known{"53300", errc::unavailable}, // too many connections
        known{"53100", errc::unavailable}, // disk full
        known{"25006", errc::unavailable}, // read only: demoted
        known{"25P03", errc::unavailable}, // idle in transaction
        known{"42601", errc::internal},    // syntax
        known{"42P01", errc::internal},    // no such table
        known{"25P02", errc::internal},    // in a failed transaction
        known{"P0001", errc::internal},
        known{"", errc::internal}
    )
);

TEST(sqlstates, that_quote_values_are_not_shown) {
    EXPECT_FALSE(message_is_harmless("22P02"));
    EXPECT_FALSE(message_is_harmless("22003"));
    EXPECT_TRUE(message_is_harmless("42P01"));
}

TEST(sqlstates, of_a_missing_right_are_told_without_the_statement) {
    EXPECT_EQ(
        denial("42501 in pause_all: permission denied for table pause: role rider may not do that"),
        "permission denied for table pause: role rider may not do that"
    );
    EXPECT_EQ(denial("42P01 in pause_all: no such table"), std::nullopt);
    EXPECT_EQ(denial("42501 in pause_all"), std::nullopt);
}

TEST(sqlstates, of_a_dying_session_end_the_connection) {
    EXPECT_TRUE(ends_connection("57P01"));
    EXPECT_TRUE(ends_connection("25006"));
    EXPECT_TRUE(ends_connection("25P03"));
    EXPECT_FALSE(ends_connection("25P02"));
    EXPECT_FALSE(ends_connection("40001"));
}

} // namespace
} // namespace postrider::storage::pg::failure_test
