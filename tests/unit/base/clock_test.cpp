#include "base/clock.hpp"

#include <gtest/gtest.h>

namespace postrider::base::clock_test {
namespace {

using std::chrono::microseconds;
using std::chrono::seconds;

sys_time at(std::int64_t unix_seconds, microseconds more = 0us) {
    return sys_time{seconds{unix_seconds}} + more;
}

// The instants are from `date -u -d … +%s`.
TEST(iso8601, is_written_in_utc) {
    EXPECT_EQ(to_iso8601(at(0)), "1970-01-01T00:00:00Z");
    EXPECT_EQ(to_iso8601(at(1'795'251'180)), "2026-11-21T08:53:00Z");
    EXPECT_EQ(to_iso8601(at(1'709'164'800)), "2024-02-29T00:00:00Z");
    EXPECT_EQ(to_iso8601(at(-1)), "1969-12-31T23:59:59Z");
}

TEST(iso8601, microseconds_are_written_only_when_asked_for_and_not_zero) {
    EXPECT_EQ(to_iso8601(at(0, 1'500us)), "1970-01-01T00:00:00Z");
    EXPECT_EQ(to_iso8601(at(0, 1'500us), true), "1970-01-01T00:00:00.001500Z");
    EXPECT_EQ(to_iso8601(at(0), true), "1970-01-01T00:00:00Z");
    EXPECT_EQ(to_iso8601(at(-1, 999'999us), true), "1969-12-31T23:59:59.999999Z");
}

struct reading {
    char const* text;
    sys_time instant;
};

TEST(iso8601, is_read_with_fractions_and_zones) {
    reading const readings[] = {
        {"2026-11-21T08:53:00Z", at(1'795'251'180)},
        {"2026-11-21 08:53:00Z", at(1'795'251'180)},
        {"2026-11-21T08:53:00.25Z", at(1'795'251'180, 250'000us)},
        {"2026-11-21T08:53:00.123456789Z", at(1'795'251'180, 123'456us)},
        {"2026-11-21T10:53:00+02:00", at(1'795'251'180)},
        {"2026-11-21T10:53:00+02", at(1'795'251'180)},
        {"2026-11-21T14:23:00+0530", at(1'795'251'180)},
        {"2026-11-20T23:53:00-09:00", at(1'795'251'180)},
        {"2026-11-21T08:53:00-00:00", at(1'795'251'180)},
        {"2024-02-29T00:00:00Z", at(1'709'164'800)},
        {"1969-12-31T23:59:59Z", at(-1)},
    };
    for (auto const& [text, instant] : readings) EXPECT_EQ(from_iso8601(text), instant) << text;
}

TEST(iso8601, anything_else_is_refused) {
    for (auto text :
         {"",
          "now",
          "2026",
          "2026-11-21",
          "2026-11-21T08:53Z",
          "2026-11-21T08:53:00",
          "2026-11-21T08:53:00z",
          "2026-11-21T08:53:00Zjunk",
          "2026-11-21T08:53:00.Z",
          "2026-11-21T08:53:00+",
          "2026-11-21T08:53:00+2",
          "2026-11-21T08:53:00+02:",
          "2026-11-21T08:53:00+02:0",
          "2026-11-21T08:53:00+24:00",
          "2026-11-21T08:53:00+02:60",
          "2026-11-21T24:00:00Z",
          "2026-11-21T08:60:00Z",
          "2026-11-21T08:53:60Z",
          "2026-13-01T00:00:00Z",
          "2026-00-01T00:00:00Z",
          "2026-02-29T00:00:00Z",
          "2026-01-32T00:00:00Z",
          "-026-01-01T00:00:00Z",
          "2026-1-1T00:00:00Z",
          "2026-11-21T-8:53:00Z",
          "٢٠٢٦-11-21T08:53:00Z"})
        EXPECT_EQ(from_iso8601(text), std::nullopt) << text;
}

TEST(iso8601, reads_back_what_it_writes) {
    for (auto instant : {at(0), at(1'795'251'180, 7us), at(253'402'300'799), at(-62'135'596'800)})
        EXPECT_EQ(from_iso8601(to_iso8601(instant, true)), instant) << to_iso8601(instant, true);
}

TEST(durations, are_written_for_people) {
    EXPECT_EQ(to_text(0s), "0us");
    EXPECT_EQ(to_text(250us), "250us");
    EXPECT_EQ(to_text(250ms), "250ms");
    EXPECT_EQ(to_text(1500ms), "1.5s");
    EXPECT_EQ(to_text(10s), "10s");
    EXPECT_EQ(to_text(2min), "2min");
    EXPECT_EQ(to_text(90min), "1h 30min");
    EXPECT_EQ(to_text(49h + 61s), "2d 1h 1min 1s");
}

TEST(durations, are_read_with_their_units) {
    EXPECT_EQ(duration_from_text("250ms"), 250ms);
    EXPECT_EQ(duration_from_text("5us"), 5us);
    EXPECT_EQ(duration_from_text("10s"), 10s);
    EXPECT_EQ(duration_from_text("2min"), 2min);
    EXPECT_EQ(duration_from_text("2m"), 2min);
    EXPECT_EQ(duration_from_text("1h 30min"), 90min);
    EXPECT_EQ(duration_from_text("1h30min"), 90min);
    EXPECT_EQ(duration_from_text("7d"), 168h);
    EXPECT_EQ(duration_from_text(" 0s "), 0s);
}

TEST(durations, without_a_unit_or_out_of_range_are_refused) {
    for (auto text :
         {"",
          " ",
          "10",
          "s",
          "-1s",
          "+1s",
          "1 s",
          "1.5s",
          "1month",
          "10 apples",
          "1h,30min",
          "36501d",
          "36500d 36500d 36500d",
          "99999999999999999999s",
          "1000000001us"})
        EXPECT_EQ(duration_from_text(text), std::nullopt) << text;
}

TEST(manual_clock, moves_all_readings_together_and_only_when_told) {
    manual_clock clock{at(100)};
    auto const steady = clock.steady();
    auto const boot = clock.boot();
    EXPECT_EQ(clock.now(), at(100));
    EXPECT_EQ(clock.now(), at(100));
    clock.advance(1500ms);
    EXPECT_EQ(clock.now(), at(101, 500'000us));
    EXPECT_EQ(clock.steady() - steady, 1500ms);
    EXPECT_EQ(clock.boot() - boot, 1500ms);
}

TEST(system_clock, runs_forward_and_knows_the_century) {
    auto& clock = system_clock();
    EXPECT_GT(to_iso8601(clock.now()), "2024-01-01T00:00:00Z");
    auto const steady = clock.steady();
    auto const boot = clock.boot();
    EXPECT_GE(clock.steady(), steady);
    EXPECT_GE(clock.boot(), boot);
    EXPECT_GT(boot, 0ns);
}

} // namespace
} // namespace postrider::base::clock_test
