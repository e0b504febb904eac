#include "agent/todo/reply_words.hpp"

#include <algorithm>
#include <charconv>
#include <chrono>

namespace postrider::agent::todo {

extern constinit reply_words const english_replies;
extern constinit reply_words const french_replies;
extern constinit reply_words const german_replies;
extern constinit reply_words const russian_replies;
extern constinit reply_words const spanish_replies;
extern constinit reply_words const urdu_replies;

namespace {

constexpr std::array<reply_words const*, 6> every_reply{
    &english_replies,
    &german_replies,
    &spanish_replies,
    &french_replies,
    &russian_replies,
    &urdu_replies};

int number_at(std::string_view text, std::size_t at, std::size_t size) {
    int value = -1;
    auto const part = text.substr(at, size);
    std::from_chars(part.data(), part.data() + part.size(), value);
    return value;
}

} // namespace

reply_words const& reply_words_in(std::string_view language) noexcept {
    auto const found = std::ranges::find(every_reply, language, &reply_words::language);
    return found == every_reply.end() ? english_replies : **found;
}

std::span<reply_words const* const> all_reply_words() noexcept {
    return every_reply;
}

std::string due_text(std::string_view due, reply_words const& words) {
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

} // namespace postrider::agent::todo
