#pragma once
// A message as its words alone: what two messages that say the same share. Pure.
#include <string>
#include <string_view>

namespace postrider::agent {

// As words_of() folds them, divided by blanks; of a quotation its text. "" = the message has no word.
std::string folded_words(std::string_view message);

} // namespace postrider::agent
