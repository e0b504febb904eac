#pragma once
// Plain text within HTML. Pure.
#include <string>
#include <string_view>

namespace postrider::base {

// With entities for what HTML gives a meaning: & < > " and '.
std::string html_escaped(std::string_view plain);
// Undoes html_escaped(); all else stays as it is.
std::string html_unescaped(std::string html);

} // namespace postrider::base
