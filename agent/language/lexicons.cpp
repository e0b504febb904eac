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
    auto const languages = lexicons();
    auto const language = std::ranges::find(languages, code, &lexicon::code);
    return language == languages.end() ? nullptr : &*language;
}

lexicon const& lexicon_of(std::string_view code) {
    auto const* language = find_lexicon(code);
    return language ? *language : lexicons().front();
}

bool begins_titles_with_verbs(std::string_view code) {
    auto const* language = find_lexicon(code);
    return language && language->titles_begin_with_verb;
}

} // namespace postrider::agent::language
