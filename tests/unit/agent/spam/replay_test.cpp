// Changed rules over messages of the past.
// covers: X.09
#include "agent/spam/replay.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace postrider::agent::spam::replay_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

constexpr chat_id group{-100};
constexpr std::string_view advertisement =
    "🔥🔥🔥 Набираю людей в команду! Удaлённый зaрaбoтoк от 1000$ в неделю, пишите в лс";

past_message said(std::int64_t number, std::string_view text, std::int64_t author = 7) {
    past_message past{group, number, message_of(text)};
    past.content.author.id = author;
    past.content.sent_at = std::chrono::sys_seconds(1'800'000'000s + std::chrono::hours(number));
    return past;
}

replay_rules changed_by(std::vector<std::string_view> const& assignments, int enough = 3) {
    replay_rules rules;
    for (auto const assignment : assignments)
        EXPECT_TRUE(rules.changed.set(assignment)) << assignment;
    rules.enough = enough;
    return rules;
}

replay_result replayed(replay_rules rules, std::vector<past_message> const& messages) {
    replay replay(std::move(rules));
    for (auto const& message : messages) replay.add(message, default_knowledge());
    return replay.result();
}

std::vector<std::int64_t> numbers(std::vector<replayed_message> const& messages) {
    std::vector<std::int64_t> all;
    for (auto const& message : messages) all.push_back(message.message);
    return all;
}

TEST(replay, judges_what_comes_from_then_on_by_other_rules) {
    replay replay;
    replay.add(said(1, "my slides are at https://example.org/talk"), default_knowledge());
    auto strict = changed_by({});
    ASSERT_TRUE(strict.current.set("links.weight=1000"));
    replay.use(strict);
    replay.add(said(2, "my slides are at https://example.org/talk", 8), default_knowledge());

    EXPECT_EQ(replay.result().spam_before, 1);
    EXPECT_THAT(numbers(replay.result().newly_missed), ElementsAre(2));
}

TEST(replay, says_which_checks_give_other_points) {
    auto const result = replayed(
        changed_by({"links.weight=1000", "emoji.on=false"}),
        {said(1, advertisement), said(2, "my slides are at https://example.org/talk", 8)}
    );

    ASSERT_THAT(result.checks, SizeIs(2));
    auto const& links = result.checks.find("links")->second;
    EXPECT_EQ(links.more, 1);
    EXPECT_EQ(links.less, 0);
    EXPECT_GT(links.after, links.before);
    EXPECT_EQ(result.checks.find("emoji")->second.less, 1);
    EXPECT_EQ(result.checks.find("emoji")->second.after, 0);
    EXPECT_THAT(replayed({}, {said(1, advertisement)}).checks, IsEmpty());
}

TEST(replay, says_what_changed_rules_catch_and_miss) {
    std::vector<past_message> const messages{
        said(1, advertisement),
        said(2, "my slides are at https://example.org/talk, have a look", 8),
        said(3, "hello all, how are you today?", 9)};

    auto const strict = replayed(changed_by({"links.weight=1000"}), messages);
    EXPECT_EQ(strict.judged, 3);
    EXPECT_EQ(strict.spam_before, 1);
    EXPECT_EQ(strict.spam_after, 2);
    EXPECT_EQ(strict.caught, 1);
    EXPECT_EQ(strict.missed, 0);
    EXPECT_THAT(numbers(strict.newly_caught), ElementsAre(2));
    EXPECT_EQ(strict.newly_caught[0].reason.substr(0, 5), "Spam:");
    EXPECT_LT(strict.newly_caught[0].points_before, 100);

    auto const lax = replayed(changed_by({"threshold=1000"}), messages);
    EXPECT_EQ(lax.missed, 1);
    EXPECT_THAT(numbers(lax.newly_missed), ElementsAre(1));
    EXPECT_EQ(lax.changed, 0) << "the points are the same";

    auto const mild = replayed(changed_by({"links.weight=26"}), messages);
    EXPECT_EQ(mild.changed, 1);
    EXPECT_THAT(mild.newly_caught, IsEmpty());
}

TEST(replay, changes_nothing_without_changes) {
    auto const result = replayed({}, {said(1, advertisement), said(2, "hello all, how are you?")});
    EXPECT_EQ(result.caught + result.missed + result.changed, 0);
    EXPECT_EQ(result.spam_before, result.spam_after);
}

TEST(replay, approves_members_under_each_of_the_rules) {
    std::vector<past_message> messages{
        said(1, "my slides are at https://example.org/talk, have a look"),
        said(2, "the weather is nice in our town today"),
        said(3, advertisement)};
    auto const result = replayed(changed_by({"links.weight=1000"}, 2), messages);

    EXPECT_EQ(result.spam_before, 0) << "two messages have approved the author";
    EXPECT_THAT(numbers(result.newly_caught), ElementsAre(1, 3)) << "spam starts the count anew";
}

TEST(replay, judges_approved_members_by_repetitions) {
    auto first = said(1, advertisement);
    first.is_by_approved = true;
    std::vector<past_message> messages{first, first, first};
    for (std::size_t at = 0; at < messages.size(); ++at)
        messages[at].content.sent_at += std::chrono::minutes(at);

    EXPECT_EQ(replayed({}, messages).spam_before, 1) << "the third of the same text";
    EXPECT_EQ(replayed(changed_by({"duplicates.on=false"}), messages).missed, 1);
}

TEST(replay, keeps_groups_apart) {
    auto elsewhere = said(2, "hello all, how are you today?");
    elsewhere.chat = chat_id{-200};
    auto spam_there = said(3, advertisement);
    spam_there.chat = chat_id{-200};

    auto const result = replayed(
        changed_by({"threshold=1000"}, 2),
        {said(1, "the weather is nice in our town today"), elsewhere, spam_there}
    );
    EXPECT_EQ(result.spam_before, 1) << "the messages of two groups approve nobody";
}

TEST(replay, lists_the_newest_and_counts_all) {
    std::vector<past_message> messages;
    for (int number = 1; number <= 150; ++number)
        messages.push_back(
            said(number, "buy at https://example.org/" + std::to_string(number), number)
        );
    auto const result = replayed(changed_by({"links.weight=1000"}), messages);

    EXPECT_EQ(result.caught + result.spam_before, 150);
    EXPECT_THAT(result.newly_caught, SizeIs(std::min<std::int64_t>(result.caught, 100)));
    EXPECT_EQ(result.newly_caught.back().message, 150);
}

} // namespace
} // namespace postrider::agent::spam::replay_test
