// covers: X.09
#include "agent/spam/check.hpp"
#include "agent/spam/verdict.hpp"
#include "base/json/json.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <iterator>

namespace postrider::agent::spam::verdict_test {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view advertisement =
    "🔥🔥🔥 Набираю людей в команду! Удaлённый зaрaбoтoк от 1000$ в неделю, пишите в лс";

verdict judged(std::string_view text, rules const& rules = {}) {
    return judge(message_of(text), default_knowledge(), rules);
}

TEST(verdict, lists_every_check_that_is_on) {
    auto const verdict = judged("hello, how are you today?");

    std::size_t on = 0;
    for (auto const* check : checks()) on += check->on;
    EXPECT_EQ(verdict.results.size(), on);
    EXPECT_FALSE(verdict.is_spam);
    EXPECT_EQ(verdict.threshold, 100);
}

TEST(verdict, is_the_sum_of_points) {
    auto const verdict = judged(advertisement);

    double points = 0;
    for (auto const& result : verdict.results) {
        EXPECT_DOUBLE_EQ(result.points, result.score * result.weight);
        points += result.points;
    }
    EXPECT_DOUBLE_EQ(verdict.points, points);
    EXPECT_TRUE(verdict.is_spam);
    EXPECT_THAT(verdict.reason(), StartsWith("Spam: "));
}

TEST(verdict, follows_the_threshold) {
    rules lenient;
    ASSERT_TRUE(lenient.set("threshold=1000"));

    EXPECT_FALSE(judged(advertisement, lenient).is_spam);
    EXPECT_EQ(judged(advertisement, lenient).points, judged(advertisement).points);
}

// Approved members are judged by what they repeat, and by nothing else.
TEST(verdict, on_an_approved_member_is_that_of_repetitions) {
    auto message = message_of(advertisement);
    message.author.id = 7;
    message.sent_at = std::chrono::sys_seconds(std::chrono::seconds(1'800'000'000));
    recent_messages recent;
    auto const judged_as = [&](scrutiny scrutiny) {
        return judge(message, default_knowledge(), {}, recent, scrutiny);
    };
    EXPECT_TRUE(judged_as(scrutiny::whole).is_spam);
    auto const first = judged_as(scrutiny::repetitions);
    EXPECT_FALSE(first.is_spam);
    std::vector<std::string_view> names;
    for (auto const& result : first.results) names.push_back(result.check);
    EXPECT_THAT(names, testing::ElementsAre("duplicates", "copies", "flood", "album"));

    for (int count = 0; count < 2; ++count) recent.remember(message, normalize(message.text));

    EXPECT_TRUE(judged_as(scrutiny::repetitions).is_spam);
}

// Nobody sends the same harmless text again and again.
TEST(verdict, on_a_repetition_is_not_softened_by_harmless_words) {
    auto message = message_of("a text that is edited back and forth");
    message.author.id = 7;
    message.sent_at = std::chrono::sys_seconds(std::chrono::seconds(1'800'000'000));
    recent_messages recent;
    for (int count = 0; count < 2; ++count) recent.remember(message, normalize(message.text));

    auto const once = judge(message, default_knowledge());
    auto const repeated = judge(message, default_knowledge(), {}, recent);

    EXPECT_LT(once.points, 0) << "its words speak for it";
    EXPECT_TRUE(repeated.is_spam);
    EXPECT_EQ(repeated.points, 100);
    outside_answers vetoed;
    vetoed.opinion = opinion{false, "a bot of the group"};
    EXPECT_FALSE(judge(message, default_knowledge(), {}, recent, scrutiny::whole, vetoed).is_spam)
        << "a model may excuse it";
}

TEST(verdict, judges_what_a_reply_to_another_chat_cites) {
    auto message = message_of("look");
    message.quote = advertisement;
    EXPECT_FALSE(judge(message, default_knowledge()).is_spam);
    message.is_external_reply = true;
    EXPECT_TRUE(judge(message, default_knowledge()).is_spam);
}

TEST(verdict, needs_nothing_that_was_learned) {
    auto const verdict = judge(message_of(advertisement), knowledge());

    EXPECT_GT(verdict.points, 0); // by emoji and letters of two alphabets
}

TEST(verdict, is_the_same_each_time) {
    for (auto const& sample : public_samples()) {
        auto const first = judged(sample.text);
        auto const second = judged(sample.text);
        ASSERT_EQ(first.points, second.points) << sample.text;
        ASSERT_EQ(first.reason(), second.reason());
    }
}

TEST(verdict, knows_the_samples_that_it_learned) {
    std::size_t missed = 0, alarms = 0;
    for (auto const& sample : public_samples()) {
        bool const is_spam = judged(sample.text).is_spam;
        missed += sample.kind == kind::spam && !is_spam;
        alarms += sample.kind == kind::ham && is_spam;
    }
    EXPECT_LE(missed, 1U);
    EXPECT_EQ(alarms, 0U);
}

// All strings, also with every check on and the strangest of them as names.
void judge_each(std::vector<std::string> const& texts) {
    rules rules;
    for (auto const* check : checks())
        ASSERT_TRUE(rules.set(std::string(check->name) + ".on", "true"));
    for (auto const& text : texts) {
        auto message = message_of(text);
        message.author = {1, text, text, text};
        auto const verdict = judge(message, default_knowledge(), rules);
        for (auto const& result : verdict.results) {
            EXPECT_TRUE(std::isfinite(result.points)) << result.check << ": " << text;
            EXPECT_LE(std::abs(result.score), 1) << result.check << ": " << text;
        }
    }
}

TEST(verdict, takes_any_text) {
    judge_each(
        {"",
         " ",
         std::string(1, '\0'),
         "\xff\xfe",
         "@",
         "https://",
         "://./",
         std::string(100'000, 'a'),
         std::string(20'000, '\n'),
         "\u202e\u200b\ufeff",
         "\u0e47\u0e47\u0e47\u0e47",
         "Z\u0351\u036b\u0343A\u0352\u034a"}
    );
}

TEST(verdict, takes_the_big_list_of_naughty_strings) {
    std::ifstream in(tests::source("../shared/data/naughty-strings/blns.json"));
    if (!in) GTEST_SKIP() << "no list of naughty strings";
    std::string const text(std::istreambuf_iterator<char>(in), {});
    std::vector<std::string> strings;
    auto const list = base::parse_json(text).value();
    for (auto const& item : list.as_array()) strings.emplace_back(item.as_string());
    judge_each(strings);
}

TEST(rules, have_a_key_for_everything) {
    rules rules;
    EXPECT_TRUE(rules.set("links.limit=3"));
    EXPECT_TRUE(rules.set("links.weight", "100"));
    EXPECT_TRUE(rules.set("links.on", "false"));
    EXPECT_TRUE(rules.set("prohibited_scripts.scripts=han, thai"));

    EXPECT_EQ(rules.of("links").number("limit"), 3);
    EXPECT_EQ(rules.of("links").weight, 100);
    EXPECT_FALSE(rules.of("links").on);
    EXPECT_THAT(
        rules.of("prohibited_scripts").words("scripts"), testing::ElementsAre("han", "thai")
    );
}

TEST(rules, are_documented) {
    std::ifstream in(tests::source("docs/spam.md"));
    std::string const page(std::istreambuf_iterator<char>(in), {});
    for (auto const* check : checks()) {
        std::string parameters;
        for (auto const& row : check->parameters) {
            if (!parameters.empty()) parameters += ", ";
            parameters.append("`").append(row.key).append("`");
            if (!row.fallback.empty()) parameters.append(" ").append(row.fallback);
        }
        EXPECT_THAT(
            page,
            HasSubstr(
                "\n| `" + std::string(check->name) + "` | " + std::string(check->looks_for) +
                " | " + (check->on ? "yes" : "no") + " | " + std::to_string(check->weight) + " | " +
                parameters + " |\n"
            )
        );
    }
}

TEST(rules, refuse_what_does_not_fit) {
    struct mistake {
        std::string_view assignment;
        base::errc code;
        std::string_view detail;
    };
    for (auto const& [assignment, code, detail] :
         {mistake{"link.limit=3", base::errc::not_found, "links.limit"},
          mistake{"links.limit=none", base::errc::invalid, "links.limit"},
          mistake{"links.limit=0", base::errc::invalid, "links.limit"},
          mistake{"links.on=maybe", base::errc::invalid, "links.on"},
          mistake{"links.on=", base::errc::invalid, "links.on"},
          mistake{"threshold=0", base::errc::invalid, "threshold"},
          mistake{"threshold", base::errc::invalid, "KEY=VALUE"}}) {
        rules rules;
        auto const set = rules.set(assignment);
        ASSERT_FALSE(set) << assignment;
        EXPECT_EQ(set.error().code, code) << assignment;
        EXPECT_THAT(set.error().detail, HasSubstr(detail));
    }
}

} // namespace
} // namespace postrider::agent::spam::verdict_test
