#include "server/cli/table.hpp"

#include "base/utf8.hpp"

#include <algorithm>

namespace postrider::cli {

std::string table(cells const& head, std::span<cells const> lines) {
    std::vector<std::size_t> widths;
    auto measure = [&](cells const& line) {
        widths.resize(std::max(widths.size(), line.size()));
        for (std::size_t i = 0; i < line.size(); ++i)
            widths[i] = std::max(widths[i], base::count_characters(line[i]));
    };
    measure(head);
    for (auto const& line : lines) measure(line);

    std::string text;
    auto add = [&](cells const& line) {
        for (std::size_t i = 0; i < line.size(); ++i) {
            auto cell = one_line(line[i], widths[i]);
            text +=
                cell +
                std::string(widths[i] - std::min(widths[i], base::count_characters(cell)) + 2, ' ');
        }
        text.erase(text.find_last_not_of(' ') + 1);
        text += '\n';
    };
    add(head);
    for (auto const& line : lines) add(line);
    return text;
}

} // namespace postrider::cli
