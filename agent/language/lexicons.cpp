#include "agent/language/lexicon.hpp"

#include <algorithm>

namespace postrider::agent::language {

// The files in languages/, in the order of CMakeLists.txt: where two share a word, the first one answers.
std::span<std::string_view const> language_files();

std::span<lexicon const> lexicons() {
    static std::vector<lexicon> const all = [] {
        std::vector<lexicon> read;
        for (auto const file : language_files()) read.push_back(read_lexicon(file));
        return read;
    }();
    return all;
}

lexicon const* find_lexicon(std::string_view code) {
    auto const all = lexicons();
    auto const of = std::ranges::find(all, code, &lexicon::code);
    return of == all.end() ? nullptr : &*of;
}

lexicon const& lexicon_of(std::string_view code) {
    auto const* of = find_lexicon(code);
    return of ? *of : lexicons().front();
}

bool begins_titles_with_verbs(std::string_view code) {
    auto const* of = find_lexicon(code);
    return of && of->titles_begin_with_verb;
}

} // namespace postrider::agent::language
