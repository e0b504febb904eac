// The group bot where its group is busy, and where the process dies while it summarises.
#include "tests/end_to_end/server/group_scene.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <array>

namespace postrider::tests::group_load_test {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

constexpr int messages_of_a_minute = 2000;
constexpr int messages_of_a_member = 2; // fewer than approve

// Another text for each number, also behind the filter's folding.
std::string harmless(int number) {
    constexpr std::array<std::string_view, 10> digits{
        "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"};
    std::string words;
    for (int place = 1000; place > 0; place /= 10)
        words.append(digits[static_cast<std::size_t>(number / place % 10)]).append(" ");
    return "the moss of garden " + words + "needs some water before the ferry leaves";
}

// covers: S4.05 S4.12 X.09
TEST(busy_group, has_each_message_judged_once_and_in_order_and_still_gets_an_answer) {
    group_scene s("", 1'000'000);
    for (int number = 0; number < messages_of_a_minute; ++number)
        s.write(user_id{8000 + number / messages_of_a_member}, "Member", harmless(number));
    ASSERT_TRUE(s.comes_true(
        fmt::format("select count(*) = {} from postrider.spam_verdict", messages_of_a_minute), 240s
    )) << s.value("select count(*) from postrider.spam_verdict");
    ASSERT_TRUE(s.is_quiet()); // a request before would take the reply that is for Alice
    s.models.script(sends("still here"));
    s.write(alice, "Alice", "claudir, are you still there?");

    ASSERT_TRUE(s.replies(1, 60s));
    ASSERT_TRUE(s.is_quiet());

    EXPECT_EQ(s.texts(group).at(0), "still here");
    EXPECT_THAT(s.context(s.models.requests().size() - 1), HasSubstr("are you still there?"));
    EXPECT_EQ(s.value("select count(*) from postrider.spam_verdict where is_spam"), "0");
    EXPECT_EQ(
        s.value("select sum(messages) from postrider.spam_member"),
        std::to_string(messages_of_a_minute)
    ) << "each counts once";
    EXPECT_EQ(
        s.value("select bool_and(judged_at >= earlier) from (select v.judged_at, "
                "lag(v.judged_at, 1, v.judged_at) over (order by m.job_id, m.position) as earlier "
                "from postrider.spam_verdict v join postrider.message m on m.chat_id = v.chat_id "
                "and m.telegram_message_id = v.message_id where m.role = 'user') judged"),
        "t"
    );
}

class compaction_commit : public testing::TestWithParam<std::string> {};

// covers: S4.06 E.14
TEST_P(compaction_commit, is_survived_though_the_process_dies_at_each) {
    constexpr int most = 2;     // commits of a kind that a compaction has
    constexpr int filling = 12; // messages beyond the threshold
    group_scene s("wake = \"addressed\"\n");
    auto const summaries = [&] {
        return std::stoi(s.value("select count(*) from postrider.group_summary"));
    };
    int count = 0;
    for (int hit = 1; hit <= most; ++hit) {
        for (int number = 0; number < filling; ++number) {
            s.write(alice, "Alice", fmt::format("{} {}", count, std::string(3500, 'x')));
            ++count;
        }
        ASSERT_TRUE(s.comes_true(
            fmt::format("select count(*) >= {} from postrider.message where role = 'user'", count)
        ));
        ASSERT_TRUE(s.is_quiet()) << s.product().log();
        auto const before = s.models.requests().size();
        auto const earlier = summaries();
        s.models.script(fake_reply::saying("(nothing)"));
        auto slow = fake_reply::saying("never heard");
        slow.delay = 60s;
        s.models.script(slow);
        s.write(bob, "Bob", "good morning, claudir");
        ++count;
        ASSERT_TRUE(s.asked(before + 2)) << s.product().log();
        ASSERT_EQ(s.models.requests().at(before + 1).body.at("model"), "claude-haiku-4-5");
        ASSERT_TRUE(s.comes_true("select not exists (select from postrider.job "
                                 "where finished_at is null and kind = 'turn')"));
        s.product().kill(); // only the compaction is left

        s.models.always(fake_reply::saying("They talked about a fern."));
        s.product().launch({{"POSTRIDER_FAULTS", fmt::format("{}:kill:{}", GetParam(), hit)}});
        bool was_killed = false;
        ASSERT_TRUE(eventually(
            [&] {
                if (!was_killed && s.product().wait_for_exit(0ms)) {
                    was_killed = true;
                    s.product().launch();
                }
                return summaries() > earlier &&
                       s.value("select count(*) from postrider.job where finished_at is null") ==
                           "0";
            },
            60s
        )) << hit
           << "\n"
           << s.product().log();
        EXPECT_EQ(summaries(), earlier + 1) << hit;
        s.product().stop();
        s.product().start();
    }

    auto const before = s.models.requests().size();
    s.models.script(sends("still here"));
    s.write(bob, "Bob", "claudir, are you still there?");
    ASSERT_TRUE(s.replies(1)) << s.product().log();
    EXPECT_TRUE(s.context(before).starts_with(
        "=== Conversation Summary ===\nThey talked about a fern.\n\n=== Recent Messages ===\n"
    )) << s.context(before);
}

INSTANTIATE_TEST_SUITE_P(
    of_a_job,
    compaction_commit,
    testing::Values(
        "checkpoint.before_commit",
        "checkpoint.after_commit",
        "outcome.before_commit",
        "outcome.after_commit"
    ),
    [](auto const& commit) {
        auto name = commit.param;
        name.replace(name.find('.'), 1, "_");
        return name;
    }
);

} // namespace
} // namespace postrider::tests::group_load_test
