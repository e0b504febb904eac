#pragma once
// Text tables for terminals: columns as wide as their widest cell, two blanks between, no line ends
// with a blank. Control characters in cells are shown as '?', so that nothing from outside moves
// the cursor.
#include "base/utf8.hpp"
#include "server/terminal/one_line.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::cli {

using cells = std::vector<std::string>;

std::string table(cells const& head, std::span<cells const> lines);

using base::printable;
using terminal::one_line;

} // namespace postrider::cli
