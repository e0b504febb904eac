#pragma once
// Rows of a group's conversation, as storage/stores/group_context.cpp reads them.
#include "storage/row.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace postrider::tests {

struct summary_text {
    std::int64_t job = 0; // the last message that it covers
    std::string text;
    std::int64_t read_at = 0; // seconds
};

// The first row: when the turn came, in seconds, and the summary.
inline storage::row turn_row(std::int64_t arrived_at, std::optional<summary_text> summary = {}) {
    auto const seconds = [](std::int64_t time) { return std::to_string(time) + "000000"; };
    std::vector<std::optional<std::string>> cells(16);
    cells[0] = "0";
    cells[10] = seconds(arrived_at);
    cells[11] = seconds(arrived_at + 1);
    if (summary) {
        cells[1] = std::to_string(summary->job);
        cells[2] = "0";
        cells[7] = summary->text;
        cells[9] = seconds(summary->read_at);
        cells[13] = "40";
    }
    return storage::row(cells);
}

// A message of that job and number, stored at so many seconds; `earlier`: what it said before, as JSON.
inline storage::row said_row(
    std::int64_t job,
    std::string const& number,
    std::int64_t stored_at,
    std::string text,
    std::optional<std::string> earlier = {}
) {
    auto const at = std::to_string(stored_at) + "000000";
    std::vector<std::optional<std::string>> cells(16);
    cells[0] = "0";
    cells[1] = std::to_string(job);
    cells[2] = "0";
    cells[3] = number;
    cells[4] = "7";
    cells[6] = "alice";
    cells[7] = std::move(text);
    cells[8] = std::move(earlier);
    cells[9] = at;
    cells[10] = at;
    cells[12] = "";
    return storage::row(cells);
}

} // namespace postrider::tests
