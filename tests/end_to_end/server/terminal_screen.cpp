#include "tests/end_to_end/server/terminal_screen.hpp"

#include <boost/locale/encoding_utf.hpp>

#include <algorithm>
#include <stdexcept>

namespace postrider::tests {

namespace {

std::string utf8(std::u32string_view text) {
    return boost::locale::conv::utf_to_utf<char>(text.data(), text.data() + text.size());
}

std::u32string characters(std::string_view text) {
    return boost::locale::conv::utf_to_utf<char32_t>(text.data(), text.data() + text.size());
}

std::size_t size_of_character(char first) {
    auto const bits = static_cast<unsigned char>(first);
    if (bits >= 0xf0) return 4;
    if (bits >= 0xe0) return 3;
    return bits >= 0xc0 ? 2 : 1;
}

std::u32string trimmed(std::u32string row) {
    row.erase(row.find_last_not_of(U' ') + 1);
    return row;
}

} // namespace

terminal_screen::terminal_screen(int rows, int columns)
    : columns_(columns),
      rows_(
          static_cast<std::size_t>(rows), std::u32string(static_cast<std::size_t>(columns), U' ')
      ) {}

void terminal_screen::write(std::string_view bytes) {
    for (char byte : bytes) {
        unread_ += byte;
        if (unread_[0] == '\x1b') {
            bool const is_sequence = unread_.size() > 1 && unread_[1] == '[';
            bool const ends = is_sequence ? unread_.size() > 2 && byte >= '@' && byte <= '~'
                                          : unread_.size() == 2;
            if (!ends) continue;
            if (is_sequence)
                sequence(std::string_view(unread_).substr(2, unread_.size() - 3), byte);
            unread_.clear();
        } else if (static_cast<unsigned char>(unread_[0]) < ' ') {
            control(byte);
            unread_.clear();
        } else if (unread_.size() == size_of_character(unread_[0])) {
            put(characters(unread_));
            unread_.clear();
        }
    }
}

void terminal_screen::put(std::u32string_view character) {
    if (column_ == static_cast<std::size_t>(columns_)) {
        column_ = 0;
        next_row();
    }
    rows_[row_][column_++] = character[0];
}

void terminal_screen::control(char byte) {
    if (byte == '\n') next_row();
    if (byte == '\r') column_ = 0;
    if (byte == '\b' && column_ > 0) --column_;
}

void terminal_screen::next_row() {
    if (row_ + 1 < rows_.size()) {
        ++row_;
        return;
    }
    rows_.erase(rows_.begin());
    rows_.emplace_back(static_cast<std::size_t>(columns_), U' ');
}

void terminal_screen::sequence(std::string_view parameters, char command) {
    if (parameters.starts_with('?')) return; // a mode
    auto const number = parameters.empty() ? 0u : std::stoul(std::string(parameters));
    auto const count = std::max<std::size_t>(number, 1);
    auto const width = static_cast<std::size_t>(columns_);
    column_ = std::min(column_, width - 1);
    auto& row = rows_[row_];
    auto const clear = [](std::u32string& line, std::size_t from) {
        std::fill(line.begin() + static_cast<std::ptrdiff_t>(from), line.end(), U' ');
    };
    switch (command) {
    case 'A':
        row_ -= std::min(row_, count);
        break;
    case 'B':
        row_ = std::min(row_ + count, rows_.size() - 1);
        break;
    case 'C':
        column_ = std::min(column_ + count, width - 1);
        break;
    case 'D':
        column_ -= std::min(column_, count);
        break;
    case 'G':
        column_ = std::min(count, width) - 1;
        break;
    case 'K':
        if (number == 0) clear(row, column_);
        break;
    case 'J':
        clear(row, column_);
        for (auto below = row_ + 1; below < rows_.size(); ++below) clear(rows_[below], 0);
        break;
    case 'P':
        row.erase(column_, count);
        row.resize(width, U' ');
        break;
    case '@':
        row.insert(column_, count, U' ');
        row.resize(width);
        break;
    case 'h':
    case 'l':
    case 'm':
        break;
    default:
        throw std::runtime_error(std::string("an unknown sequence: ") + command);
    }
}

std::string terminal_screen::text() const {
    std::string text;
    for (auto const& row : rows_) text += utf8(trimmed(row)) + '\n';
    text.erase(text.find_last_not_of('\n') + 1);
    return text;
}

std::string terminal_screen::before_cursor() const {
    return utf8(std::u32string_view(rows_[row_]).substr(0, column_));
}

} // namespace postrider::tests
