// Lengths of time, ends of days, and what has the form of a time and is none.
#include "agent/language/reading/understand.hpp"
#include "tests/unit/agent/language/request_text.hpp"
#include "tests/unit/agent/todo/task_shelf.hpp"

#include <gtest/gtest.h>

namespace postrider::agent::language::understand_times_test {
namespace {

struct row {
    std::string_view says;
    std::string_view means;
};

class understanding_times : public testing::TestWithParam<row> {};

TEST_P(understanding_times, follows_the_table) {
    EXPECT_EQ(understood(GetParam().says), GetParam().means) << GetParam().says;
}

constexpr row lengths[] = {
    {"remind me to stretch in 1h30", "create(stretch @2026-11-22T11:30:00+01:00)"},
    {"remind me to stretch in 2h15", "create(stretch @2026-11-22T12:15:00+01:00)"},
    {"remind me in 1h30 to stretch", "create(stretch @2026-11-22T11:30:00+01:00)"},
    {"remind me to stretch in 2h", "create(stretch @2026-11-22T12:00:00+01:00)"},
    {"add nap in 1h30m", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"add nap in 1h 30m", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"add nap 1h30 from now", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"add nap in 45min", "create(nap @2026-11-22T10:45:00+01:00)"},
    {"add nap in 1 hour and 30 minutes", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"add nap in 1.5 hours", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"add nap in 1.5h", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"add nap in an hour and a half", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"add nap in one and a half hours", "create(nap @2026-11-22T11:30:00+01:00)"},
    {"remind me to stretch in 90 seconds", "create(stretch @2026-11-22T10:01:30+01:00)"},
    {"remind me to stretch in 90s", "create(stretch @2026-11-22T10:01:30+01:00)"},
    {"remind me to stretch in 0 seconds", "create(stretch passed)"},
    {"remind me to meet Ann at 14h30", "create(meet Ann @2026-11-22T14:30:00+01:00)"},
    {"rappelle-moi dans 1h30 de dormir", "create(dormir @2026-11-22T11:30:00+01:00)"},
    {"rappelle-moi de dormir dans une heure et demie", "create(dormir @2026-11-22T11:30:00+01:00)"},
    {"rappelle-moi de dormir d'ici 14h30", "create(dormir @2026-11-22T14:30:00+01:00)"},
    {"erinnere mich in 1h30 an die Miete", "create(die Miete @2026-11-22T11:30:00+01:00)"},
    {"erinnere mich in 1,5 Stunden an die Miete", "create(die Miete @2026-11-22T11:30:00+01:00)"},
    {"erinnere mich in 90 Sekunden an die Miete", "create(die Miete @2026-11-22T10:01:30+01:00)"},
    {"recuérdame llamar a mamá en una hora y media",
     "create(llamar a mamá @2026-11-22T11:30:00+01:00)"},
    {"напомни позвонить маме через 1 час и 30 минут",
     "create(позвонить маме @2026-11-22T11:30:00+01:00)"},
};

constexpr row ends[] = {
    {"add sleep on 2027-01-01 at 24:00", "create(sleep @2027-01-02T00:00:00+01:00)"},
    {"add sleep on 2027-01-01 at 0:00", "create(sleep @2027-01-01T00:00:00+01:00)"},
    {"add sleep at 24:00", "create(sleep @2026-11-23T00:00:00+01:00)"},
    {"erinnere mich um 24 Uhr an die Miete", "create(die Miete @2026-11-23T00:00:00+01:00)"},
};

constexpr row dates[] = {
    {"remind me to pay on 12/31/2026 at 9am", "create(pay @2026-12-31T09:00:00+01:00)"},
    {"remind me to pay on 31/12/2026 at 9am", "create(pay @2026-12-31T09:00:00+01:00)"},
    {"remind me to pay on 5/5/2027", "create(pay @2027-05-05)"},
    {"remind me to pay on 05/06/2027", "create(pay on 05/06/2027 unread)"},
    {"rappelle-moi de payer le 05/06/2027", "create(payer @2027-06-05)"},
};

constexpr row unread[] = {
    {"remind me to stretch at 25:00", "create(stretch at 25:00 unread)"},
    {"remind me to stretch at 24:30", "create(stretch at 24:30 unread)"},
    {"remind me to stretch at 13pm", "create(stretch at 13pm unread)"},
    {"remind me to stretch at 25 o'clock", "create(stretch at 25 o'clock unread)"},
    {"remind me to pay on 2027-02-30", "create(pay on 2027-02-30 unread)"},
    {"remind me to pay 29.02.2027", "create(pay 29.02.2027 unread)"},
    {"remind me to pay on 30 February", "create(pay on 30 February unread)"},
    {"remind me to pay on February 29 2027", "create(pay on February 29 2027 unread)"},
    {"add pay rent on 31st of April", "create(pay rent on 31st of April unread)"},
    {"remind me to pay on 32 January", "create(pay on 32 January unread)"},
    {"remind me to pay on 31/31/2026 at 9am", "create(pay on 31/31/2026 at 9am unread)"},
    {"remind me to stretch in 5000 hours", "create(stretch in 5000 hours unread)"},
    {"remind me to stretch in 2 hours or so", "create(stretch in 2 hours or so unread)"},
    {"add pay rent due 2027-02-30, urgent", "create(pay rent due 2027-02-30 unread !high)"},
    {"remind me on 2027-02-30 to pay", "unknown()"},
};

// Numbers of other kinds.
constexpr row titles[] = {
    {"add read Psalm 91:14", "create(read Psalm 91:14)"},
    {"add buy 1/2 kg of cheese", "create(buy 1/2 kg of cheese)"},
    {"remind me to put it in 2 boxes", "create(put it in 2 boxes)"},
    {"remind me to hand in my hours", "create(hand in my hours)"},
    {"remind me to be at 25 Main Street", "create(be at 25 Main Street)"},
    {"remind me to read \"at 25:00\"", "create(read \"at 25:00\")"},
};

INSTANTIATE_TEST_SUITE_P(lengths, understanding_times, testing::ValuesIn(lengths));
INSTANTIATE_TEST_SUITE_P(ends, understanding_times, testing::ValuesIn(ends));
INSTANTIATE_TEST_SUITE_P(dates, understanding_times, testing::ValuesIn(dates));
INSTANTIATE_TEST_SUITE_P(unread, understanding_times, testing::ValuesIn(unread));
INSTANTIATE_TEST_SUITE_P(titles, understanding_times, testing::ValuesIn(titles));

TEST(rules_turn, says_that_a_time_was_not_understood) {
    todo::task_shelf shelf;
    EXPECT_EQ(
        shelf.hear("remind me to stretch at 25:00"),
        "Created task: stretch at 25:00\nI did not understand the time, so the task has no due "
        "date."
    );
    EXPECT_EQ(shelf.hear("remind me to stretch"), "Created task: stretch");
}

TEST(understanding, reads_lengths_of_time_by_themselves) {
    auto const zone = berlin();
    auto const after = [&](std::string_view words) {
        auto const found = understand_time(words, sunday_morning(), zone);
        return found && found->due ? found->due->at - sunday_morning() : base::sys_time::duration();
    };
    EXPECT_EQ(after("in 1h30"), std::chrono::minutes(90));
    EXPECT_EQ(after("in 90 seconds"), std::chrono::seconds(90));
    EXPECT_EQ(after("dans 1h30"), std::chrono::minutes(90));
}

} // namespace
} // namespace postrider::agent::language::understand_times_test
