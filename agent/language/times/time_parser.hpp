#pragma once
// The parts of a time, before they are an instant. Private to agent/language. Pure.
#include "agent/language/passage.hpp"

#include <chrono>
#include <optional>

namespace postrider::agent::language {

struct time_parts {
    std::optional<int> days;           // from today
    std::optional<int> weekday;        // 0 is Monday
    std::optional<int> week;           // of the weekday, from this one, where it was said
    std::optional<unsigned> month_day; // without a month: the next such day
    std::optional<unsigned> month;
    std::optional<int> year;
    std::optional<std::chrono::seconds> span; // from now
    std::optional<int> span_months;
    bool exact_span = false;    // hours and less: the time of day follows
    std::optional<int> minutes; // of the day, as said; 24 hours are its end
    std::optional<int> part;    // "morning", by its minutes of the day
    bool before_noon = false;
    bool after_noon = false;
    bool is_bare = false;    // nothing but "18:30" was said
    bool names_half = false; // the time of day said which half of the day it is in
};

bool names_day(time_parts const& parts);

// Nothing: not all of the words belong to one time. `led`: what stands before them asks for a time, so
// that "the 5th" is one.
std::optional<time_parts> parse_time(
    compiled_language const& language, passage words, bool led = false
);

} // namespace postrider::agent::language
