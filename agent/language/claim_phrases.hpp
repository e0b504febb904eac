#pragma once
// The words of claims (claim_words) of each language as phrases to look for in a clause. Private to claims.cpp.
// Immutable once read; threads: any.
#include "agent/language/request.hpp"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::language {

using word_sequence = std::vector<std::string>;
using clause_part = std::span<std::string const>;

// The texts of words_of(); of a quotation "".
word_sequence sequence_of(std::string_view text);

// From the word `begin` up to `end`.
struct phrase_place {
    std::size_t begin = 0;
    std::size_t end = 0;
};

// The first, and of those the longest. At the end of the words: none is there.
phrase_place find_phrase(clause_part words, std::vector<word_sequence> const& sought);
bool holds_phrase(clause_part words, std::vector<word_sequence> const& sought);
bool begins_with_phrase(clause_part words, std::vector<word_sequence> const& sought);
// Where the last of them ends; 0: none is there.
std::size_t behind_phrases(clause_part words, std::vector<word_sequence> const& sought);
// Where those end that the words begin with, one behind the other.
std::size_t behind_leading(clause_part words, std::vector<word_sequence> const& sought);

// What each change is claimed by, in the order of their words in a language.
inline constexpr std::array claimed_kinds{
    intent::kind::create, intent::kind::update, intent::kind::complete, intent::kind::remove};

struct counted_phrases {
    std::size_t value = 0;
    std::vector<word_sequence> words;
};

// Of one language; the members are those of claim_words, and of its other words what a clause may hold that names
// nothing: `hollow`, of which `pronouns` stand for what was named, and `days`.
struct claim_phrases {
    std::array<std::vector<word_sequence>, claimed_kinds.size()> claimed = {};
    std::vector<counted_phrases> counts = {};
    std::vector<word_sequence> hedges = {}, vague = {}, further = {}, several = {}, speakers = {},
                               other_people = {}, second_subjects = {}, passives = {},
                               other_times = {}, earlier = {}, general = {}, participles = {},
                               determiners = {}, verb_marks = {}, fillers = {}, tasks = {},
                               own_list = {}, headings = {}, list_verbs = {}, broad = {},
                               citing = {}, makers = {}, asked_list = {}, now = {}, hollow = {},
                               pronouns = {}, days = {}, articles = {};
};

std::span<claim_phrases const> claim_languages();

} // namespace postrider::agent::language
