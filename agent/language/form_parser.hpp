#pragma once
// The notation of forms (agent/language/lexicon.hpp). Private to agent/language. A form that breaks the
// notation throws std::logic_error: forms are part of the program, and a test reads them all.
#include "agent/language/vocabulary.hpp"

#include <functional>

namespace postrider::agent::language {

std::vector<element> parse_form(std::string_view text, word_table& table);

// Each word of the form that is no slot, folded.
void for_each_word(std::string_view text, std::function<void(std::string const&)> const& visit);

} // namespace postrider::agent::language
