#include "agent/knowledge/reading/section_writer.hpp"

#include "agent/formats/html_events.hpp"
#include "agent/knowledge/reading/failures.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace postrider::agent::knowledge {

namespace {

constexpr int most_heading_levels = 6;
constexpr std::size_t longest_heading = 150; // bytes
constexpr std::size_t longest_title = 300;
constexpr std::size_t longest_link = 500;

std::string without_outer_blanks(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\n\f\r");
    if (begin == text.npos) return {};
    return std::string(text.substr(begin, text.find_last_not_of(" \t\n\f\r") + 1 - begin));
}

// Blank lines and blanks at line ends go; the indentation of the first line stays.
std::string without_blank_lines_around(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\n\f\r");
    if (begin == text.npos) return {};
    auto const line = text.substr(0, begin).rfind('\n');
    text.remove_prefix(line == text.npos ? 0 : line + 1);
    return std::string(text.substr(0, text.find_last_not_of(" \t\n\f\r") + 1));
}

} // namespace

void section_writer::set_title(std::string_view title) {
    if (!document_.title.empty()) return;
    auto line = base::as_utf8(without_outer_blanks(title));
    std::ranges::replace_if(
        line, [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' '
    );
    document_.title = base::shortened(line, longest_title);
}

void section_writer::set_page(int page) {
    flush_prose();
    page_ = page;
    document_.pages = page;
}

void section_writer::begin_heading(int level) {
    if (heading_level_ > 0) end_heading();
    become_layout();
    flush_prose();
    heading_level_ = std::clamp(level, 1, most_heading_levels);
    heading_.clear();
    pending_ends_ = 0;
    pending_space_ = false;
}

void section_writer::end_heading() {
    if (heading_level_ == 0) return;
    auto const level = std::exchange(heading_level_, 0);
    pending_space_ = false;
    auto text = without_outer_blanks(base::as_utf8(std::exchange(heading_, {})));
    if (text.empty()) return;
    close_headings(level);
    if (!headings_.empty()) headings_.back().is_used = true;
    headings_.push_back({level, base::shortened(text, longest_heading), false});
}

// Headings with nothing below them are text themselves.
void section_writer::close_headings(int level) {
    while (!headings_.empty() && headings_.back().level >= level) {
        if (!headings_.back().is_used) add_section(section_kind::prose, headings_.back().text);
        headings_.pop_back();
    }
}

std::string section_writer::path() const {
    std::string path;
    for (auto const& heading : headings_)
        path.append(path.empty() ? "" : " > ").append(heading.text);
    return path;
}

void section_writer::begin_text() {
    auto& to = in_code_ ? code_ : prose_;
    bool const within_line = pending_ends_ == 0;
    if (!to.empty()) to.append(static_cast<std::size_t>(pending_ends_), '\n');
    pending_ends_ = 0;
    if (pending_space_ && within_line && !to.empty() && to.back() != '\n') to += ' ';
    pending_space_ = false;
}

void section_writer::put(char c) {
    is_item_begun_ = false;
    if (is_full()) return;
    ++text_bytes_;
    if (heading_level_ > 0 || is_cell_open_) {
        auto& to = heading_level_ > 0 ? heading_ : cell_;
        if (pending_space_ && !to.empty()) to += ' ';
        pending_space_ = false;
        if (c == '|' && heading_level_ == 0) to += '\\';
        to += c;
        return;
    }
    begin_text();
    (in_code_ ? code_ : prose_) += c;
}

void section_writer::write(std::string_view text) {
    for (char const c : text) {
        if (formats::is_html_space(c))
            pending_space_ = true;
        else if (static_cast<unsigned char>(c) >= 0x20)
            put(c);
    }
}

void section_writer::write_verbatim(std::string_view text) {
    if (heading_level_ > 0 || is_cell_open_) return write(text);
    for (char const c : text)
        if (static_cast<unsigned char>(c) >= 0x20 || c == '\n' || c == '\t') put(c);
}

void section_writer::begin_link(std::string_view target) {
    bool const is_whole = target.starts_with("https://") || target.starts_with("http://") ||
                          target.starts_with("mailto:");
    bool const is_shown = is_whole && target.size() <= longest_link && heading_level_ == 0;
    links_.emplace_back(is_shown ? target : std::string_view());
    if (is_shown) write("[");
}

void section_writer::end_link() {
    if (links_.empty()) return;
    if (!links_.back().empty() && heading_level_ == 0) {
        write("](");
        write(links_.back());
        write(")");
    }
    links_.pop_back();
}

void section_writer::end_line(int ends) {
    if (ends == 0 || is_item_begun_) return;
    pending_space_ = heading_level_ > 0 || is_cell_open_; // which have one line
    if (!pending_space_) pending_ends_ = std::max(pending_ends_, ends);
}

void section_writer::begin_item(std::string_view mark, std::size_t levels_around) {
    constexpr std::size_t most_levels = 8;
    drop_empty_item();
    end_line(1);
    item_from_ = prose_.size();
    write_verbatim(std::string(2 * std::min(levels_around, most_levels), ' '));
    write_verbatim(mark);
    is_item_begun_ = true;
}

void section_writer::drop_empty_item() {
    if (is_item_begun_ && !is_cell_open_ && heading_level_ == 0) prose_.resize(item_from_);
    is_item_begun_ = false;
}

void section_writer::begin_code() {
    if (heading_level_ > 0) return;
    become_layout();
    flush_prose();
    in_code_ = true;
    pending_ends_ = 0;
    pending_space_ = false;
}

void section_writer::end_code() {
    if (!in_code_) return;
    in_code_ = false;
    pending_ends_ = 0;
    pending_space_ = false;
    add_section(section_kind::code, without_blank_lines_around(std::exchange(code_, {})));
}

void section_writer::begin_table() {
    if (heading_level_ > 0 || in_code_) return;
    become_layout();
    flush_prose();
    ++table_depth_;
}

void section_writer::end_table() {
    if (table_depth_ == 0) return;
    if (is_in_rows()) {
        close_row();
        flush_table();
    }
    --table_depth_;
    layout_depth_ = std::min(layout_depth_, table_depth_);
    end_line(2);
}

void section_writer::begin_row() {
    end_row();
}

void section_writer::end_row() {
    if (!is_in_rows()) return end_line(1);
    close_row();
}

void section_writer::begin_cell() {
    if (!is_in_rows()) return end_line(2);
    close_cell();
    is_cell_open_ = true;
    pending_space_ = false;
}

void section_writer::end_cell() {
    if (!is_in_rows()) return end_line(2);
    close_cell();
}

void section_writer::close_cell() {
    if (!is_cell_open_) return;
    is_cell_open_ = false;
    is_item_begun_ = false;
    pending_space_ = false;
    auto const cell = std::exchange(cell_, {});
    if (is_full()) return;
    row_.append("| ").append(cell).append(cell.empty() ? "" : " ");
    text_bytes_ += 3;
    ++row_cells_;
    if (!cell.empty()) ++filled_cells_;
}

void section_writer::close_row() {
    close_cell();
    auto const cells = std::exchange(row_cells_, 0);
    auto const filled = std::exchange(filled_cells_, 0);
    auto const row = std::exchange(row_, {});
    if (row.find_first_not_of("| ") == row.npos) return;
    bool const is_header = table_.empty();
    table_.append(row).append("|\n");
    most_cells_ = std::max(most_cells_, filled);
    if (!is_header) return;
    for (std::size_t i = 0; i < cells; ++i) table_ += "| --- ";
    table_ += "|\n";
    text_bytes_ += 6 * cells;
}

// All open tables are.
void section_writer::become_layout() {
    if (!is_in_rows()) return;
    close_row();
    flush_table();
    layout_depth_ = table_depth_;
}

void section_writer::flush_table() {
    flush_prose(); // the caption
    auto const columns = std::exchange(most_cells_, 0);
    auto table = std::exchange(table_, {});
    if (columns > 1) return add_section(section_kind::table, std::move(table));
    // One text in each line, and the ruler in the second one.
    std::string prose;
    for (std::size_t at = 0, number = 0; at < table.size(); ++number) {
        auto const end = table.find('\n', at);
        auto const row = std::string_view(table).substr(at, end - at);
        auto const begin = std::min(row.find_first_not_of("| "), row.size());
        if (number != 1)
            prose.append(row.substr(begin, row.find_last_not_of("| ") + 1 - begin)).append("\n\n");
        at = end + 1;
    }
    base::replace_all(prose, "\\|", "|");
    add_section(section_kind::prose, std::move(prose));
}

void section_writer::flush_prose() {
    drop_empty_item();
    pending_ends_ = 0;
    pending_space_ = false;
    add_section(section_kind::prose, without_blank_lines_around(std::exchange(prose_, {})));
}

void section_writer::add_section(section_kind kind, std::string text) {
    if (text.find_first_not_of(" \t\n\f\r") == text.npos) return;
    while (text.ends_with('\n')) text.pop_back();
    if (document_.sections.size() == limits_.sections) {
        is_overfull_ = true;
        return;
    }
    if (!headings_.empty()) headings_.back().is_used = true;
    document_.sections.push_back({path(), page_, kind, base::as_utf8(std::move(text))});
}

base::error section_writer::error() const {
    if (is_overfull_)
        return document_too_large(fmt::format("more than {} sections", limits_.sections));
    return document_too_large(fmt::format("more than {} bytes of text", limits_.text_bytes));
}

document_text section_writer::finish() {
    end_heading();
    end_code();
    while (table_depth_ > 0) end_table();
    flush_prose();
    close_headings(0);
    return std::move(document_);
}

} // namespace postrider::agent::knowledge
