#include "agent/language/vocabulary.hpp"

#include "agent/language/form_parser.hpp"
#include "agent/language/unicode.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace postrider::agent::language {

namespace {

// Shorter words are too near to one another.
constexpr std::size_t shortest_corrected = 4;
constexpr std::size_t letters_for_two_slips = 8;
constexpr std::size_t most_slips = 2;

// By bytes: equal exactly when the letters are.
std::string sorted_letters(std::string text) {
    std::ranges::sort(text);
    return text;
}

std::uint64_t letter_set(std::string_view text) {
    std::uint64_t set = 0;
    for (std::size_t at = 0; at < text.size();) {
        unsigned letter = 0;
        do {
            letter = letter * 31 + static_cast<unsigned char>(text[at++]);
        } while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80);
        set |= std::uint64_t{1} << letter % 64;
    }
    return set;
}

std::uint64_t language_bit(std::size_t index) {
    return std::uint64_t{1} << index % 64;
}

// An edit brings one letter that was not there, and takes one away, at most.
bool may_be_within(std::uint64_t left, std::uint64_t right, std::size_t edits) {
    return std::cmp_less_equal(std::popcount(left & ~right), edits) &&
           std::cmp_less_equal(std::popcount(right & ~left), edits);
}

void add_entries(phrase_set& target, word_table& table, std::span<valued_words const> entries) {
    for (auto const& entry : entries) target.add(table, entry.words, entry.value);
}

void add_parts(phrase_set& target, word_table& table, std::span<part_of_day const> parts) {
    for (auto const& part : parts) {
        auto const mark = part.is_of_today ? is_of_today : part.stands_alone ? stands_alone : 0;
        target.add(table, part.words, part.value + mark);
    }
}

time_phrases compiled(time_words const& source, word_table& table) {
    time_phrases target;
    for (std::size_t i = 0; i < source.weekdays.size(); ++i) {
        target.weekdays.add(table, source.weekdays[i], static_cast<int>(i));
        target.short_weekdays.add(table, source.short_weekdays[i], static_cast<int>(i));
    }
    for (std::size_t i = 0; i < source.months.size(); ++i)
        target.months.add(table, source.months[i], static_cast<int>(i + 1));
    add_entries(target.days, table, source.days);
    add_parts(target.parts, table, source.parts);
    add_entries(target.day_parts, table, source.day_parts);
    add_entries(target.units, table, source.units);
    target.seconds.add(table, source.seconds);
    target.next.add(table, source.next);
    target.current.add(table, source.current);
    target.within.add(table, source.within);
    target.at.add(table, source.at);
    target.on.add(table, source.on);
    target.inside.add(table, source.inside);
    target.day_leads.add(table, source.day_leads);
    target.day_marks.add(table, source.day_marks);
    target.numbered.add(table, source.numbered);
    target.topics.add(table, source.topics);
    target.turns.add(table, source.turns);
    target.until.add(table, source.until);
    target.bounds.add(table, source.bounds);
    target.through.add(table, source.through);
    target.aims.add(table, source.aims);
    target.named_days.add(table, source.named_days);
    target.behind.add(table, source.behind);
    target.hours.add(table, source.hours);
    target.before_noon.add(table, source.before_noon);
    target.after_noon.add(table, source.after_noon);
    target.half.add(table, source.half);
    add_entries(target.clock_before, table, source.clock_before);
    add_entries(target.clock_behind, table, source.clock_behind);
    add_entries(target.clock_named, table, source.clock_named);
    add_entries(target.spans, table, source.spans);
    target.recurring.add(table, source.recurring);
    target.twelve_hours = source.twelve_hours;
    target.hours_need_mark = source.hours_need_mark;
    target.months_may_lead = source.months_may_lead;
    target.only_first_is_ordinal = source.only_first_is_ordinal;
    return target;
}

stretch_phrases compiled(stretch_words const& source, word_table& table) {
    stretch_phrases target;
    add_entries(target.weeks, table, source.weeks);
    add_entries(target.weekends, table, source.weekends);
    add_entries(target.months, table, source.months);
    add_entries(target.days, table, source.days);
    for (std::size_t i = 0; i < source.weekdays.size(); ++i)
        target.weekdays.add(table, source.weekdays[i], static_cast<int>(i));
    target.parts.add(table, source.parts);
    target.until.add(table, source.until);
    target.before.add(table, source.before);
    target.since.add(table, source.since);
    return target;
}

