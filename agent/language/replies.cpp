#include "agent/language/replies.hpp"

#include "agent/language/lexicon.hpp"
#include "base/names.hpp"
#include "base/texts.hpp"

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

constexpr base::names<number_forms, 3> names_of_forms{{
    {number_forms::singular, "one"},
    {number_forms::up_to_one, "up_to_one"},
    {number_forms::last_digits, "last_digits"},
}};

constexpr std::string_view apart_begins = "\u2068";
constexpr std::string_view apart_ends = "\u2069";

// By the first byte of a character: those of Hebrew and Arabic.
bool is_right_to_left(char first) {
    auto const byte = static_cast<unsigned char>(first);
    return byte >= 0xd6 && byte <= 0xdb;
}

// Likewise of Latin, Greek and Cyrillic.
bool is_left_to_right(char first) {
    auto const byte = static_cast<unsigned char>(first);
    bool const is_latin = (first >= 'a' && first <= 'z') || (first >= 'A' && first <= 'Z');
    return is_latin || (byte >= 0xc3 && byte <= 0xd4);
}

std::size_t form_of(std::int64_t number, number_forms forms) {
    switch (forms) {
    case number_forms::singular:
        return number == 1 ? 0 : 1;
    case number_forms::up_to_one:
        return number == 0 || number == 1 ? 0 : 1;
    case number_forms::last_digits:
        break;
    }
    auto const last = number % 10;
    bool const is_teen = number % 100 - last == 10;
    if (last == 1 && !is_teen) return 0;
    return last >= 2 && last <= 4 && !is_teen ? 1 : 2;
}

} // namespace

std::string set_apart(std::string_view sentence, std::string_view part) {
    auto const first = std::ranges::find_if(part, [](char c) {
        return is_left_to_right(c) || is_right_to_left(c);
    });
    bool const turns = first != part.end() && is_left_to_right(*first) &&
                       std::ranges::any_of(sentence, is_right_to_left);
    if (!turns) return std::string(part);
    return std::string(apart_begins).append(part).append(apart_ends);
}

std::string without_marks(std::string_view text) {
    std::string plain(text);
    base::replace_all(plain, apart_begins, "");
    base::replace_all(plain, apart_ends, "");
    return plain;
}

std::optional<number_forms> number_forms_named(std::string_view name) noexcept {
    return base::named(names_of_forms, name);
}

std::string counted(std::int64_t number, counted_noun const& noun, std::string_view language) {
    return in_words(noun.at(form_of(number, lexicon_of(language).number_forms)), number);
}

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
