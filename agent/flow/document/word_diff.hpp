#pragma once
// Two texts compared word by word, for people. Nothing is left out: the parts, put together without
// the added ones, give the old text, and without the removed ones the new text. Pure.
//
// Texts that differ in very many words are compared line by line, or replaced as a whole.
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

struct text_part {
    enum class kind { same, removed, added };
    kind of = kind::same;
    std::string text = {};

    bool operator==(text_part const&) const = default;
};

// Neighbours are of different kinds; of a change what was removed comes first.
std::vector<text_part> diff_words(std::string_view before, std::string_view after);

} // namespace postrider::agent::flow
