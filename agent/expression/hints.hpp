#pragma once
// What people write who know other languages, and how it is written here. Pure. Each gives the end
// of an error's sentence, such as "; its size is size()", or "".
#include <string>
#include <string_view>

namespace postrider::agent::expressions {

std::string hint_for_function(std::string_view name);
std::string hint_for_member(std::string_view name);
std::string hint_for_variable(std::string_view name); // with its $
// Of a word where none can stand, such as the "and" in "a and b".
std::string hint_for_word(std::string_view name);

} // namespace postrider::agent::expressions
