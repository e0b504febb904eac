#pragma once
// What somebody probably meant, for every message about a name that is not known. Pure.
#include <span>
#include <string>
#include <string_view>

namespace postrider::cli {

// "; did you mean X?", or "" when no known name is near, or it is known.
std::string suggestion(std::string_view word, std::span<std::string const> candidates);

// Both: what was meant, and where all are: "; did you mean X? `jobs list` shows all", "; `jobs list`
// shows all".
std::string hint_and(std::string_view hint, std::string_view where);

} // namespace postrider::cli
