#include "agent/language/shared_passage.hpp"

#include "agent/language/folded_words.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <vector>

namespace postrider::agent {

namespace {

// Each run of so many words, with a blank on both sides: no word of it is a part of a longer one.
std::vector<std::string> passages_of(std::string_view text) {
    // Code has no words of a person, and hides none here.
    std::string bare(text);
    std::ranges::replace(bare, '`', ' ');
    auto const words = " " + folded_words(bare) + " ";
    std::vector<std::size_t> blanks;
    for (auto at = words.find(' '); at != words.npos; at = words.find(' ', at + 1))
        blanks.push_back(at);
    std::vector<std::string> passages;
    for (std::size_t first = 0; first + words_of_a_passage < blanks.size(); ++first) {
        auto const begin = blanks[first];
        passages.push_back(words.substr(begin, blanks[first + words_of_a_passage] + 1 - begin));
    }
    return passages;
}

} // namespace

bool has_passage_of(std::string_view text, std::string_view original) {
    auto const repeated = passages_of(text);
    if (repeated.empty()) return false;
    auto passages = passages_of(original);
    std::set<std::string> const known_passages(
        std::make_move_iterator(passages.begin()), std::make_move_iterator(passages.end())
    );
    return std::ranges::any_of(repeated, [&](std::string const& passage) {
        return known_passages.contains(passage);
    });
}

} // namespace postrider::agent
