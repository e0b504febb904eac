#include "server/terminal/one_line.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::terminal {

std::string one_line(std::string_view text, std::size_t width) {
    auto line = base::printable(text);
    std::ranges::replace(line, '\n', ' ');
    std::ranges::replace(line, '\t', ' ');
    if (base::count_characters(line) <= width) return line;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < line.size(); ++end)
        if (!base::continues_character(line[end]) && ++seen == width) break;
    return line.substr(0, end) + "…";
}

} // namespace postrider::terminal
