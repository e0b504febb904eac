// What the bot says in the group about commands.
#include "agent/moderation/command_answers.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::command_answers_test {
namespace {

using testing::HasSubstr;

TEST(warning_text, gives_the_count_and_its_meaning) {
    EXPECT_EQ(
        warning_text("Eve", 1, 3, false), "⚠️ Eve: warning 1 of 3. Warning 3 means a ban."
    );
    EXPECT_EQ(warning_text("Eve", 3, 3, true), "⚠️ Eve: warning 3 of 3. The author is banned.");
    EXPECT_EQ(warning_text("", 5, 3, false), "⚠️ The author: warning 3 of 3. The ban failed.");
}

TEST(report_answer, says_how_many_reports_are_needed) {
    EXPECT_THAT(report_answer(1, 3), HasSubstr("1 of the 3 reports"));
    EXPECT_THAT(report_answer(3, 3), HasSubstr("The administrators are asked"));
    EXPECT_EQ(report_answer(4, 3), report_answer(3, 3));
}

} // namespace
} // namespace postrider::agent::command_answers_test
