#include "agent/todo/language.hpp"

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

} // namespace postrider::agent::todo
