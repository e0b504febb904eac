#pragma once
// Finds the sample whose words are most like those of a text. A value; the time depends on the samples that share words
// with the text.
#include "agent/spam/normal_text.hpp"
#include "agent/spam/sample.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace postrider::agent::spam {

class sample_index {
public:
    void add(kind kind, normal_text const& text);
    // False, and nothing changed: there is no such sample.
    bool remove(kind kind, normal_text const& text);

    struct likeness {
        // The cosine of the angle between the words of both: 0 none in common, 1 the same. Words of less than four
        // characters do not count, and a text of less than three other words is like none.
        double spam = 0;
        double ham = 0;
    };
    likeness compare(normal_text const& text) const;

    std::size_t size() const noexcept { return entries_.size() - free_.size(); }

private:
    struct posting {
        std::uint32_t entry = 0;
        std::uint32_t count = 0; // of the word in that sample
    };

    struct entry {
        spam::kind kind = spam::kind::ham;
        double length = 0; // below 0: taken out
        std::string folded;
    };

    std::vector<entry> entries_;
    std::vector<std::uint32_t> free_;
    std::unordered_map<std::uint64_t, std::vector<posting>> postings_; // by the word's hash
};

} // namespace postrider::agent::spam
