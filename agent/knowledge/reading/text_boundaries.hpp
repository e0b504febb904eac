#pragma once
// Where a text may be cut: behind sentences, between words, and between the characters that people see. Pure. Texts are
// valid UTF-8; places are bytes.
#include <cstddef>
#include <string_view>

namespace postrider::agent::knowledge {

// The end of the text's first sentence with the blanks behind it; the text's end where it is one sentence. A line end
// before an item of a list ends a sentence, too. Abbreviations and numbers do not.
std::size_t end_of_sentence(std::string_view text);

// The longest beginning of at most so many code points that ends behind a blank, or else between two graphemes. A grapheme
// that is longer is cut; never 0 unless the text is empty or `most` is.
std::size_t end_of_words(std::string_view text, std::size_t most);

} // namespace postrider::agent::knowledge
