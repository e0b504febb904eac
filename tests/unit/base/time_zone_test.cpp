#include "base/time_zone.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::base::time_zone_test {
namespace {

using testing::HasSubstr;

sys_time utc(std::string_view text) {
    return from_iso8601(std::string(text) + "Z").value();
}

local_seconds wall(std::string_view text) {
    return local_from_iso8601(text).value();
}

time_zone zone(std::string_view name) {
    return find_time_zone(name).value();
}

struct reading {
    std::string_view zone;
    std::string_view instant;
    std::string_view text;
};

// covers: E.13
TEST(time_zone, tells_the_wall_clock_of_an_instant) {
    for (auto [name, instant, text] :
         {reading{"UTC", "2026-07-01T12:00:00", "2026-07-01T12:00:00Z"},
          reading{"Europe/Berlin", "2026-07-01T12:00:00", "2026-07-01T14:00:00+02:00"},
          reading{"Europe/Berlin", "2026-12-01T12:00:00", "2026-12-01T13:00:00+01:00"},
          reading{"America/New_York", "2026-12-01T03:00:00", "2026-11-30T22:00:00-05:00"},
          reading{"Asia/Kathmandu", "2026-12-01T12:00:00", "2026-12-01T17:45:00+05:45"},
          reading{"Australia/Lord_Howe", "2026-01-01T12:00:00", "2026-01-01T23:00:00+11:00"},
          reading{"Australia/Lord_Howe", "2026-07-01T12:00:00", "2026-07-01T22:30:00+10:30"},
          reading{"America/St_Johns", "2026-01-01T12:00:00", "2026-01-01T08:30:00-03:30"}})
        EXPECT_EQ(to_iso8601(utc(instant), zone(name)), text) << name;
}

// UTC is answered without the database.
TEST(time_zone, utc_is_as_the_database_has_it) {
    auto const own = zone("UTC");
    auto const read = zone("Etc/UTC");
    auto const local = wall("2026-07-01T14:00");

    EXPECT_EQ(own.name(), "UTC");
    EXPECT_EQ(own.to_local(utc("2026-07-01T14:00:00")), local);
    auto const period = own.period_at(utc("2026-07-01T12:00:00"));
    auto const expected = read.period_at(utc("2026-07-01T12:00:00"));
    EXPECT_EQ(period.begin, expected.begin);
    EXPECT_EQ(period.end, expected.end);
    EXPECT_EQ(period.offset, expected.offset);
    auto const answer = own.at_local(local);
    EXPECT_EQ(answer.occurrence, local_answer::kind::once);
    EXPECT_EQ(answer.first, utc("2026-07-01T14:00:00"));
    EXPECT_EQ(answer.last, answer.first);
    EXPECT_EQ(answer.behind, read.at_local(local).behind);
}

TEST(time_zone, an_ordinary_wall_clock_time_is_one_instant) {
    auto const answer = zone("Europe/Berlin").at_local(wall("2026-07-01T14:00"));

    EXPECT_EQ(answer.occurrence, local_answer::kind::once);
    EXPECT_EQ(answer.first, utc("2026-07-01T12:00:00"));
    EXPECT_EQ(answer.last, answer.first);
}

TEST(time_zone, a_skipped_time_is_told_with_the_instant_of_the_jump) {
    auto const berlin = zone("Europe/Berlin").at_local(wall("2026-03-29T02:30"));
    auto const lord_howe = zone("Australia/Lord_Howe").at_local(wall("2026-10-04T02:15"));

    EXPECT_EQ(berlin.occurrence, local_answer::kind::skipped);
    EXPECT_EQ(berlin.first, utc("2026-03-29T01:00:00"));
    EXPECT_EQ(berlin.behind, wall("2026-03-29T03:00"));
    EXPECT_EQ(lord_howe.occurrence, local_answer::kind::skipped);
    EXPECT_EQ(lord_howe.first, utc("2026-10-03T15:30:00"));
    EXPECT_EQ(lord_howe.behind, wall("2026-10-04T02:30"));
}

TEST(time_zone, a_doubled_time_is_told_with_both_instants) {
    auto const new_york = zone("America/New_York").at_local(wall("2026-11-01T01:30"));
    auto const lord_howe = zone("Australia/Lord_Howe").at_local(wall("2026-04-05T01:45"));

    EXPECT_EQ(new_york.occurrence, local_answer::kind::twice);
    EXPECT_EQ(new_york.first, utc("2026-11-01T05:30:00"));
    EXPECT_EQ(new_york.last, utc("2026-11-01T06:30:00"));
    EXPECT_EQ(new_york.behind, wall("2026-11-01T02:00"));
    EXPECT_EQ(lord_howe.occurrence, local_answer::kind::twice);
    EXPECT_EQ(lord_howe.last - lord_howe.first, std::chrono::minutes{30});
}

TEST(time_zone, the_edges_of_a_change_belong_to_the_new_offset) {
    auto const berlin = zone("Europe/Berlin");

    EXPECT_EQ(berlin.at_local(wall("2026-03-29T01:59:59")).occurrence, local_answer::kind::once);
    EXPECT_EQ(berlin.at_local(wall("2026-03-29T02:00")).occurrence, local_answer::kind::skipped);
    EXPECT_EQ(berlin.at_local(wall("2026-03-29T03:00")).occurrence, local_answer::kind::once);
    EXPECT_EQ(berlin.at_local(wall("2026-10-25T02:59:59")).occurrence, local_answer::kind::twice);
    EXPECT_EQ(berlin.at_local(wall("2026-10-25T03:00")).occurrence, local_answer::kind::once);
    EXPECT_EQ(berlin.period_at(utc("2026-03-29T00:59:59")).end, utc("2026-03-29T01:00:00"));
    EXPECT_EQ(berlin.period_at(utc("2026-03-29T01:00:00")).offset, std::chrono::hours{2});
}

struct slip {
    std::string_view written;
    std::string_view meant;
};

TEST(time_zone, an_unknown_name_is_refused_with_what_was_probably_meant) {
    for (auto [written, meant] :
         {slip{"europe/berlin", "Europe/Berlin"},
          slip{"Berlin", "Europe/Berlin"},
          slip{"new york", "America/New_York"},
          slip{"Europe/Berln", "Europe/Berlin"},
          slip{"Tokio", "Asia/Tokyo"}}) {
        auto found = find_time_zone(written);
        ASSERT_FALSE(found) << written;
        EXPECT_EQ(found.error(), errc::not_found);
        EXPECT_THAT(found.error().detail, HasSubstr("did you mean " + std::string(meant) + "?"));
    }
    for (auto name : {"", "Mars/Olympus_Mons_And_Beyond", "../../etc/passwd"}) {
        auto found = find_time_zone(name);
        ASSERT_FALSE(found) << name;
        EXPECT_EQ(found.error(), errc::not_found) << name;
    }
    EXPECT_FALSE(find_time_zone(std::string(10'000, 'x')));
}

TEST(time_zone, wall_clock_times_are_read_without_a_zone) {
    EXPECT_EQ(wall("2026-11-21 08:53"), wall("2026-11-21T08:53:00"));
    for (auto text : {"2026-11-21", "2026-11-21T08:53Z", "2026-11-21T25:00", "", "soon"})
        EXPECT_FALSE(local_from_iso8601(text)) << text;
}

} // namespace
} // namespace postrider::base::time_zone_test
