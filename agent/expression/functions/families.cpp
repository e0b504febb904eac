#include "agent/expression/functions/families.hpp"

#include "agent/expression/functions.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

namespace postrider::agent::expressions {

namespace {

constexpr std::array<function_family const*, 15> families{
    &strings_family,
    &search_family,
    &patterns_family,
    &format_family,
    &arrays_family,
    &sets_family,
    &objects_family,
    &numbers_family,
    &bits_family,
    &types_family,
    &optionals_family,
    &time_family,
    &calendar_family,
    &encodings_family,
    &ids_family,
};

} // namespace

failure call::unfit(std::size_t index, std::string_view requirement) const {
    return {fmt::format(
        "argument {} of {}() must be {}, and is of type {}",
        index + 1,
        callee.name,
        requirement,
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

fallible<json::object const*> call::object(std::size_t index) const {
    if (auto const* object = (*this)[index].if_object()) return object;
    return unfit(index, "an object");
}

fallible<std::size_t> call::whole(std::size_t index, std::size_t most) const {
    auto const value = number(index);
    if (!value) return value.error();
    if (*value >= 0 && *value <= static_cast<double>(most) && std::trunc(*value) == *value)
        return static_cast<std::size_t>(*value);
    return failure{fmt::format(
        "argument {} of {}() must be a whole number from 0 to {}", index + 1, callee.name, most
    )};
}

std::span<function_family const* const> function_families() noexcept {
    return families;
}

function const* find_function(std::string_view name) noexcept {
    static auto const by_name = [] {
        std::unordered_map<std::string_view, function const*> table;
        for (auto const* family : families)
            for (auto const& function : family->functions) table.emplace(function.name, &function);
        return table;
    }();
    auto const entry = by_name.find(name);
    return entry == by_name.end() ? nullptr : entry->second;
}

bool is_function_prefix(std::string_view word) noexcept {
    static auto const prefixes = [] {
        std::set<std::string_view> result;
        for (auto const* family : families)
            for (auto const& function : family->functions)
                if (auto const dot = function.name.find('.'); dot != function.name.npos)
                    result.insert(function.name.substr(0, dot));
        return result;
    }();
    return prefixes.contains(word);
}

std::vector<std::string> function_names() {
    std::vector<std::string> names;
    for (auto const* family : families)
        for (auto const& function : family->functions) names.emplace_back(function.name);
    return names;
}

std::string example_of(std::string_view documentation) {
    auto const line = documentation.find('\n');
    if (line == documentation.npos) return {};
    auto const example = documentation.substr(line + 1);
    return fmt::format("such as `{}`", example.substr(0, example.find(" → ")));
}

} // namespace postrider::agent::expressions