word_set words_in(phrases const& list) {
    word_set words;
    for (auto const& phrase : list)
        for (auto& word : words_of(phrase).words) words.insert(std::move(word.text));
    return words;
}

} // namespace

bool foreign_language::knows(std::string const& word) const {
    return common.contains(word) || std::ranges::any_of(letters, [&](auto const& letter) {
               return word.find(letter) != word.npos;
           });
}

word_number word_table::add(std::string const& text) {
    return numbers_.try_emplace(text, static_cast<word_number>(numbers_.size() + 1)).first->second;
}

word_number word_table::find(std::string const& text) const {
    auto const entry = numbers_.find(text);
    return entry == numbers_.end() ? 0 : entry->second;
}

word_numbers word_table::add_all(std::string_view phrase) {
    word_numbers numbers;
    for (auto const& read : words_of(phrase).words) numbers.push_back(add(read.text));
    return numbers;
}

void phrase_set::add(word_table& table, phrases const& list, int value) {
    for (auto const& phrase : list) {
        entry added{table.add_all(phrase), value};
        if (added.words.empty()) continue;
        auto longer = [](entry const& a, entry const& b) {
            return a.words.size() > b.words.size();
        };
        auto& first = by_first_[added.words.front()];
        first.insert(std::ranges::upper_bound(first, added, longer), added);
        auto& last = by_last_[added.words.back()];
        last.insert(std::ranges::upper_bound(last, added, longer), added);
    }
}

phrase_set::match phrase_set::at_begin(word_span words) const {
    if (words.empty()) return {};
    auto const* entries = of(by_first_, words.front());
    if (!entries) return {};
    for (auto const& [phrase, value] : *entries)
        if (phrase.size() <= words.size() && std::ranges::equal(phrase, words.first(phrase.size())))
            return {phrase.size(), value};
    return {};
}

phrase_set::match phrase_set::at_end(word_span words) const {
    if (words.empty()) return {};
    auto const* entries = of(by_last_, words.back());
    if (!entries) return {};
    for (auto const& [phrase, value] : *entries)
        if (phrase.size() <= words.size() && std::ranges::equal(phrase, words.last(phrase.size())))
            return {phrase.size(), value};
    return {};
}

bool phrase_set::contains_any(word_span words) const {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (at_begin(words.subspan(at)).words > 0) return true;
    return false;
}

bool phrase_set::only(word_span words) const {
    if (words.empty()) return false;
    while (!words.empty()) {
        auto const phrase = at_begin(words);
        if (phrase.words == 0) return false;
        words = words.subspan(phrase.words);
    }
    return true;
}

std::vector<phrase_set::entry> const* phrase_set::of(
    std::unordered_map<word_number, std::vector<entry>> const& index, word_number key
) const {
    auto const entries = key == 0 ? index.end() : index.find(key);
    return entries == index.end() ? nullptr : &entries->second;
}

vocabulary::vocabulary(std::span<lexicon const> languages) {
    languages_.reserve(languages.size());
    for (auto const& source : languages) compile(source);
    std::ranges::sort(commands_, {}, &command_word::number);
    std::vector<command_word> different;
    for (auto& command : commands_) {
        if (different.empty() || different.back().number != command.number)
            different.push_back(std::move(command));
        else
            different.back().languages |= command.languages;
    }
    commands_ = std::move(different);
}

