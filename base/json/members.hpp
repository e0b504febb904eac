#pragma once
// What parse_json() cannot tell afterwards: which members a text says twice, of which it keeps the
// last. For JSON that is refused rather than guessed at.
#include <optional>
#include <string>
#include <string_view>

namespace postrider::base {

// The first member that an object of the document, at whatever depth, has twice; none where there is
// no such member, or the text is no JSON.
std::optional<std::string> repeated_member(std::string_view text);

} // namespace postrider::base
