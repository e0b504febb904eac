#pragma once
// Languages made ready for matching: their words as numbers, their lists as phrases, their forms as
// sequences. Private to agent/language. Immutable once made.
#include "agent/language/lexicon.hpp"
#include "agent/language/words.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace postrider::agent::language {

// A word of any of the languages; 0 is every other word.
using word_number = std::uint32_t;
using word_numbers = std::vector<word_number>;
using word_span = std::span<word_number const>;

class word_table {
public:
    word_number add(std::string const& text);
    word_number find(std::string const& text) const;
    word_numbers add_all(std::string_view phrase);

private:
    std::unordered_map<std::string, word_number> numbers_;
};

using word_set = std::set<std::string, std::less<>>;

// Phrases with a value each; the longest at a place is found.
class phrase_set {
public:
    struct match {
        std::size_t words = 0; // 0: none
        int value = 0;
    };

    void add(word_table& table, phrases const& list, int value = 0);
    match at_begin(word_span words) const;
    match at_end(word_span words) const;
    bool contains_any(word_span words) const;
    bool is(word_span words) const {
        return !words.empty() && at_begin(words).words == words.size();
    }
    // Made of such phrases alone, and not empty.
    bool only(word_span words) const;

private:
    struct entry {
        word_numbers words;
        int value = 0;
    };
    std::vector<entry> const* of(
        std::unordered_map<word_number, std::vector<entry>> const& index, word_number key
    ) const;

    std::unordered_map<word_number, std::vector<entry>> by_first_;
    std::unordered_map<word_number, std::vector<entry>> by_last_;
};

enum class slot : std::uint8_t { title, task, search, time, verb, priority, level };
inline constexpr std::size_t slot_count = 7;

struct element {
    std::optional<slot> takes; // else one of the alternatives
    bool optional = false;
    std::vector<word_numbers> alternatives;
};

struct compiled_form {
    form const* source = nullptr;
    std::vector<element> elements;
};

// Added to the minutes of a part of the day: it stands by itself ("noon"), or it is today's ("tonight").
inline constexpr int stands_alone = 10'000;
inline constexpr int is_of_today = 20'000;

struct time_phrases {
    phrase_set weekdays, short_weekdays, months, days, parts, day_parts, units, seconds, next,
        current, within, at, on, inside;
    phrase_set day_leads, day_marks, numbered, topics, turns, until, bounds, through, aims,
        named_days, behind, hours;
    phrase_set before_noon, after_noon, half, clock_before, clock_behind, clock_named, spans,
        recurring;
    bool twelve_hours = false;
    bool hours_need_mark = false;
    bool months_may_lead = false;
    bool only_first_is_ordinal = false;
};

struct stretch_phrases {
    phrase_set weeks, weekends, months, days, weekdays, parts, until, before, since;
};

struct compiled_language {
    lexicon const* source = nullptr;
    std::vector<compiled_form> forms;
    // By each word with which the first part that a form must have can begin.
    std::unordered_map<word_number, std::vector<std::size_t>> forms_by_key;
    std::vector<std::size_t> wordless_forms; // "<task> <priority>", which no such word begins
    phrase_set openings, corrections, requests, closings, afterthoughts, confirmations,
        conjunctions;
    phrase_set doubts, past, negations, contrasts, concessions, provisos, retractions;
    phrase_set numbers, ordinals, ordinal_leads, number_marks, pronouns, everything, exceptions,
        ranges, articles, nouns, plurals, no_titles, priorities, levels;
    stretch_phrases stretches;
    phrase_set neighbours;
    std::vector<past_verb> past_verbs; // the verbs folded
    time_phrases times;
    word_set common; // apart from the rules, which take them for any words
};

// One that is not understood.
struct foreign_language {
    word_set common, letters;

    bool knows(std::string const& word) const;
};

struct command_word {
    std::string text;
    word_number number = 0;
    std::size_t letters = 0;
    std::string sorted;           // its letters in order
    std::uint64_t letter_set = 0; // a bit for each letter; letters may share one
    std::uint64_t languages = 0;  // a bit for each that has it
};

// How many of the words say that a message is in the language, those that are no commands included.
std::size_t known_words(compiled_language const& language, word_span words);

class vocabulary {
public:
    // They outlive it.
    explicit vocabulary(std::span<lexicon const> languages);

    std::span<compiled_language const> languages() const noexcept { return languages_; }
    word_number find(std::string const& text) const { return table_.find(text); }
    // The command's word that was probably meant: the only one within a slip or two, of several the
    // only one of the preferred language, if any. 0: none.
    word_number meant_by(std::string const& text, compiled_language const* preferred) const;
    std::span<foreign_language const> foreign_languages() const noexcept { return foreign_; }
    // By its code. Null: there is none.
    compiled_language const* find_language(std::string_view code) const;
    // That knows most of the words. Null: several do, or none.
    compiled_language const* best_known(word_span words) const;

private:
    void compile(lexicon const& source);
    void compile_forms(compiled_language& target);

    word_table table_;
    std::vector<compiled_language> languages_;
    std::vector<foreign_language> foreign_;
    std::vector<command_word> commands_;
};

} // namespace postrider::agent::language
