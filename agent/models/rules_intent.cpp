#include "agent/models/rules_intent.hpp"

#include "agent/expression/arithmetic.hpp"
#include "agent/expression/calculation.hpp"
#include "agent/language/utc_offset.hpp"
#include "base/ascii.hpp"
#include "base/texts.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace postrider::agent {

namespace {

constexpr std::array<std::string_view, 15> question_words{
    "and ",
    "then ",
    "so ",
    "what is",
    "what's",
    "whats",
    "what are",
    "how much is",
    "how much are",
    "calculate",
    "compute",
    "evaluate",
    "solve",
    "please",
    "="};

constexpr std::array<std::pair<std::string_view, std::string_view>, 6> spoken_operators{{
    {" plus ", " + "},
    {" minus ", " - "},
    {" times ", " * "},
    {" multiplied by ", " * "},
    {" divided by ", " / "},
    {" to the power of ", " ^ "},
}};

constexpr std::array<std::string_view, 11> time_phrases{
    "what time",
    "time in ",
    "what's the time",
    "what is the time",
    "the time is it",
    "current time",
    "what date",
    "what day",
    "what's the date",
    "what is the date",
    "today's date"};

constexpr std::array<std::string_view, 8> greetings{
    "hi", "hello", "hey", "good morning", "good evening", "good afternoon", "greetings", "/start"};

constexpr std::array<std::string_view, 7> help_words{
    "help", "/help", "who are you", "what are you", "what can you do", "how do you work", "?"};

// Behind a place they say nothing of it.
constexpr std::array<std::string_view, 8> polite_words{
    " right now",
    " just now",
    " now",
    " at the moment",
    " currently",
    " today",
    " please",
    " there"};

constexpr std::array<std::string_view, 4> thank_words{"thanks", "thank you", "thx", "ty"};

std::string_view trim(std::string_view text, std::string_view characters) {
    auto first = text.find_first_not_of(characters);
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(characters) - first + 1);
}

// Without "what is", "please" and the question mark.
std::string_view core_of(std::string_view text) {
    text = trim(text, " \t\r\n?!=.,:");
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (auto words : question_words) {
            if (text.starts_with(words)) {
                text = trim(text.substr(words.size()), " \t\r\n?!=,:");
                shorter = true;
            } else if (words == "please" && text.ends_with(words)) {
                text = trim(text.substr(0, text.size() - words.size()), " \t\r\n?!=,:");
                shorter = true;
            }
        }
    }
    return text;
}

// An expression that calculates something: a bare number is none. One that fails only in its
// result, such as 1/0, still is.
bool is_calculation(std::string_view text) {
    if (text.find_first_of("0123456789") == text.npos) return false;
    auto value = calculate(text);
    bool const bare = text.find_first_not_of("0123456789. ") == text.npos;
    if (value) return !bare;
    return text.find_first_not_of("0123456789.+-*/%^() ") == text.npos &&
           value.error().reason == expressions::by_zero;
}

bool is_one_of(std::string_view text, auto const& words) {
    return std::ranges::find(words, text) != words.end();
}

// "UTC+2" in "what time is it in utc+2?".
std::string offset_in(std::string_view text) {
    for (std::string_view name : {"utc", "gmt"}) {
        auto at = text.find(name);
        if (at == text.npos) continue;
        auto end = text.find_first_not_of("0123456789:+-", at + name.size());
        auto candidate = text.substr(at, end == text.npos ? end : end - at);
        if (parse_utc_offset(candidate)) return std::string(candidate);
    }
    return {};
}

// "são paulo" in "what time is it in são paulo right now?".
std::string place_in(std::string_view text) {
    constexpr std::string_view opening = " in ";
    auto const at = text.rfind(opening);
    if (at == text.npos) return {};
    auto place = trim(text.substr(at + opening.size()), " \t\r\n?!.,");
    place = place.substr(0, place.find_first_of("?!\n"));
    for (bool shorter = true; shorter;) {
        shorter = false;
        for (auto filler : polite_words)
            if (place.ends_with(filler)) {
                place = trim(place.substr(0, place.size() - filler.size()), " ,");
                shorter = true;
            }
    }
    return std::string(place);
}

intent time_intent(std::string_view text) {
    auto offset = offset_in(text);
    return {intent::kind::time, offset.empty() ? place_in(text) : std::move(offset)};
}

} // namespace

intent understand(std::string_view message) {
    auto text = base::to_lower(std::string(message));
    auto plain = std::string(trim(text, " \t\r\n?!.,"));
    if (plain.empty() && text.find('?') != text.npos) plain = "?";

    auto expression = std::string(core_of(text));
    for (auto const& [spoken, written] : spoken_operators)
        base::replace_all(expression, spoken, written);
    if (is_calculation(expression)) return {intent::kind::arithmetic, expression};

    for (auto phrase : time_phrases)
        if (text.find(phrase) != text.npos) return time_intent(text);
    if (plain == "time" || plain == "date" || plain == "now") return {intent::kind::time, {}};
    if (is_one_of(plain, help_words)) return {intent::kind::help, {}};
    if (is_one_of(plain, thank_words)) return {intent::kind::thanks, {}};
    for (auto greeting : greetings)
        if (plain == greeting || plain.starts_with(std::string(greeting) + " there") ||
            plain.starts_with(std::string(greeting) + ","))
            return {intent::kind::greeting, {}};
    return {};
}

} // namespace postrider::agent
