#include "agent/spam/sample_index.hpp"

#include "agent/spam/hash.hpp"
#include "base/utf8.hpp"

#include <algorithm>
#include <cmath>

namespace postrider::agent::spam {

namespace {

// Shorter ones are mostly particles, which all texts share.
constexpr std::size_t shortest_word = 4;
// A text of fewer words is like many others by accident.
constexpr std::size_t fewest_words = 3;

struct counted_word {
    std::uint64_t word = 0; // its hash
    std::uint32_t count = 0;
};

std::vector<counted_word> counted_words(normal_text const& text) {
    std::vector<std::uint64_t> words;
    words.reserve(text.tokens.size());
    for (auto const& token : text.tokens)
        if (token.kind == token_kind::word && base::count_characters(token.folded) >= shortest_word)
            words.push_back(hash_of(token.folded));
    std::ranges::sort(words);
    std::vector<counted_word> counted;
    counted.reserve(words.size());
    for (auto const word : words) {
        if (counted.empty() || counted.back().word != word) counted.push_back({word, 0});
        ++counted.back().count;
    }
    return counted;
}

double length_of(std::vector<counted_word> const& words) {
    double sum = 0;
    for (auto const& word : words) sum += double(word.count) * word.count;
    return std::sqrt(sum);
}

} // namespace

void sample_index::add(kind kind, normal_text const& text) {
    auto const words = counted_words(text);
    std::uint32_t at = 0;
    if (free_.empty()) {
        at = static_cast<std::uint32_t>(entries_.size());
        entries_.emplace_back();
    } else {
        at = free_.back();
        free_.pop_back();
    }
    entries_[at] = {kind, length_of(words), text.folded};
    for (auto const& word : words) postings_[word.word].push_back({at, word.count});
}

bool sample_index::remove(kind kind, normal_text const& text) {
    auto const removed = std::ranges::find_if(entries_, [&](entry const& sample) {
        return sample.kind == kind && sample.length >= 0 && sample.folded == text.folded;
    });
    if (removed == entries_.end()) return false;
    auto const at = static_cast<std::uint32_t>(removed - entries_.begin());
    for (auto const& word : counted_words(text)) {
        auto const postings = postings_.find(word.word);
        std::erase_if(postings->second, [&](posting const& row) { return row.entry == at; });
        if (postings->second.empty()) postings_.erase(postings);
    }
    *removed = {kind, -1, {}};
    free_.push_back(at);
    return true;
}

sample_index::likeness sample_index::compare(normal_text const& text) const {
    auto const words = counted_words(text);
    if (words.size() < fewest_words) return {};
    auto const length = length_of(words);
    std::vector<double> products(entries_.size());
    for (auto const& word : words) {
        auto const postings = postings_.find(word.word);
        if (postings == postings_.end()) continue;
        for (auto const& row : postings->second)
            products[row.entry] += double(word.count) * row.count;
    }
    likeness most;
    for (std::size_t at = 0; at < entries_.size(); ++at) {
        if (products[at] == 0) continue;
        auto& best = entries_[at].kind == kind::spam ? most.spam : most.ham;
        best = std::max(best, products[at] / (length * entries_[at].length));
    }
    return most;
}

} // namespace postrider::agent::spam
