#include "server/terminal/one_line.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::terminal {

std::string one_line(std::string_view text, std::size_t width) {
    auto shown = base::printable(text);
    std::ranges::replace(shown, '\n', ' ');
    std::ranges::replace(shown, '\t', ' ');
    if (base::count_characters(shown) <= width) return shown;
    std::size_t end = 0;
    for (std::size_t seen = 0; end < shown.size(); ++end)
        if (!base::continues_character(shown[end]) && ++seen == width) break;
    return shown.substr(0, end) + "…";
}

} // namespace postrider::terminal
