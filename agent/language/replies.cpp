#include "agent/language/replies.hpp"

#include "agent/language/lexicon.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace postrider::agent::language {

namespace {

int number_at(std::string_view text, std::size_t at, std::size_t size) {
    int value = -1;
    auto const part = text.substr(at, size);
    std::from_chars(part.data(), part.data() + part.size(), value);
    return value;
}

} // namespace

replies const& replies_in(std::string_view language) {
    return lexicon_of(language).replies;
}

notices const& notices_in(std::string_view language) {
    return lexicon_of(language).notices;
}

std::string due_text(std::string_view due, replies const& words) {
    constexpr std::size_t day_size = 10;    // of "2026-12-24"
    constexpr std::size_t minute_size = 16; // of "2026-12-24T18:00"
    std::chrono::year_month_day const date{
        std::chrono::year(due.size() < day_size ? 0 : number_at(due, 0, 4)),
        std::chrono::month(static_cast<unsigned>(due.size() < day_size ? 0 : number_at(due, 5, 2))),
        std::chrono::day(static_cast<unsigned>(due.size() < day_size ? 0 : number_at(due, 8, 2)))};
    if (!date.ok()) return std::string(due);
    auto const weekday = std::chrono::weekday(std::chrono::sys_days(date)).iso_encoding() - 1;
    auto text = in_words(
        words.day,
        words.weekdays.at(weekday),
        static_cast<unsigned>(date.day()),
        words.months.at(static_cast<unsigned>(date.month()) - 1),
        static_cast<int>(date.year())
    );
    if (due.size() < minute_size) return text;
    return in_words(words.time, text, due.substr(day_size + 1, 5));
}

} // namespace postrider::agent::language
