#include "base/cron.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::base::cron_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

cron expression(std::string_view text) {
    return cron::parse(text).value();
}

// The next `count` times after the instant, as the zone's clocks show them.
std::vector<std::string> times(
    std::string_view text, std::string_view zone_name, std::string_view after, int count
) {
    auto const zone = find_time_zone(zone_name).value();
    auto const cron = expression(text);
    std::vector<std::string> found;
    std::optional<sys_time> t = from_iso8601(after).value();
    for (int n = 0; n < count && (t = cron.next(*t, zone)); ++n)
        found.push_back(to_iso8601(*t, zone));
    return found;
}

std::vector<std::string> in_utc(std::string_view text, std::string_view after, int count) {
    return times(text, "UTC", after, count);
}

// covers: E.13
TEST(cron, finds_the_next_times) {
    EXPECT_THAT(
        in_utc("30 9 * * *", "2026-11-21T09:30:00Z", 2),
        ElementsAre("2026-11-22T09:30:00Z", "2026-11-23T09:30:00Z")
    );
    EXPECT_THAT(
        in_utc("*/20 9-10 * * *", "2026-11-21T09:30:00Z", 4),
        ElementsAre(
            "2026-11-21T09:40:00Z",
            "2026-11-21T10:00:00Z",
            "2026-11-21T10:20:00Z",
            "2026-11-21T10:40:00Z"
        )
    );
    EXPECT_THAT(
        in_utc("0 8 * jan,Jul MON-fri", "2026-01-30T08:00:00Z", 2),
        ElementsAre("2026-07-01T08:00:00Z", "2026-07-02T08:00:00Z")
    );
    EXPECT_THAT(
        in_utc("0 0 * * 7", "2026-11-21T00:00:00Z", 2),
        ElementsAre("2026-11-22T00:00:00Z", "2026-11-29T00:00:00Z")
    );
    EXPECT_THAT(
        in_utc("0 0 * * sat-sun", "2026-11-20T00:00:00Z", 3),
        ElementsAre("2026-11-21T00:00:00Z", "2026-11-22T00:00:00Z", "2026-11-28T00:00:00Z")
    );
    EXPECT_THAT(
        in_utc("15,45 */30 9 ? * *", "2026-11-21T09:00:15Z", 3),
        ElementsAre("2026-11-21T09:00:45Z", "2026-11-21T09:30:15Z", "2026-11-21T09:30:45Z")
    );
    EXPECT_THAT(
        in_utc("0 12 L * *", "2026-11-21T00:00:00Z", 4),
        ElementsAre(
            "2026-11-30T12:00:00Z",
            "2026-12-31T12:00:00Z",
            "2027-01-31T12:00:00Z",
            "2027-02-28T12:00:00Z"
        )
    );
}

TEST(cron, is_strictly_after_and_drops_fractions) {
    auto const zone = find_time_zone("UTC").value();
    auto const noon = from_iso8601("2026-11-21T12:00:00Z").value();

    EXPECT_EQ(expression("0 12 * * *").next(noon, zone), noon + std::chrono::hours{24});
    EXPECT_EQ(expression("0 12 * * *").next(noon - 1us, zone), noon);
    EXPECT_EQ(expression("* * * * * *").next(noon + 1us, zone), noon + 1s);
}

TEST(cron, names_stand_for_whole_expressions) {
    for (auto [name, next] : std::map<std::string, std::string>{
             {"@hourly", "2026-11-21T13:00:00Z"},
             {"@daily", "2026-11-22T00:00:00Z"},
             {"@midnight", "2026-11-22T00:00:00Z"},
             {"@weekly", "2026-11-22T00:00:00Z"},
             {"@Monthly", "2026-12-01T00:00:00Z"},
             {"@yearly", "2027-01-01T00:00:00Z"},
             {"@annually", "2027-01-01T00:00:00Z"}})
        EXPECT_THAT(in_utc(name, "2026-11-21T12:30:00Z", 1), ElementsAre(next)) << name;
}

// The 13th is a Sunday in December 2026, the 18th a Friday.
TEST(cron, either_day_field_is_enough_when_both_are_restricted) {
    EXPECT_THAT(
        in_utc("0 0 13 * fri", "2026-12-05T00:00:00Z", 3),
        ElementsAre("2026-12-11T00:00:00Z", "2026-12-13T00:00:00Z", "2026-12-18T00:00:00Z")
    );
    EXPECT_THAT(
        in_utc("0 0 */13 * fri", "2026-12-05T00:00:00Z", 1), ElementsAre("2027-01-01T00:00:00Z")
    );
}

