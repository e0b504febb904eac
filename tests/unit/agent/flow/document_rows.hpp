#pragma once
// The rows of tables of docs/flows.md, for tests that run what they show.
#include "tests/support/paths.hpp"

#include <fstream>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

// Of "| a | `b \| c` |": "a", "b | c".
inline std::vector<std::string> cells_of_row(std::string const& row) {
    std::vector<std::string> cells(1);
    for (std::size_t i = 2; i < row.size(); ++i) {
        if (row.compare(i, 2, "\\|") == 0)
            cells.back() += row[++i];
        else if (row[i] == '|')
            cells.emplace_back();
        else
            cells.back() += row[i];
    }
    cells.pop_back();
    for (auto& cell : cells) {
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
        if (cell.size() > 1 && cell.front() == '`' && cell.back() == '`')
            cell = cell.substr(1, cell.size() - 2);
    }
    return cells;
}

// Of all tables with that first line.
inline std::vector<std::vector<std::string>> document_rows(std::string_view head) {
    std::ifstream page(source("docs/flows.md"));
    std::vector<std::vector<std::string>> rows;
    bool is_within = false;
    for (std::string line; std::getline(page, line);) {
        if (line == head) {
            is_within = std::getline(page, line).good();
            continue;
        }
        is_within = is_within && line.starts_with('|');
        if (is_within) rows.push_back(cells_of_row(line));
    }
    return rows;
}

} // namespace postrider::tests
