#include "agent/spam/classifier.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace postrider::agent::spam {

namespace {

// All of these are by cross-validation over the public samples (bench/spam).

// Added to each count, so that what one kind has never had is rare, not impossible.
constexpr double smoothing = 0.2;

// A feature that says less is noise, and none says more, however often it was seen: a few words that spam likes make no
// spam, many do.
constexpr double least_odds = 1;
constexpr double most_odds = 2;

// Features depend on each other, so their sum exaggerates: a share brings it back to a probability, and the root of the number
// of words keeps long texts from being certain of everything.
constexpr double odds_share = 0.33;
constexpr double odds_root = 0.3;

// Of a message whose words and shape say nothing: most are no spam.
constexpr double prior_odds = -0.4;

std::uint32_t& of_kind(feature_count& count, kind kind) {
    return kind == kind::spam ? count.spam : count.ham;
}

// Most counts are small, and a logarithm costs as much as finding the feature.
double log_of(std::uint32_t having) {
    static auto const logs = [] {
        std::array<double, 256> table{};
        for (std::size_t at = 0; at < table.size(); ++at)
            table[at] = std::log(static_cast<double>(at) + smoothing);
        return table;
    }();
    return having < logs.size() ? logs[having] : std::log(having + smoothing);
}

double log_odds_in(feature_count const& count) {
    return log_of(count.spam) - log_of(count.ham);
}

// What is subtracted since there are more samples of one kind.
double base_of(feature_count const& samples) {
    return std::log(samples.spam + 2 * smoothing) - std::log(samples.ham + 2 * smoothing);
}

} // namespace

void classifier::add(kind kind, std::vector<feature> const& features) {
    ++of_kind(samples_, kind);
    for (auto const feature : features) ++of_kind(counts_[feature], kind);
}

void classifier::add(feature_count samples, feature_counts const& counts) {
    auto const add_count = [](feature_count& sum, feature_count const& more) {
        sum.spam += more.spam;
        sum.ham += more.ham;
    };
    add_count(samples_, samples);
    for (auto const& [feature, count] : counts) add_count(counts_[feature], count);
}

base::result<void> classifier::remove(kind kind, std::vector<feature> const& features) {
    auto const is_counted = [&](feature feature) {
        auto const at = counts_.find(feature);
        return at != counts_.end() && of_kind(at->second, kind) > 0;
    };
    if (of_kind(samples_, kind) == 0 || !std::ranges::all_of(features, is_counted))
        return base::error(base::errc::invalid, "the classifier has not counted such a sample");
    --of_kind(samples_, kind);
    for (auto const feature : features) {
        auto const at = counts_.find(feature);
        --of_kind(at->second, kind);
        if (at->second == feature_count{}) counts_.erase(at);
    }
    return {};
}

double classifier::log_odds_of(std::vector<feature> const& features) const {
    if (samples_.spam == 0 || samples_.ham == 0) return 0;
    auto const base = base_of(samples_);
    double words = 0, shape = 0;
    std::size_t word_count = 0;
    for (auto const feature : features) {
        auto const at = counts_.find(feature);
        if (at == counts_.end()) continue;
        auto const odds = log_odds_in(at->second) - base;
        if (std::abs(odds) < least_odds) continue;
        auto const limited = std::clamp(odds, -most_odds, most_odds);
        if (sort_of(feature) == feature_sort::word) {
            words += limited;
            ++word_count;
        } else {
            shape += limited;
        }
    }
    if (word_count > 0) words /= std::pow(static_cast<double>(word_count), odds_root);
    return prior_odds + odds_share * (words + shape);
}

double classifier::weigh(feature feature) const {
    auto const at = counts_.find(feature);
    return at == counts_.end() ? 0 : log_odds_in(at->second) - base_of(samples_);
}

} // namespace postrider::agent::spam