TEST(cron, knows_leap_years) {
    EXPECT_THAT(
        in_utc("0 0 29 2 *", "2026-01-01T00:00:00Z", 2),
        ElementsAre("2028-02-29T00:00:00Z", "2032-02-29T00:00:00Z")
    );
    EXPECT_THAT(
        in_utc("0 0 29 2 *", "2096-03-01T00:00:00Z", 1), ElementsAre("2104-02-29T00:00:00Z")
    );
    EXPECT_THAT(
        in_utc("0 0 L 2 *", "2027-12-01T00:00:00Z", 2),
        ElementsAre("2028-02-29T00:00:00Z", "2029-02-28T00:00:00Z")
    );
}

struct mistake {
    std::string_view text;
    std::string_view complaint;
};

TEST(cron, a_mistake_is_told_with_its_field_and_column) {
    for (auto [text, complaint] :
         {mistake{"", "0 fields"},
          mistake{"* * * *", "4 fields"},
          mistake{"* * * * * * *", "7 fields"},
          mistake{"60 * * * *", "minute (column 1): 60 is not within 0-59"},
          mistake{"0 24 * * *", "hour (column 3): 24 is not within 0-23"},
          mistake{"0 0 0 * *", "day-of-month (column 5): 0 is not within 1-31"},
          mistake{"0 0 1 13 *", "month (column 7): 13 is not within 1-12"},
          mistake{"0 0 * * 8", "day-of-week (column 9): 8 is not within 0-7"},
          mistake{"0 0 * * fun", "day-of-week (column 9): 'fun' is no number or name"},
          mistake{"0 0 1,x * *", "day-of-month (column 7): 'x' is no number"},
          mistake{"0  1,,2 * * *", "hour (column 6): a value is missing"},
          mistake{"5-1 * * * *", "minute (column 1): 5-1 runs backwards"},
          mistake{"1- * * * *", "minute (column 3): a value is missing"},
          mistake{"-1 * * * *", "minute (column 1): a value is missing"},
          mistake{"5/10 * * * *", "a step needs a range: write 5-59/"},
          mistake{"*/0 * * * *", "minute (column 3): a step is a number from 1 on"},
          mistake{"*/x * * * *", "minute (column 3): a step is"},
          mistake{"*/70 * * * *", "minute (column 3): a step of 70 leaves the range"},
          mistake{"0 0 LW * *", "'LW' is no number"},
          mistake{"L * * * *", "minute (column 1): 'L' is no number"},
          mistake{"99999999999 * * * *", "is not within 0-59"},
          mistake{"@reboot", "@hourly"},
          mistake{"0 0 30 2 *", "never runs"},
          mistake{"0 0 31 4,6,9,11 *", "never runs"}}) {
        auto read = cron::parse(text);
        ASSERT_FALSE(read) << text;
        EXPECT_EQ(read.error(), errc::invalid);
        EXPECT_THAT(read.error().detail, HasSubstr(complaint)) << text;
    }
    EXPECT_FALSE(cron::parse(std::string(300, ' ') + "* * * * *"));
}

TEST(cron, a_skipped_time_runs_right_after_the_gap_and_once) {
    EXPECT_THAT(
        times("30 2 * * *", "Europe/Berlin", "2026-03-28T00:00:00Z", 3),
        ElementsAre(
            "2026-03-28T02:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-30T02:30:00+02:00"
        )
    );
    EXPECT_THAT(
        times("10,20,50 2,3 * * *", "America/New_York", "2026-03-08T00:00:00-05:00", 3),
        ElementsAre(
            "2026-03-08T03:00:00-04:00", "2026-03-08T03:10:00-04:00", "2026-03-08T03:20:00-04:00"
        )
    );
    EXPECT_THAT(
        times("15 2 * * *", "Australia/Lord_Howe", "2026-10-03T00:00:00Z", 2),
        ElementsAre("2026-10-04T02:30:00+11:00", "2026-10-05T02:15:00+11:00")
    );
}

TEST(cron, a_repeated_hour_runs_fixed_times_once) {
    EXPECT_THAT(
        times("30 2 * * *", "Europe/Berlin", "2026-10-24T12:00:00Z", 2),
        ElementsAre("2026-10-25T02:30:00+02:00", "2026-10-26T02:30:00+01:00")
    );
    // Asked within the second pass, too.
    EXPECT_THAT(
        times("15,45 2 * * *", "Europe/Berlin", "2026-10-25T02:20:00+01:00", 1),
        ElementsAre("2026-10-26T02:15:00+01:00")
    );
    EXPECT_THAT(
        times("45 1 * * *", "Australia/Lord_Howe", "2026-04-04T12:00:00Z", 2),
        ElementsAre("2026-04-05T01:45:00+11:00", "2026-04-06T01:45:00+10:30")
    );
}

