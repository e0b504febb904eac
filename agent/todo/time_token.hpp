#pragma once
// Times and dates that are one word: "9:30", "9am", "14h30", "24.12.", "24/12/2026", "2026-12-24",
// "2nd". Private to agent/todo. Pure. Words are folded.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::todo {

struct time_token {
    std::optional<std::chrono::year_month_day> date;
    bool has_year = false;
    std::optional<int> minutes; // of the day
    bool before_noon = false;
    bool after_noon = false;
    bool names_half = false; // "21:30", "9am", "09:30": it is clear which half of the day is meant
};

// A bare number is none.
std::optional<time_token> read_time_token(std::string const& text);

// "24th", "1er", "2-го".
std::optional<unsigned> ordinal_day(std::string_view text);

} // namespace postrider::agent::todo
