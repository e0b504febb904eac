// What the counts of all samples say of the message's words, pieces of words and shape.
#include "agent/spam/check.hpp"
#include "agent/spam/features.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace postrider::agent::spam {

namespace {

double logit(double probability) {
    return std::log(probability / (1 - probability));
}

// The words that speak most for spam.
std::string spam_words(check_input const& input) {
    std::vector<std::pair<double, std::string_view>> words;
    for (auto const& token : input.text.tokens) {
        if (token.kind != token_kind::word) continue;
        auto const odds =
            input.knowledge.counts().weigh(feature_of(feature_sort::word, token.folded));
        if (odds > 0) words.emplace_back(-odds, token.plain);
    }
    std::ranges::sort(words);
    auto const repeated = std::unique(words.begin(), words.end());
    words.erase(repeated, words.end());
    std::string text;
    for (std::size_t at = 0; at < std::min<std::size_t>(words.size(), 3); ++at)
        text += fmt::format("{}\"{}\"", at == 0 ? ": " : ", ", words[at].second);
    return text;
}

finding look_for_classified(check_input const& input) {
    auto const& counts = input.knowledge.counts();
    if (counts.samples().spam == 0 || counts.samples().ham == 0) return {};
    auto const odds = counts.log_odds_of(features_of(input.message, input.text));
    auto const least = logit(static_cast<double>(input.settings.number("probability")) / 100);
    auto const score = std::clamp(odds / least, -1.0, 1.0);
    if (score == 0) return {};
    auto const share = 100 / (1 + std::exp(-odds));
    return {
        score,
        fmt::format(
            "its words are {:.1f} % likely to be spam{}", share, score > 0 ? spam_words(input) : ""
        )};
}

} // namespace

namespace registered {

extern check const classifier{
    .name = "classifier",
    .looks_for = "Words that are rather those of spam, by all samples together.",
    .on = true,
    .weight = 100,
    .parameters =
        {{.key = "probability",
          .type = base::setting_type::integer,
          .fallback = "98",
          .constraint = "51..99",
          .help = "Probability of spam in percent that gives the full score."}},
    .look = look_for_classified,
    .needs_length = true};

} // namespace registered

} // namespace postrider::agent::spam
