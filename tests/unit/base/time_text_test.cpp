#include "base/time_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::base::time_text_test {
namespace {

using testing::HasSubstr;

sys_time const now = from_iso8601("2026-11-28T04:30:15Z").value();

std::string read(std::string_view text, std::string_view zone = "UTC") {
    auto const time = time_from_text(text, now, find_time_zone(zone).value());
    return time ? to_iso8601(*time) : time.error().detail;
}

struct reading {
    std::string_view text;
    std::string_view instant;
};

TEST(time_text, reads_what_people_write_for_a_point_in_time) {
    for (auto const& [text, instant] : {
             reading{"now", "2026-11-28T04:30:15Z"},
             reading{"2h ago", "2026-11-28T02:30:15Z"},
             reading{"2h", "2026-11-28T02:30:15Z"},
             reading{"2 hours ago", "2026-11-28T02:30:15Z"},
             reading{"1 Hour 30 minutes ago", "2026-11-28T03:00:15Z"},
             reading{"1h30min ago", "2026-11-28T03:00:15Z"},
             reading{"3 days ago", "2026-11-25T04:30:15Z"},
             reading{"1 week ago", "2026-11-21T04:30:15Z"},
             reading{"an hour ago", "2026-11-28T03:30:15Z"},
             reading{"a week ago", "2026-11-21T04:30:15Z"},
             reading{"two hours ago", "2026-11-28T02:30:15Z"},
             reading{"twelve minutes ago", "2026-11-28T04:18:15Z"},
             reading{"half an hour ago", "2026-11-28T04:00:15Z"},
             reading{"half a day ago", "2026-11-27T16:30:15Z"},
             reading{"a half hour ago", "2026-11-28T04:00:15Z"},
             reading{"an hour and a half ago", "2026-11-28T03:00:15Z"},
             reading{"one and a half hours ago", "2026-11-28T03:00:15Z"},
             reading{"a couple of hours ago", "2026-11-28T02:30:15Z"},
             reading{"1 hour and 30 minutes ago", "2026-11-28T03:00:15Z"},
             reading{"1.5h ago", "2026-11-28T03:00:15Z"},
             reading{"0.5 days ago", "2026-11-27T16:30:15Z"},
             reading{"in two hours", "2026-11-28T06:30:15Z"},
             reading{"last monday", "2026-11-23T00:00:00Z"},
             reading{"Last Friday at 14:00", "2026-11-27T14:00:00Z"},
             reading{"last saturday", "2026-11-21T00:00:00Z"},
             reading{"last sunday evening", "2026-11-22T18:00:00Z"},
             reading{"this morning", "2026-11-28T06:00:00Z"},
             reading{"this afternoon", "2026-11-28T12:00:00Z"},
             reading{"yesterday evening", "2026-11-27T18:00:00Z"},
             reading{"today at noon", "2026-11-28T12:00:00Z"},
             reading{"1 month ago", "2026-10-29T04:30:15Z"},
             reading{"yesterday 9am", "2026-11-27T09:00:00Z"},
             reading{"yesterday at 9:30 PM", "2026-11-27T21:30:00Z"},
             reading{"12am", "2026-11-28T00:00:00Z"},
             reading{"12:15pm", "2026-11-28T12:15:00Z"},
             reading{"in 10 min", "2026-11-28T04:40:15Z"},
             reading{"today", "2026-11-28T00:00:00Z"},
             reading{"yesterday", "2026-11-27T00:00:00Z"},
             reading{"yesterday 14:00", "2026-11-27T14:00:00Z"},
             reading{"Yesterday at 9:05", "2026-11-27T09:05:00Z"},
             reading{"tomorrow 14:00:30", "2026-11-29T14:00:30Z"},
             reading{"03:00", "2026-11-28T03:00:00Z"},
             reading{"2026-11-21", "2026-11-21T00:00:00Z"},
             reading{" 2026-11-21 14:00 ", "2026-11-21T14:00:00Z"},
             reading{"2026-11-21T14:00", "2026-11-21T14:00:00Z"},
             reading{"2026-11-21T14:00:00Z", "2026-11-21T14:00:00Z"},
             reading{"2026-11-21T14:00Z", "2026-11-21T14:00:00Z"},
             reading{"2026-11-21T14:00+02:00", "2026-11-21T12:00:00Z"},
             reading{"2026-11-21T14:00:00.5-0100", "2026-11-21T15:00:00Z"},
         })
        EXPECT_EQ(read(text), instant) << text;
}

TEST(time_text, reads_a_wall_clock_in_its_zone) {
    EXPECT_EQ(read("yesterday 14:00", "Europe/Berlin"), "2026-11-27T13:00:00Z");
    EXPECT_EQ(read("2026-11-21", "Europe/Berlin"), "2026-11-20T23:00:00Z");
    EXPECT_EQ(read("today", "Pacific/Auckland"), "2026-11-27T11:00:00Z");
    EXPECT_EQ(read("2h ago", "Europe/Berlin"), "2026-11-28T02:30:15Z");
}

TEST(time_text, refuses_the_rest_and_says_what_it_accepts) {
    for (std::string_view const text :
         {"",
          " ",
          "soon",
          "ago",
          "in",
          "2",
          "2h later",
          "in 2h ago",
          "-2h",
          "2 fortnights ago",
          "half ago",
          "two ago",
          "a half",
          "1.5.2h ago",
          "1.h2 ago",
          ".5h ago",
          "hours ago",
          "last",
          "last week",
          "last monday the 3rd",
          "this",
          "this 14:00",
          "this morning 9:00",
          "morning",
          "yesterday 25:00",
          "25:00",
          "2026-13-01",
          "2026-11-21T14",
          "2026-11-21T14:00 CET",
          "99999999999h ago",
          "999999999w ago",
          "2026"}) {
        auto const time = time_from_text(text, now);
        ASSERT_FALSE(time) << text;
        EXPECT_TRUE(time.error() == errc::invalid);
        EXPECT_THAT(time.error().detail, HasSubstr("\"2h ago\"")) << text;
    }
}

} // namespace
} // namespace postrider::base::time_text_test
