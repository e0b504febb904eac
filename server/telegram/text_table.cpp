#include "server/telegram/text_table.hpp"

#include <algorithm>
#include <utf8proc.h>

namespace postrider::telegram {

namespace {

constexpr std::string_view column_gap = "  ";
// Beyond it a cell moves the rest of its row, so that one long cell does not make all rows long.
constexpr std::size_t widest_column = 40;

// In columns of a terminal: wide characters have two, accents none.
std::size_t width_of(std::string_view text) {
    std::size_t width = 0;
    auto const* bytes = reinterpret_cast<utf8proc_uint8_t const*>(text.data());
    for (auto remaining = static_cast<utf8proc_ssize_t>(text.size()); remaining > 0;) {
        utf8proc_int32_t character = 0;
        auto const used =
            std::max<utf8proc_ssize_t>(utf8proc_iterate(bytes, remaining, &character), 1);
        width += character < 0 ? 1 : static_cast<std::size_t>(utf8proc_charwidth(character));
        bytes += used;
        remaining -= used;
    }
    return width;
}

} // namespace

void text_table::begin_cell(bool at_right) {
    rows_.back().emplace_back();
    if (rows_.size() == 1) at_right_.push_back(at_right);
}

void text_table::write(std::string_view words) {
    if (!rows_.empty() && !rows_.back().empty()) rows_.back().back() += words;
}

std::string text_table::draw() const {
    std::vector<std::size_t> widths(at_right_.size());
    for (auto const& row : rows_)
        for (std::size_t column = 0; column < std::min(row.size(), widths.size()); ++column)
            widths[column] = std::clamp(width_of(row[column]), widths[column], widest_column);
    std::string drawn;
    for (std::size_t number = 0; number < rows_.size(); ++number) {
        std::string line;
        for (std::size_t column = 0; column < std::min(rows_[number].size(), widths.size());
             ++column) {
            auto const& cell = rows_[number][column];
            auto const width = width_of(cell);
            std::string const room(widths[column] - std::min(width, widths[column]), ' ');
            if (column > 0) line += column_gap;
            line += at_right_[column] ? room + cell : cell + room;
        }
        line.resize(line.find_last_not_of(' ') + 1);
        drawn.append(drawn.empty() ? "" : "\n").append(line);
        if (number + 1 != head_) continue;
        drawn += '\n';
        for (std::size_t column = 0; column < widths.size(); ++column)
            drawn.append(column > 0 ? column_gap : "").append(widths[column], '-');
    }
    return drawn;
}

} // namespace postrider::telegram
