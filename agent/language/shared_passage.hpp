#pragma once
// Whether a text repeats a passage of another one, in whatever case and punctuation: so many words in a row. Pure.
#include <string_view>

namespace postrider::agent {

inline constexpr std::size_t words_of_a_passage = 10;

bool has_passage_of(std::string_view text, std::string_view original);

} // namespace postrider::agent
