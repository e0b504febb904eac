#pragma once
// The notation of forms (agent/todo/language.hpp). Private to agent/todo. A form that breaks the
// notation throws std::logic_error: forms are part of the program, and a test reads them all.
#include "agent/todo/vocabulary.hpp"

#include <functional>

namespace postrider::agent::todo {

std::vector<element> parse_form(std::string_view text, word_table& table);

// Each word of the form that is no slot, folded.
void for_each_word(std::string_view text, std::function<void(std::string const&)> const& visit);

} // namespace postrider::agent::todo
