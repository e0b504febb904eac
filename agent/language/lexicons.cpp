#include "agent/language/lexicon.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::language {

#define LANGUAGE(name) std::string_view name##_json();
#include "agent/language/languages.def"
#undef LANGUAGE

std::span<lexicon const> lexicons() {
    static std::array const all{
#define LANGUAGE(name) read_lexicon(name##_json()),
#include "agent/language/languages.def"
#undef LANGUAGE
    };
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
