#pragma once
// Lists of words: the names of an enumeration in tables, logs and configuration (one list, read both ways), and
// words that mean the same to their reader.
#include <algorithm>
#include <array>
#include <optional>
#include <string_view>
#include <utility>

namespace postrider::base {

template<class E, std::size_t N>
using names = std::array<std::pair<E, std::string_view>, N>;

template<class E, std::size_t N>
constexpr std::string_view name_of(names<E, N> const& all, E value) noexcept {
    for (auto const& [known, name] : all)
        if (known == value) return name;
    return "unknown";
}

template<class E, std::size_t N>
constexpr std::optional<E> named(names<E, N> const& all, std::string_view name) noexcept {
    for (auto const& [value, known] : all)
        if (known == name) return value;
    return std::nullopt;
}

template<std::size_t N>
constexpr bool is_among(
    std::array<std::string_view, N> const& all, std::string_view word
) noexcept {
    return std::ranges::find(all, word) != all.end();
}

} // namespace postrider::base
