// What others say: a register, a model; and reactions, which have no text.
// covers: X.09
#include "agent/spam/check.hpp"
#include "agent/spam/verdict.hpp"
#include "agent/spam/verdict_json.hpp"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace postrider::agent::spam::outside_test {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::chrono::sys_seconds noon{1'800'000'000s};
constexpr std::string_view advertisement =
    "🔥🔥🔥 Набираю людей в команду! Удaлённый зaрaбoтoк от 1000$ в неделю, пишите в лс";

rules with(std::vector<std::string_view> const& assignments) {
    rules rules;
    for (auto const assignment : assignments) EXPECT_TRUE(rules.set(assignment)) << assignment;
    return rules;
}

double points_of(verdict const& verdict, std::string_view check) {
    auto const result = std::ranges::find(verdict.results, check, &check_result::check);
    return result == verdict.results.end() ? -1000 : result->points;
}

TEST(outside, a_register_speaks_only_where_it_is_on) {
    outside_answers const listed{.is_registered = true};
    auto const judged = [&](rules const& rules, outside_answers const& outside) {
        return judge(message_of("hello"), default_knowledge(), rules, {}, scrutiny::whole, outside);
    };
    EXPECT_FALSE(judged({}, listed).is_spam);
    EXPECT_TRUE(judged(with({"cas.on=true"}), listed).is_spam);
    EXPECT_FALSE(judged(with({"cas.on=true"}), {}).is_spam);
    EXPECT_THAT(judged(with({"cas.on=true"}), listed).reason(), HasSubstr("CAS lists"));
}

TEST(outside, a_models_word_counts_as_its_mode_says) {
    auto const spam_text = judge(message_of(advertisement), default_knowledge());
    auto const ham_text = judge(message_of("hello all, how are you today?"), default_knowledge());
    opinion const yes{true, "it sells"};
    opinion const no{false, "it greets"};
    auto const find = with({"model.mode=find"});
    auto const veto = with({"model.mode=veto"});
    auto const both = with({"model.mode=both"});

    EXPECT_TRUE(with_opinion(ham_text, find, yes).is_spam);
    EXPECT_TRUE(with_opinion(ham_text, both, yes).is_spam);
    EXPECT_FALSE(with_opinion(ham_text, veto, yes).is_spam);
    EXPECT_FALSE(with_opinion(ham_text, find, no).is_spam);
    EXPECT_EQ(points_of(with_opinion(spam_text, veto, no), "model"), -200);
    EXPECT_EQ(points_of(with_opinion(spam_text, find, no), "model"), 0);
    EXPECT_EQ(points_of(with_opinion(spam_text, veto, yes), "model"), 0);
    EXPECT_THAT(
        with_opinion(ham_text, find, yes).reason(), HasSubstr("a model calls it spam: it sells")
    );
}

TEST(outside, a_veto_saves_what_is_not_sure) {
    verdict base;
    base.threshold = 100;
    base.results = {{"classifier", 1, 100, 100, "its words"}, {"model", 0, 200, 0, ""}};
    base.points = 250;
    base.is_spam = true;
    opinion const no{false, "it greets"};
    EXPECT_FALSE(with_opinion(base, {}, no).is_spam);
    base.points = 300;
    EXPECT_TRUE(with_opinion(base, {}, no).is_spam) << "three sure signs are more";
}

TEST(outside, a_model_is_not_heard_where_its_check_is_off) {
    auto const rules = with({"model.on=false"});
    auto const verdict = judge(message_of("hello all, how are you?"), default_knowledge(), rules);
    EXPECT_EQ(points_of(verdict, "model"), -1000);
    EXPECT_EQ(with_opinion(verdict, rules, {true, "it sells"}).points, verdict.points);
}

TEST(outside, a_models_reason_is_cut) {
    auto const verdict = judge(message_of("hello all, how are you?"), default_knowledge());
    opinion const talkative{true, std::string(5'000, 'a')};
    EXPECT_LT(with_opinion(verdict, with({"model.mode=find"}), talkative).reason().size(), 400U);
}

message reaction() {
    message message;
    message.is_reaction = true;
    message.author = {7, "Anna", "", "anna"};
    message.sent_at = noon;
    return message;
}

TEST(outside, a_reaction_is_judged_by_the_checks_of_reactions) {
    auto const rules = with({"reactions.on=true", "cas.on=true", "length.on=false"});
    auto const verdict = judge(reaction(), default_knowledge(), rules);

    std::vector<std::string_view> names;
    for (auto const& result : verdict.results) names.push_back(result.check);
    EXPECT_THAT(names, ElementsAre("name_symbols", "reactions", "cas"));
    EXPECT_FALSE(verdict.is_spam);
}

TEST(outside, reactions_to_many_messages_are_spam) {
    auto const rules = with({"reactions.on=true", "reactions.limit=3", "reactions.minutes=10"});
    recent_messages recent;
    recent.reactions = {noon - 1min, noon - 11min};
    auto const is_spam = [&] {
        return judge(reaction(), default_knowledge(), rules, recent).is_spam;
    };

    EXPECT_FALSE(is_spam());
    recent.reactions.push_back(noon - 10min);
    EXPECT_TRUE(is_spam());
    EXPECT_FALSE(judge(message_of("hi"), default_knowledge(), rules, recent).is_spam)
        << "a message is no reaction";
}

TEST(outside, a_verdict_comes_back_from_its_json) {
    auto const verdict = judge(message_of(advertisement), default_knowledge());
    auto const json = verdict_json(verdict);
    auto const again = verdict_from(boost::json::value(json));

    EXPECT_EQ(boost::json::serialize(verdict_json(again)), boost::json::serialize(json));
    EXPECT_EQ(again.is_spam, verdict.is_spam);
    EXPECT_EQ(again.reason(), verdict.reason());
}

TEST(outside, a_verdict_is_read_from_anything) {
    for (auto const* text :
         {"null", "3", "[]", "{}", R"({"checks":3})", R"({"checks":[1,{"check":"gone"},{}]})"}) {
        auto const verdict = verdict_from(boost::json::parse(text));
        EXPECT_FALSE(verdict.is_spam) << text;
        EXPECT_TRUE(verdict.results.empty()) << text;
    }
}

} // namespace
} // namespace postrider::agent::spam::outside_test
