#include "agent/todo/sentences.hpp"

#include <array>

namespace postrider::agent::todo {

namespace {

constexpr std::array<std::string_view, 22> abbreviations{
    "dr",  "mr",  "mrs", "ms",  "st",   "prof", "nr",  "no", "vs", "ca", "bzw",
    "usw", "etc", "sr",  "sra", "srta", "av",   "str", "ul", "г",  "ул", "им"};

bool is_number(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

bool ends_at(std::span<compiled_language const> languages, passage const& message, std::size_t at) {
    auto const& next = message[at];
    bool const corrects = next.before == gap::comma &&
                          begins_with_correction(languages, message.part(at, message.size()));
    if (corrects) return true;
    if (next.before < gap::stop) return false;
    auto const& previous = message[at - 1];
    if (next.before == gap::question || previous.quoted || next.quoted) return true;
    if (std::ranges::find(abbreviations, previous.text) != abbreviations.end()) return false;
    if (!is_number(previous.text)) return true;
    auto const rest = message.part(at, at + 1).numbers();
    return std::ranges::none_of(languages, [&](auto const& language) {
        return language.times.months.at_begin(rest).words > 0;
    });
}

} // namespace

std::size_t corrected_at_begin(compiled_language const& language, passage words) {
    auto const found = language.corrections.at_begin(words.numbers()).words;
    bool const set_off = found > 0 && found < words.size() && words[found].before == gap::comma;
    return set_off ? found : 0;
}

bool begins_with_correction(std::span<compiled_language const> languages, passage words) {
    return std::ranges::any_of(languages, [&](auto const& language) {
        return corrected_at_begin(language, words) > 0;
    });
}

std::vector<sentence> sentences_of(
    std::span<compiled_language const> languages, passage message, gap end
) {
    std::vector<sentence> sentences;
    std::size_t begin = 0;
    for (std::size_t at = 1; at < message.size(); ++at) {
        if (!ends_at(languages, message, at)) continue;
        sentences.push_back({message.part(begin, at), message[at].before == gap::question});
        begin = at;
    }
    if (begin < message.size())
        sentences.push_back({message.part(begin, message.size()), end == gap::question});
    return sentences;
}

} // namespace postrider::agent::todo
