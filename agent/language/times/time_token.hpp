#pragma once
// Times, dates and lengths of time that are one word: "9:30", "9am", "7.30pm", "14h30", "24.12.", "24/12/2026",
// "2026-12-24", "2nd", "1h30", "45min". Private to agent/language. Pure. Words are folded.
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::agent::language {

struct time_token {
    std::optional<std::chrono::year_month_day> date;
    bool has_year = false;
    // Both 5/6 and 6/5 are dates; `date` has the day first. With a full stop the day is first.
    bool month_may_lead = false;
    // "3.12", "1.2.26", "3/4": as often a version, a price or a part.
    bool needs_lead = false;
    std::optional<int> minutes; // of the day; "24:00" is its end
    bool names_hours = false;   // "9am", "14h30", not "9:30": it can be nothing else
    bool before_noon = false;
    bool after_noon = false;
    bool names_half = false; // "21:30", "9am", "09:30": it is clear which half of the day is meant
};

// A bare number is none.
std::optional<time_token> read_time_token(std::string const& text);

// "18.30", which is one only where a word says so: in minutes of the day.
std::optional<int> read_dotted_time(std::string const& text);

// A time of day without a word that makes it one: "18:30", but also a verse or a ratio. People say times of
// whole five minutes, and the others of these are hardly ever times.
bool may_be_clock_time(std::string const& text);

// "05", "30"
bool is_minutes(std::string const& text);

// "25h"
bool has_form_of_hour(std::string const& text);

// It is written like a date or a time of day, which may not exist: "25:00", "2027-02-30", "13pm".
bool has_form_of_time(std::string const& text);

// "1h30", "2h", "1.5h", "45min", "90s". Some of them are times of day as well.
std::optional<std::chrono::seconds> read_span_token(std::string const& text);

// Hundredths: "1.5" is 150. A whole number is none.
std::optional<int> read_decimal(std::string const& text);

// "24th", "1er", "2-го".
std::optional<unsigned> ordinal_day(std::string_view text);

} // namespace postrider::agent::language
