// Instants and durations: what they are made of, and what is computed with them.
#include "tests/unit/agent/expression/shown.hpp"

#include <gmock/gmock.h>

namespace postrider::agent::time_test {
namespace {

using testing::HasSubstr;

// covers: S3.18
TEST(expression_time, computes_with_operators) {
    expect_shown({
        {"$now + duration('1h30m')", R"("2026-11-21T17:00:00Z")"},
        {"duration('1d') + $now", R"("2026-11-22T15:30:00Z")"},
        {"$now - duration('250ms')", R"("2026-11-21T15:29:59.75Z")"},
        {"timestamp($json.at) + 60", R"("2026-11-21T10:01:00Z")"},
        {"$now - $json.at", "19800"},
        {"($now - $json.at).getHours()", "5"},
        {"2 * duration('1h') + duration('30m')", "9000"},
        {"$now + 2 * duration('1h')", R"("2026-11-21T17:30:00Z")"},
        {"$now - duration('1h') / 2", R"("2026-11-21T15:00:00Z")"},
        {"duration('1h') / duration('20m')", "3"},
        {"-duration('1h') < duration('0s')", "true"},
        {"timestamp($json.at) < $now", "true"},
        {"timestamp('2026-11-21T16:30:00+01:00') == $now", "true"},
        {"timestamp('2026-11-21T10:00:00.5Z') > timestamp($json.at)", "true"},
        {"[duration('1h'), duration('2h')].sum()", "10800"},
        {"cel.bind(d, duration('90m'), string(d))", R"("5400s")"},
        {"'at ' + timestamp(0)", R"("at 1970-01-01T00:00:00Z")"},
    });
    EXPECT_THAT(shown("$json.name + duration('1h')"), HasSubstr("not string and number"));
    EXPECT_THAT(shown("'b' - 'a'"), HasSubstr("`-` needs two numbers"));
    EXPECT_THAT(shown("$now + '1h'"), HasSubstr("1h")) << "two strings are joined";
}

TEST(expression_time, reads_dates_local_times_and_formats) {
    expect_shown({
        {"timestamp('2026-11-21')", R"("2026-11-21T00:00:00Z")"},
        {"timestamp('2026-11-21', 'Europe/Berlin')", R"("2026-11-20T23:00:00Z")"},
        {"timestamp('2026-07-01T09:30', 'Europe/Berlin')", R"("2026-07-01T07:30:00Z")"},
        {"timestamp('2026-07-01 09:30:15', '+02:00')", R"("2026-07-01T07:30:15Z")"},
        {"timestamp('2026-07-01T09:30:00Z', 'Europe/Berlin')", R"("2026-07-01T09:30:00Z")"},
        {"timestamp('21.11.2026', '%d.%m.%Y')", R"("2026-11-21T00:00:00Z")"},
        {"timestamp('21 Nov 2026 4:05 PM', '%d %b %Y %I:%M %p', 'America/New_York')",
         R"("2026-11-21T21:05:00Z")"},
        {"timestamp('2026-11-21 10:00 +0100', '%Y-%m-%d %H:%M %z')", R"("2026-11-21T09:00:00Z")"},
        {"'2026-11-21'.getDayOfWeek()", "6"},
    });
    EXPECT_THAT(shown("timestamp('21.11.2026')"), HasSubstr("no instant"));
    EXPECT_THAT(shown("timestamp('31.02.2026', '%d.%m.%Y')"), HasSubstr("no time in that format"));
    EXPECT_THAT(shown("timestamp('21.11.', '%d.%m.%Y')"), HasSubstr("no time in that format"));
    EXPECT_THAT(shown("timestamp('1.1.2026 x', '%d.%m.%Y')"), HasSubstr("no time in that format"));
    EXPECT_THAT(shown("timestamp('1795275000', '%s')"), HasSubstr("a format to read has"));
    EXPECT_THAT(shown("timestamp('2026-11-21', 'Mars')"), HasSubstr("no such time zone"));
}

// The clocks of Berlin go forward on 29 March 2026, and back on 25 October.
TEST(expression_time, goes_by_the_calendar_of_a_zone) {
    expect_shown({
        {"$now.startOf('minute')", R"("2026-11-21T15:30:00Z")"},
        {"$now.startOf('month')", R"("2026-11-01T00:00:00Z")"},
        {"$now.startOf('quarter')", R"("2026-10-01T00:00:00Z")"},
        {"$now.startOf('years')", R"("2026-01-01T00:00:00Z")"},
        {"'2026-11-22T10:00:00Z'.startOf('week')", R"("2026-11-16T00:00:00Z")"},
        {"'2026-11-23T00:00:00Z'.startOf('week')", R"("2026-11-23T00:00:00Z")"},
        {"'2026-03-29T12:00:00Z'.startOf('day', 'Europe/Berlin')", R"("2026-03-28T23:00:00Z")"},
        {"'2026-03-28T11:00:00Z'.plus(1, 'day', 'Europe/Berlin')", R"("2026-03-29T10:00:00Z")"},
        {"'2026-03-28T11:00:00Z'.plus(duration('1d'))", R"("2026-03-29T11:00:00Z")"},
        {"'2026-03-28T01:30:00Z'.plus(1, 'day', 'Europe/Berlin')", R"("2026-03-29T01:00:00Z")"},
        {"'2026-01-31T08:00:00Z'.plus(1, 'months')", R"("2026-02-28T08:00:00Z")"},
        {"'2024-02-29T08:00:00Z'.minus(1, 'year')", R"("2023-02-28T08:00:00Z")"},
        {"$now.plus(1.5, 'hours')", R"("2026-11-21T17:00:00Z")"},
        {"$now.plus('2h')", R"("2026-11-21T17:30:00Z")"},
        {"$now.startOf('day').plus(1, 'week').minus(1, 'second')", R"("2026-11-27T23:59:59Z")"},
    });
    EXPECT_THAT(shown("$now.startOf('fortnight')"), HasSubstr("a unit is one of"));
    EXPECT_THAT(shown("$now.plus(1.5, 'days')"), HasSubstr("must be whole"));
    EXPECT_THAT(shown("$now.plus(9000, 'years')"), HasSubstr("beyond the year 9999"));
    EXPECT_THAT(shown("$now.plus(65536, 'years')"), HasSubstr("beyond the year 9999"));
    EXPECT_THAT(shown("$now.plus(1e300, 'days')"), HasSubstr("beyond the year 9999"));
    EXPECT_THAT(shown("$now.plus(1e300, 'hours')"), HasSubstr("beyond the year 9999"));
}

TEST(expression_time, formats_by_letters_and_refuses_what_has_none) {
    expect_shown({
        {"$now.format('%Y week %V, %H:%M:%S.%L')", R"("2026 week 47, 15:30:00.000")"},
        {"'2027-01-02T00:00:00Z'.format('%V')", R"("53")"},
        {"'2026-12-31T00:00:00Z'.format('%V')", R"("53")"},
        {"'2025-12-29T00:00:00Z'.format('%V')", R"("01")"},
    });
    EXPECT_THAT(shown("$now.format('yyyy-MM-dd HH:mm')"), HasSubstr("`%Y-%m-%d %H:%M`?"));
    EXPECT_THAT(shown("$now.format('today')"), HasSubstr("formats nothing; one is such as"));
    EXPECT_THAT(shown("timestamp('1.2.2026', 'dd.MM.yyyy', 'UTC')"), HasSubstr("`%d.%m.%Y`?"));
}

TEST(expression_time, sorts_by_instants) {
    EXPECT_EQ(
        shown("['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.5Z', '2026-01-01T00:30:00+01:00']"
              ".sortBy(t, timestamp(t)).map(t, timestamp(t).getMilliseconds())"),
        "[0,0,500]"
    );
}

} // namespace
} // namespace postrider::agent::time_test
