#pragma once
// All that the filter has learned: the classifier, the samples by their words, and the stop words. A value. Samples go in
// and out; a sample that went out has left nothing behind.
#include "agent/spam/classifier.hpp"
#include "agent/spam/sample.hpp"
#include "agent/spam/sample_index.hpp"
#include "base/error.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

struct stop_word {
    std::string written;
    std::string folded;
    bool is_exact = false; // "=text": the whole message
};

class knowledge {
public:
    void add(sample const& sample);
    // invalid, and nothing changed: there is no such sample.
    base::result<void> remove(sample const& sample);

    // Of samples that are counted elsewhere: their counts, and each of them.
    void add(classifier const& counted) { classifier_.add(counted.samples(), counted.counts()); }
    void index(sample const& sample) { samples_.add(sample.kind, normalize(sample.text)); }

    // "word": anywhere in a message; "=text": the whole of it. What has no word or sign is left out.
    void set_stop_words(std::vector<std::string> const& words);

    classifier const& counts() const noexcept { return classifier_; }
    sample_index const& samples() const noexcept { return samples_; }
    std::vector<stop_word> const& stop_words() const noexcept { return stop_words_; }

private:
    classifier classifier_;
    sample_index samples_;
    std::vector<stop_word> stop_words_;
};

// Of the samples and stop words that come with the filter. Made once.
knowledge const& default_knowledge();

} // namespace postrider::agent::spam
