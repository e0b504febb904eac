#pragma once
// Text from outside for one line of a terminal: control characters are shown as '?', so that it does
// not move the cursor. Pure.
#include <string>
#include <string_view>

namespace postrider::terminal {

// One line, cut to `width` characters with an ellipsis; counts UTF-8 characters, not bytes.
std::string one_line(std::string_view text, std::size_t width);

} // namespace postrider::terminal
