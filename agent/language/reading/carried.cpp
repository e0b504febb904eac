#include "agent/language/reading/carried.hpp"

#include "agent/language/reading/title.hpp"
#include "agent/language/reference.hpp"

#include <array>

namespace postrider::agent::language {

namespace {

using kind = intent::kind;

constexpr std::size_t longest_title = 3; // words; what is longer is a sentence
constexpr std::size_t longest_first_title = 4;
constexpr std::size_t fewest_letters = 3;

// Who says something, or of whom it is said: no thing to do.
constexpr auto talk = std::to_array<std::string_view>(
    {"i",     "im",      "ill",   "you",    "youre",  "he",    "hes",  "she",  "shes",
     "we",    "they",    "is",    "are",    "am",     "was",   "were", "has",  "have",
     "had",   "will",    "there", "theres", "bye",    "later", "cool", "nice", "great",
     "sorry", "goodbye", "quick", "fast",   "please", "ich",   "du",   "er",   "sie",
     "wir",   "ist",     "sind",  "war",    "yo",     "tu",    "es",   "esta", "ella",
     "je",    "il",      "elle",  "nous",   "vous",   "est",   "я",    "ты",   "он",
     "она",   "мы",      "вы",    "میں",    "اپ",     "ہے",    "hai",  "main", "aap"}
);

bool takes_back(compiled_language const& language, word_span words) {
    return language.doubts.contains_any(words) || language.retractions.contains_any(words) ||
           language.past.contains_any(words) || language.negations.contains_any(words);
}

bool is_talk(compiled_language const& language, passage part) {
    auto const words = part.numbers();
    auto const begins = [&](phrase_set const& phrases) {
        return phrases.at_begin(words).words > 0;
    };
    return begins(language.openings) || begins(language.corrections) || begins(language.requests) ||
           begins(language.confirmations) || begins(language.contrasts) ||
           begins(language.conjunctions) || begins(language.afterthoughts) ||
           begins(language.priorities) || begins(language.pronouns) || begins(language.articles) ||
           language.closings.at_end(words).words > 0;
}

bool holds_talk(passage part) {
    for (std::size_t at = 0; at < part.size(); ++at)
        if (!part[at].quoted && std::ranges::find(talk, part[at].text) != talk.end()) return true;
    return false;
}

bool names_number(intent const& intent) {
    return intent.task.by == task_reference::kind::id;
}

std::size_t words_in(std::string_view title) {
    return words_of(title).words.size();
}

// A thing to add and no more: no time, no urgency.
bool is_plain(intent const& intent) {
    return intent.action == kind::create && !intent.title.empty() && !intent.due &&
           !intent.due_passed && !intent.due_unread && !intent.recurring && !intent.urgency;
}

std::vector<intent> titled(
    clause const& before, std::span<passage const> parts, wall_clock const& clock
) {
    auto const& first = before.intents.back();
    if (before.matched->source->verbal || !is_plain(first)) return {};
    // What follows one title only may be said of it: "add lamp; quite bright".
    auto const most = parts.size() == 1 ? 1 : longest_title;
    auto const most_before = parts.size() == 1 ? 1 : longest_first_title;
    if (words_in(first.title) > most_before) return {};
    std::vector<intent> added;
    for (auto const& part : parts) {
        if (part.size() > most || holds_talk(part)) return {};
        auto& intent = added.emplace_back();
        intent.action = kind::create;
        read_title(*before.language, part, clock, intent);
        if (!is_plain(intent) || intent.title != part.text() ||
            intent.title.size() < fewest_letters)
            return {};
    }
    return added;
}

std::vector<intent> numbered(clause const& before, std::span<passage const> parts) {
    if (!std::ranges::all_of(before.intents, names_number)) return {};
    std::vector<intent> added;
    for (auto const& part : parts) {
        // "a" and "one" are numbers as well.
        if (part.text().find_first_of("0123456789") == std::string::npos) return {};
        for (auto& reference : references_in(*before.language, part)) {
            auto& intent = added.emplace_back();
            intent.action = before.intents.back().action;
            intent.task = std::move(reference);
        }
    }
    if (!std::ranges::all_of(added, names_number)) return {};
    return added;
}

} // namespace

std::vector<intent> carried_by(
    std::span<compiled_language const> languages,
    clause const& before,
    std::span<passage const> parts,
    wall_clock const& clock
) {
    if (parts.empty()) return {};
    for (auto const& part : parts)
        for (auto const& language : languages)
            if (takes_back(language, part.numbers()) || is_talk(language, part)) return {};
    switch (before.intents.back().action) {
    case kind::create:
        return titled(before, parts, clock);
    case kind::get:
    case kind::complete:
    case kind::remove:
        return numbered(before, parts);
    default:
        return {};
    }
}

} // namespace postrider::agent::language
