// The instants that texts mean.
#include "agent/reminders/moment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::moment_test {
namespace {

using testing::HasSubstr;

// A Monday noon in Berlin.
base::sys_time const now = base::from_iso8601("2026-11-23T11:00:00Z").value();

base::result<base::sys_time> read(std::string_view text, std::string_view zone = "Europe/Berlin") {
    return read_moment(text, now, base::find_time_zone(zone).value());
}

struct said {
    std::string_view words;
    std::string_view instant;
};

class moment_words : public testing::TestWithParam<said> {};

// covers: X.03
TEST_P(moment_words, are_an_instant) {
    auto const at = read(GetParam().words);

    ASSERT_TRUE(at) << at.error().detail;
    EXPECT_EQ(base::to_iso8601(*at), GetParam().instant);
}

INSTANTIATE_TEST_SUITE_P(
    all,
    moment_words,
    testing::Values(
        said{"in 10 minutes", "2026-11-23T11:10:00Z"},
        said{"in 2 hours", "2026-11-23T13:00:00Z"},
        said{"tomorrow at 9", "2026-11-24T08:00:00Z"},
        said{"tomorrow", "2026-11-24T08:00:00Z"},
        said{"next friday at 18:30", "2026-11-27T17:30:00Z"},
        said{"at 9am", "2026-11-24T08:00:00Z"},
        said{"morgen um 9 Uhr", "2026-11-24T08:00:00Z"},
        said{"2026-12-24 18:00", "2026-12-24T17:00:00Z"},
        said{"2026-12-24T18:00:00", "2026-12-24T17:00:00Z"},
        said{"2026-12-24T18:00:00Z", "2026-12-24T18:00:00Z"},
        said{"2026-12-24T18:00:00+05:00", "2026-12-24T13:00:00Z"},
        said{"2026-12-24", "2026-12-24T08:00:00Z"}
    )
);

TEST(moment, is_meant_by_the_wall_clock_of_the_zone) {
    EXPECT_EQ(
        base::to_iso8601(read("tomorrow at 9", "Asia/Tokyo").value()), "2026-11-24T00:00:00Z"
    );
}

TEST(moment, that_has_passed_tells_what_time_it_is) {
    for (auto const* text : {"2026-11-23T11:59", "2026-11-23T11:00:00Z", "2020-01-01"}) {
        auto const at = read(text);
        ASSERT_FALSE(at) << text;
        EXPECT_EQ(at.error(), base::errc::invalid);
        EXPECT_THAT(at.error().detail, HasSubstr("2026-11-23T12:00:00+01:00")) << text;
    }
}

TEST(moment, that_is_none_tells_what_to_write) {
    for (auto const* text : {"soon", "every monday at 9", "", "in a bit"}) {
        auto const at = read(text);
        ASSERT_FALSE(at) << text;
        EXPECT_THAT(at.error().detail, HasSubstr("tomorrow at 9")) << text;
    }
}

TEST(moment, is_bounded) {
    auto const at = read("2040-01-01T00:00");

    ASSERT_FALSE(at);
    EXPECT_THAT(at.error().detail, HasSubstr("too far away"));
}

} // namespace
} // namespace postrider::agent::moment_test
