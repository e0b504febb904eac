#pragma once
// A table drawn in characters of one width, for a block of code. Pure.
#include <string>
#include <string_view>
#include <vector>

namespace postrider::telegram {

class text_table {
public:
    void begin_row() { rows_.emplace_back(); }
    // Of the row that began last. The first row says for all which columns stand at the right.
    void begin_cell(bool at_right);
    // Into the cell that began last.
    void write(std::string_view words);
    // A line follows the rows so far.
    void end_head() { head_ = rows_.size(); }

    // Without a newline at the end; "" = it has no cells.
    std::string draw() const;

private:
    std::vector<std::vector<std::string>> rows_;
    std::vector<bool> at_right_;
    std::size_t head_ = 0;
};

} // namespace postrider::telegram
