#include "agent/expression/functions.hpp"

#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <array>
#include <cmath>

namespace postrider::agent::expressions {

namespace {

std::array<std::span<function const>, 6> all_functions() noexcept {
    return {
        text_functions(),
        search_functions(),
        array_functions(),
        numeric_functions(),
        conversion_functions(),
        time_functions()};
}

} // namespace

failure call::unfit(std::size_t index, std::string_view wanted) const {
    return {fmt::format(
        "argument {} of {}() must be {}, and is of type {}",
        index + 1,
        callee.name,
        wanted,
        type_name((*this)[index])
    )};
}

fallible<std::string_view> call::text(std::size_t index) const {
    if (auto const* text = (*this)[index].if_string()) return view(*text);
    return unfit(index, "a string");
}

fallible<double> call::number(std::size_t index) const {
    auto const& value = (*this)[index];
    if (value.is_number()) return value.to_number<double>();
    return unfit(index, "a number");
}

fallible<json::array const*> call::array(std::size_t index) const {
    if (auto const* array = (*this)[index].if_array()) return array;
    return unfit(index, "an array");
}

fallible<std::size_t> call::whole(std::size_t index, std::size_t most) const {
    auto const given = number(index);
    if (!given) return given.error();
    if (*given >= 0 && *given <= static_cast<double>(most) && std::trunc(*given) == *given)
        return static_cast<std::size_t>(*given);
    return failure{fmt::format(
        "argument {} of {}() must be a whole number from 0 to {}", index + 1, callee.name, most
    )};
}

function const* find_function(std::string_view name) noexcept {
    for (auto const& functions : all_functions())
        for (auto const& function : functions)
            if (function.name == name) return &function;
    return nullptr;
}

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (auto const& functions : all_functions())
        for (auto const& function : functions) names.emplace_back(function.name);
    return names;
}

} // namespace postrider::agent::expressions
