// covers: X.09
#include "agent/spam/features.hpp"
#include "agent/spam/knowledge.hpp"
#include "agent/spam/message.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace postrider::agent::spam::training_test {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::IsSupersetOf;

TEST(samples, are_read_a_line_each) {
    EXPECT_THAT(
        read_lines("\xef\xbb\xbf"
                   "first \r\n\n  second\n\xff\n"),
        ElementsAre("first", "second", "\uFFFD")
    );
    EXPECT_THAT(read_lines(""), IsEmpty());
}

TEST(samples, come_back_as_they_were_written) {
    std::vector<std::string> const texts{"in личку", "two\nlines", "a"};

    auto const file = written_lines(texts);

    EXPECT_EQ(file, "in личку\ntwo lines\na\n");
    EXPECT_EQ(written_lines(read_lines(file)), file);
}

TEST(samples, come_with_the_filter) {
    auto const& samples = public_samples();

    EXPECT_GT(std::ranges::count(samples, kind::spam, &sample::kind), 80);
    EXPECT_GT(std::ranges::count(samples, kind::ham, &sample::kind), 200);
    EXPECT_FALSE(default_stop_words().empty());
}

TEST(features, are_words_and_shape_each_once) {
    auto const text = std::string_view("Free money! Free 1234 \U0001f525");
    auto const features = features_of(message_of(text), normalize(text));

    EXPECT_THAT(
        features,
        IsSupersetOf(
            {feature_of(feature_sort::word, "free"),
             feature_of(feature_sort::word, "0000"),
             feature_of(feature_sort::word, "\U0001f525"),
             feature_of(feature_sort::shape, "emoji1"),
             feature_of(feature_sort::shape, "calls1")}
        )
    );
    EXPECT_TRUE(std::ranges::is_sorted(features));
    EXPECT_EQ(std::ranges::adjacent_find(features), features.end());
    EXPECT_EQ(features.size(), 4U + 9U); // words, shape
}

TEST(features, stay_as_they_are_stored) {
    EXPECT_EQ(static_cast<std::uint64_t>(feature_of(feature_sort::word, "a")), 0xaf63dc4c8601ec8cU);
    EXPECT_EQ(sort_of(feature_of(feature_sort::shape, "a")), feature_sort::shape);
}

TEST(classifier, forgets_a_sample_exactly_in_any_order) {
    std::vector<sample> const samples{
        {kind::spam, "Earn money now"},
        {kind::ham, "money is a topic"},
        {kind::spam, "Earn money now"}, // twice
        {kind::ham, ""},
        {kind::spam, "\xff\xff"}};
    auto learned = default_knowledge();
    auto const counts = learned.counts();
    auto const size = learned.samples().size();
    for (auto const& sample : samples) learned.add(sample);
    EXPECT_FALSE(learned.counts() == counts);

    for (auto const index : {2U, 0U, 4U, 1U, 3U}) EXPECT_TRUE(learned.remove(samples[index]));

    EXPECT_TRUE(learned.counts() == counts);
    EXPECT_EQ(learned.samples().size(), size);
}

TEST(classifier, refuses_to_forget_what_it_has_not_learned) {
    knowledge learned;
    learned.add({kind::spam, "Earn money now"});
    auto const counts = learned.counts();

    EXPECT_EQ(learned.remove({kind::ham, "Earn money now"}).error().code, base::errc::invalid);
    EXPECT_EQ(learned.remove({kind::spam, "Earn money"}).error().code, base::errc::invalid);

    EXPECT_TRUE(learned.counts() == counts);
    EXPECT_FALSE(classifier().remove(kind::spam, {}));
}

TEST(classifier, has_no_opinion_before_both_kinds_have_samples) {
    knowledge learned;
    learned.add({kind::spam, "Earn money now"});

    EXPECT_EQ(learned.counts().log_odds_of({feature_of(feature_sort::word, "money")}), 0);
}

TEST(classifier, tells_spam_by_its_words) {
    knowledge learned;
    learned.add({kind::spam, "earn money"});
    learned.add({kind::ham, "read books"});

    EXPECT_GT(learned.counts().weigh(feature_of(feature_sort::word, "money")), 0);
    EXPECT_LT(learned.counts().weigh(feature_of(feature_sort::word, "books")), 0);
    EXPECT_EQ(learned.counts().weigh(feature_of(feature_sort::word, "rain")), 0);
}

TEST(classifier, hears_many_words_rather_than_a_loud_one) {
    auto const word = [](std::string_view text) { return feature_of(feature_sort::word, text); };
    classifier learned;
    for (int count = 0; count < 100; ++count) {
        learned.add(kind::spam, {word("money"), word("the")});
        learned.add(kind::ham, {word("books"), word("the")});
    }
    for (int count = 0; count < 10; ++count)
        learned.add(kind::spam, {word("earn"), word("fast"), word("today")});
    auto const odds_of = [&](std::vector<feature> const& features) {
        return learned.log_odds_of(features);
    };

    EXPECT_GT(learned.weigh(word("money")), learned.weigh(word("earn")));
    EXPECT_EQ(odds_of({word("money")}), odds_of({word("earn")})) << "none says more than the limit";
    EXPECT_GT(odds_of({word("earn"), word("fast"), word("today")}), odds_of({word("money")}));
    EXPECT_EQ(odds_of({word("earn"), word("the")}), odds_of({word("earn")})) << "it is noise";
    EXPECT_LT(odds_of({word("the")}), 0) << "most messages are no spam";
}

TEST(sample_index, finds_the_sample_that_is_most_alike) {
    sample_index index;
    index.add(kind::spam, normalize("earn money from home today"));
    index.add(kind::ham, normalize("the weather is fine today"));

    auto const same = index.compare(normalize("EARN money from hоme, today!"));
    auto const half = index.compare(normalize("money home today"));
    auto const none = index.compare(normalize("something else entirely"));

    EXPECT_NEAR(same.spam, 1, 1e-9);
    EXPECT_NEAR(same.ham, 1 / std::sqrt(15), 1e-9);
    EXPECT_NEAR(half.spam, 3 / std::sqrt(15), 1e-9);
    EXPECT_EQ(none.spam, 0);
    EXPECT_EQ(index.compare(normalize("money today")).spam, 0) << "too few words";
    EXPECT_EQ(index.compare(normalize("")).ham, 0);
}

TEST(sample_index, forgets_a_sample) {
    sample_index index;
    auto const text = normalize("earn money from home");
    index.add(kind::spam, text);

    EXPECT_FALSE(index.remove(kind::ham, text));
    EXPECT_TRUE(index.remove(kind::spam, text));
    EXPECT_FALSE(index.remove(kind::spam, text));

    EXPECT_EQ(index.size(), 0U);
    EXPECT_EQ(index.compare(text).spam, 0);
}

TEST(stop_words, are_folded_and_may_be_exact) {
    knowledge learned;
    learned.set_stop_words({"в личку", "=Free", "!", "="});

    ASSERT_EQ(learned.stop_words().size(), 2U);
    EXPECT_EQ(learned.stop_words()[0].folded, folded_text("B ЛИЧKУ"));
    EXPECT_FALSE(learned.stop_words()[0].is_exact);
    EXPECT_TRUE(learned.stop_words()[1].is_exact);
}

} // namespace
} // namespace postrider::agent::spam::training_test