TEST(cron, intervals_go_by_real_time_through_both_changes) {
    EXPECT_THAT(
        times("30 * * * *", "Europe/Berlin", "2026-03-29T01:30:00+01:00", 2),
        ElementsAre("2026-03-29T03:30:00+02:00", "2026-03-29T04:30:00+02:00")
    );
    EXPECT_THAT(
        times("0 */1 * * *", "America/New_York", "2026-11-01T00:30:00-04:00", 3),
        ElementsAre(
            "2026-11-01T01:00:00-04:00", "2026-11-01T01:00:00-05:00", "2026-11-01T02:00:00-05:00"
        )
    );
    EXPECT_THAT(
        times("*/20 1 * * *", "Australia/Lord_Howe", "2026-04-05T01:30:00+11:00", 3),
        ElementsAre(
            "2026-04-05T01:40:00+11:00", "2026-04-05T01:40:00+10:30", "2026-04-06T01:00:00+10:30"
        )
    );
}

TEST(cron, a_zone_without_changes_is_only_shifted) {
    EXPECT_THAT(
        times("0 6 * * *", "Asia/Kathmandu", "2026-11-21T00:15:00Z", 2),
        ElementsAre("2026-11-22T06:00:00+05:45", "2026-11-23T06:00:00+05:45")
    );
}

// The definition, minute by minute: what an oracle would run between two instants.
std::vector<sys_time> walked(
    cron const& runs_by, time_zone const& zone, sys_time from, sys_time to
) {
    std::vector<sys_time> found;
    auto offset = zone.period_at(from).offset;
    for (auto t = from; t < to; t += 1min) {
        auto const now = zone.period_at(t).offset;
        auto const wall =
            local_seconds{std::chrono::floor<std::chrono::seconds>(t + now).time_since_epoch()};
        bool runs = runs_by.matches(wall);
        if (!runs_by.by_real_time()) {
            for (auto skipped = wall - (now - offset); skipped < wall; skipped += 1min)
                runs = runs || runs_by.matches(skipped);
            if (zone.at_local(wall).first < t) runs = false; // its second coming
        }
        if (runs) found.push_back(t);
        offset = now;
    }
    return found;
}

struct stretch {
    char const* zone;
    char const* from; // some days around a change
};

TEST(cron, agrees_with_a_walk_over_every_minute) {
    for (auto [name, begin] :
         {stretch{"UTC", "2026-02-26T00:00:00Z"},
          stretch{"Europe/Berlin", "2026-03-27T00:00:00Z"},
          stretch{"Europe/Berlin", "2026-10-23T00:00:00Z"},
          stretch{"America/New_York", "2026-03-06T00:00:00Z"},
          stretch{"America/New_York", "2026-10-30T00:00:00Z"},
          stretch{"Australia/Lord_Howe", "2026-04-03T00:00:00Z"},
          stretch{"Australia/Lord_Howe", "2026-10-02T00:00:00Z"},
          stretch{"Asia/Kathmandu", "2026-12-30T00:00:00Z"},
          stretch{"Pacific/Apia", "2011-12-29T00:00:00Z"}}) { // where a whole day was skipped
        auto const zone = find_time_zone(name).value();
        auto const from = from_iso8601(begin).value();
        for (auto text :
             {"* * * * *",
              "*/7 * * * *",
              "0 * * * *",
              "30 2 * * *",
              "0,15,30,45 1-3 * * *",
              "59 1,2 * * *",
              "0 0,2,3 * * *",
              "*/10 2 * * *",
              "5 2 * * sun",
              "1 */3 1 * sun",
              "17 23 L * *"}) {
            auto const cron = expression(text);
            std::vector<sys_time> found;
            auto t = cron.next(from - 1us, zone);
            for (; t && *t < from + 96h; t = cron.next(*t, zone)) {
                ASSERT_TRUE(found.empty() || *t > found.back());
                found.push_back(*t);
            }
            EXPECT_EQ(found, walked(cron, zone, from, from + 96h)) << name << ": " << text;
        }
    }
}

} // namespace
} // namespace postrider::base::cron_test
