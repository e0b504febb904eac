#pragma once
// A value that people choose by its name, of a closed set: one table, of which a node's parameter and a setting
// are made. The first of a table is the default. Pure.
#include <algorithm>
#include <optional>
#include <span>
#include <string_view>

namespace postrider::agent {

template<class T>
struct named_choice {
    T value;
    std::string_view name;
    std::string_view meaning; // for people: a sentence without its end
};

template<class T>
std::optional<T> chosen(std::span<named_choice<T> const> choices, std::string_view name) noexcept {
    auto const place = std::ranges::find(choices, name, &named_choice<T>::name);
    if (place == choices.end()) return std::nullopt;
    return place->value;
}

} // namespace postrider::agent
