#pragma once
// Naive Bayes over counts: in how many samples of each kind a feature stands. A value. Taking a sample out leaves exactly
// the counts that were there before it came in, in any order of training. Not for use by several threads at once, unless
// all only read.
#include "agent/spam/features.hpp"
#include "agent/spam/sample.hpp"
#include "base/error.hpp"

#include <unordered_map>
#include <vector>

namespace postrider::agent::spam {

struct feature_count {
    std::uint32_t spam = 0;
    std::uint32_t ham = 0;

    bool operator==(feature_count const&) const = default;
};

struct feature_hash {
    std::size_t operator()(feature feature) const noexcept { // it is a hash; the lowest bit is not
        return static_cast<std::size_t>(static_cast<std::uint64_t>(feature) >> 1);
    }
};
using feature_counts = std::unordered_map<feature, feature_count, feature_hash>;

class classifier {
public:
    // Of one sample, each feature once.
    void add(kind kind, std::vector<feature> const& features);
    // Of samples that were counted elsewhere.
    void add(feature_count samples, feature_counts const& counts);
    // invalid, and nothing changed: such a sample is not counted.
    base::result<void> remove(kind kind, std::vector<feature> const& features);

    // The logarithm of the odds that a message with these features is spam, scaled by cross-validation: above 0 it rather
    // is. 0 before both kinds have samples.
    double log_odds_of(std::vector<feature> const& features) const;
    // Of one feature, without limits; 0 of an unknown one.
    double weigh(feature feature) const;

    feature_count samples() const noexcept { return samples_; }
    feature_counts const& counts() const noexcept { return counts_; }

    bool operator==(classifier const&) const = default;

private:
    feature_count samples_;
    feature_counts counts_;
};

} // namespace postrider::agent::spam
