#include "agent/language/claim_phrases.hpp"

#include "agent/language/lexicon.hpp"
#include "agent/language/words.hpp"

#include <algorithm>
#include <utility>

namespace postrider::agent::language {

namespace {

std::vector<word_sequence> sequences_of(phrases const& list) {
    std::vector<word_sequence> sequences;
    for (auto const& text : list)
        if (auto words = sequence_of(text); !words.empty()) sequences.push_back(std::move(words));
    return sequences;
}

void append(std::vector<word_sequence>& target, std::vector<word_sequence> const& added) {
    target.insert(target.end(), added.begin(), added.end());
}

std::vector<word_sequence> days_of(time_words const& times) {
    std::vector<word_sequence> days;
    for (auto const& names : times.weekdays) append(days, sequences_of(names));
    for (auto const& day : times.days) append(days, sequences_of(day.words));
    return days;
}

void read_hollow(lexicon const& of, claim_phrases& read) {
    read.pronouns = sequences_of(of.pronouns);
    append(read.pronouns, sequences_of(of.everything));
    read.days = days_of(of.times);
    read.articles = sequences_of(of.articles);
    for (auto const* words :
         {&read.pronouns,
          &read.days,
          &read.articles,
          &read.fillers,
          &read.verb_marks,
          &read.speakers})
        append(read.hollow, *words);
    append(read.hollow, sequences_of(of.common));
}

claim_phrases phrases_of(lexicon const& of) {
    auto const& words = of.claims;
    claim_phrases read;
    std::array const lists{&words.created, &words.updated, &words.completed, &words.removed};
    for (std::size_t i = 0; i < lists.size(); ++i) read.claimed[i] = sequences_of(*lists[i]);
    for (auto const& count : words.counts)
        read.counts.push_back({static_cast<std::size_t>(count.value), sequences_of(count.words)});
    read.hedges = sequences_of(words.hedges);
    read.vague = sequences_of(words.vague);
    read.further = sequences_of(words.further);
    read.several = sequences_of(words.several);
    read.speakers = sequences_of(words.speakers);
    read.other_people = sequences_of(words.other_people);
    read.second_subjects = sequences_of(words.second_subjects);
    read.passives = sequences_of(words.passives);
    read.other_times = sequences_of(words.other_times);
    read.earlier = sequences_of(words.earlier);
    read.general = sequences_of(words.general);
    read.participles = sequences_of(words.participles);
    read.determiners = sequences_of(words.determiners);
    read.verb_marks = sequences_of(words.verb_marks);
    read.fillers = sequences_of(words.fillers);
    read.tasks = sequences_of(words.tasks);
    read.own_list = sequences_of(words.own_list);
    read.headings = sequences_of(words.headings);
    read.list_verbs = sequences_of(words.list_verbs);
    read.broad = sequences_of(words.broad);
    read.now = sequences_of(words.now);
    read.makers = sequences_of(words.makers);
    read.asked_list = sequences_of(words.asked_list);
    read.citing = sequences_of(words.citing);
    read_hollow(of, read);
    return read;
}

// How many words of one of the phrases the words begin with, at most; 0: with none.
std::size_t length_of_phrase(clause_part words, std::vector<word_sequence> const& sought) {
    std::size_t longest = 0;
    for (auto const& part : sought)
        if (part.size() <= words.size() && std::ranges::equal(part, words.first(part.size())))
            longest = std::max(longest, part.size());
    return longest;
}

} // namespace

word_sequence sequence_of(std::string_view text) {
    word_sequence words;
    for (auto& read : words_of(text).words) words.push_back(std::move(read.text));
    return words;
}

phrase_place find_phrase(clause_part words, std::vector<word_sequence> const& sought) {
    for (std::size_t at = 0; at < words.size(); ++at)
        if (auto const length = length_of_phrase(words.subspan(at), sought); length > 0)
            return {at, at + length};
    return {words.size(), words.size()};
}

bool holds_phrase(clause_part words, std::vector<word_sequence> const& sought) {
    return find_phrase(words, sought).begin < words.size();
}

bool begins_with_phrase(clause_part words, std::vector<word_sequence> const& sought) {
    return length_of_phrase(words, sought) > 0;
}

std::size_t behind_phrases(clause_part words, std::vector<word_sequence> const& sought) {
    std::size_t end = 0;
    for (std::size_t at = 0; at < words.size(); ++at)
        if (auto const length = length_of_phrase(words.subspan(at), sought); length > 0)
            end = at + length;
    return end;
}

std::size_t behind_leading(clause_part words, std::vector<word_sequence> const& sought) {
    std::size_t end = 0;
    while (auto const length = length_of_phrase(words.subspan(end), sought)) end += length;
    return end;
}

std::span<claim_phrases const> claim_languages() {
    static auto const languages = [] {
        std::vector<claim_phrases> read;
        for (auto const& language : lexicons()) read.push_back(phrases_of(language));
        return read;
    }();
    return languages;
}

} // namespace postrider::agent::language
