#include "agent/todo/language.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::todo {

// NAME.cpp of languages/ defines the value.
extern language const english;
extern language const german;
extern language const spanish;
extern language const french;
extern language const russian;
extern language const urdu;

std::span<language const* const> languages() noexcept {
    static constexpr std::array table{&english, &german, &spanish, &french, &russian, &urdu};
    return table;
}

bool begins_titles_with_verbs(std::string_view code) noexcept {
    auto const all = languages();
    auto const found = std::ranges::find(all, code, &language::code);
    return found != all.end() && (*found)->titles_begin_with_verb;
}

} // namespace postrider::agent::todo