void vocabulary::compile(lexicon const& source) {
    auto& target = languages_.emplace_back();
    target.source = &source;
    compile_forms(target);
    target.openings.add(table_, source.openings);
    target.corrections.add(table_, source.corrections);
    target.requests.add(table_, source.requests);
    target.closings.add(table_, source.closings);
    target.afterthoughts.add(table_, source.afterthoughts);
    target.retractions.add(table_, source.retractions);
    target.confirmations.add(table_, source.confirmations);
    target.conjunctions.add(table_, source.conjunctions);
    target.doubts.add(table_, source.doubts);
    target.past.add(table_, source.past);
    for (auto const& [past, verb] : source.past_verbs)
        target.past_verbs.push_back({past, folded(verb)});
    target.negations.add(table_, source.negations);
    target.contrasts.add(table_, source.contrasts);
    target.concessions.add(table_, source.concessions);
    target.provisos.add(table_, source.provisos);
    target.neighbours.add(table_, source.neighbours);
    add_entries(target.numbers, table_, source.numbers);
    add_entries(target.ordinals, table_, source.ordinals);
    target.ordinal_leads.add(table_, source.ordinal_leads);
    target.number_marks.add(table_, source.number_marks);
    target.pronouns.add(table_, source.pronouns);
    target.everything.add(table_, source.everything);
    target.exceptions.add(table_, source.exceptions);
    target.ranges.add(table_, source.ranges);
    target.articles.add(table_, source.articles);
    target.nouns.add(table_, source.nouns);
    target.plurals.add(table_, source.plurals);
    target.no_titles.add(table_, source.no_titles);
    add_entries(target.priorities, table_, source.priorities);
    add_entries(target.levels, table_, source.levels);
    target.stretches = compiled(source.stretches, table_);
    target.times = compiled(source.times, table_);
    target.common = words_in(source.common);
    for (auto const& other : source.stands_for)
        foreign_.push_back({words_in(other.common), words_in(other.letters)});
}

void vocabulary::compile_forms(compiled_language& target) {
    auto const language = language_bit(languages_.size() - 1);
    for (auto const& source : target.source->forms) {
        auto const index = target.forms.size();
        target.forms.push_back({&source, parse_form(source.text, table_)});
        bool keyed = false;
        for (auto const& part : target.forms.back().elements) {
            for (auto const& alternative : part.alternatives) {
                if (!keyed && !part.optional) {
                    auto& keys = target.forms_by_key[alternative.front()];
                    if (keys.empty() || keys.back() != index) keys.push_back(index);
                }
            }
            keyed |= !part.takes && !part.optional;
        }
        if (!keyed) target.wordless_forms.push_back(index);
        if (source.heads_titles) continue; // "these" is near to many words
        for_each_word(source.text, [&](std::string const& text) {
            auto const letters = expressions::code_points(text);
            if (letters > 1)
                commands_.push_back(
                    {text,
                     table_.find(text),
                     letters,
                     sorted_letters(text),
                     letter_set(text),
                     language}
                );
        });
    }
}

word_number vocabulary::meant_by(std::string const& text, compiled_language const* preferred)
    const {
    auto const own = preferred
                         ? language_bit(static_cast<std::size_t>(preferred - languages_.data()))
                         : std::uint64_t{0};
    auto const letters = expressions::code_points(text);
    auto const sorted = sorted_letters(text);
    auto const set = letter_set(text);
    word_number nearest = 0;
    std::size_t best = 8 * most_slips + 4;
    for (auto const& command : commands_) {
        // The right letters in another order are the commonest slip.
        bool const shuffled = command.sorted == sorted;
        auto const shorter = std::min(letters, command.letters);
        auto slips = shorter >= letters_for_two_slips ? most_slips : 1u;
        if (shorter < shortest_corrected && !shuffled) continue;
        if (shuffled && shorter > shortest_corrected) slips = most_slips;
        auto const apart = std::max(letters, command.letters) - shorter;
        if (apart > slips || !may_be_within(set, command.letter_set, slips)) continue;
        auto const distance = edit_distance(text, command.text, slips);
        if (distance > slips) continue;
        // The first letter is hardly ever the wrong one.
        auto const cost = 8 * distance - (shuffled ? 4 : 0) + (command.languages & own ? 0 : 2) +
                          (text.front() == command.text.front() ? 0 : 1);
        if (cost > best) continue;
        nearest = cost == best ? 0 : command.number;
        best = cost;
    }
    return nearest;
}

compiled_language const* vocabulary::find_language(std::string_view code) const {
    auto const entry = std::ranges::find_if(languages_, [&](auto const& language) {
        return language.source->code == code;
    });
    return entry == languages_.end() ? nullptr : &*entry;
}

compiled_language const* vocabulary::best_known(word_span words) const {
    compiled_language const* best = nullptr;
    std::size_t most = 0;
    for (auto const& language : languages_) {
        auto const words_known = known_words(language, words);
        if (words_known < most || words_known == 0) continue;
        best = words_known == most ? nullptr : &language;
        most = words_known;
    }
    return best;
}

} // namespace postrider::agent::language
