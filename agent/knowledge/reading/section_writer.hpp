#pragma once
// Collects what a reader reads as the sections of a document. Text may come in pieces of any size. Pure.
//
// The text goes into what is open: a heading, a table's cell, a code block, or else a paragraph. A table with one column,
// or with headings, code or tables in its cells, is there for the layout: it becomes paragraphs.
#include "agent/knowledge/reading/document_text.hpp"
#include "agent/knowledge/reading/read_document.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::knowledge {

class section_writer {
public:
    explicit section_writer(reading_limits const& limits) : limits_(limits) {}

    // The first one that is not blank counts.
    void set_title(std::string_view title);
    // From here on.
    void set_page(int page);

    // Levels count from 1; those above 6 are 6.
    void begin_heading(int level);
    void end_heading();

    // Runs of blanks become one space.
    void write(std::string_view text);
    // As it is, with its line ends.
    void write_verbatim(std::string_view text);
    // Around a link's text. The target is shown as in Markdown where it leads outside of the document's own site; in
    // headings it is not.
    void begin_link(std::string_view target);
    void end_link();
    // So many line ends at least before what comes next: 1 for a line, 2 for a paragraph; 0 changes nothing.
    void end_line(int ends);
    // At the beginning of a line, with two spaces for each level of lists around it.
    void begin_item(std::string_view mark, std::size_t levels_around);

    void begin_code();
    void end_code();

    void begin_table();
    void end_table();
    void begin_row();
    void end_row();
    void begin_cell();
    void end_cell();

    // The limits are reached: what follows is dropped. Readers stop then, and return error().
    bool is_full() const noexcept { return text_bytes_ > limits_.text_bytes || is_overfull_; }
    base::error error() const;
    // So many bytes fill it.
    std::size_t room() const noexcept {
        return is_full() ? 0 : limits_.text_bytes - text_bytes_ + 1;
    }

    // With what is left open.
    document_text finish();

private:
    struct open_heading {
        int level;
        std::string text;
        bool is_used; // some section has it in its path
    };

    std::string path() const;
    // Within a table that is not there for the layout.
    bool is_in_rows() const noexcept { return table_depth_ > layout_depth_; }
    void put(char c);
    void begin_text();
    void flush_prose();
    void drop_empty_item();
    void close_cell();
    void close_row();
    void flush_table();
    void become_layout();
    void add_section(section_kind kind, std::string text);
    void close_headings(int level);

    reading_limits limits_;
    document_text document_;
    std::vector<open_heading> headings_;
    std::optional<int> page_;
    int heading_level_ = 0; // of the open one; 0 = none
    std::string heading_;
    std::string prose_;
    std::string code_;
    bool in_code_ = false;
    int pending_ends_ = 0;
    bool pending_space_ = false;
    // The mark of an item is the last that was written: its paragraph stays in the line.
    bool is_item_begun_ = false;
    std::size_t item_from_ = 0;      // of the prose: where its mark begins
    std::vector<std::string> links_; // the targets of the open ones; "" = not shown
    std::size_t table_depth_ = 0;
    std::size_t layout_depth_ = 0; // so many of the open tables are there for the layout
    bool is_cell_open_ = false;
    std::string table_;
    std::string row_;
    std::string cell_;
    std::size_t row_cells_ = 0;
    std::size_t filled_cells_ = 0; // of the row
    std::size_t most_cells_ = 0;   // that a row of the table has filled
    std::size_t text_bytes_ = 0;
    bool is_overfull_ = false; // too many sections
};

} // namespace postrider::agent::knowledge
