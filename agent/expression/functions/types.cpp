// Functions of numbers, and from one type to another.
#include "agent/expression/arithmetic.hpp"
#include "agent/expression/functions.hpp"
#include "agent/expression/values.hpp"
#include "base/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace postrider::agent::expressions {

namespace {

// One array stands for its items.
fallible<std::vector<double>> numbers_of(call const& given) {
    std::vector<double> numbers;
    if (auto const* array = given.count() == 1 ? given[0].if_array() : nullptr) {
        if (!given.budget.spend(array->size())) return given.budget.failure();
        for (auto const& item : *array) {
            if (!item.is_number())
                return failure{"an item of the array is no number, as all must be"};
            numbers.push_back(item.to_number<double>());
        }
        return numbers;
    }
    for (std::size_t i = 0; i < given.count(); ++i) {
        auto const number = given.number(i);
        if (!number) return number.error();
        numbers.push_back(*number);
    }
    return numbers;
}

fallible<operand> run_number_function(call const& given) {
    auto const* function = find_number_function(given.callee.name);
    auto const numbers = numbers_of(given);
    if (!numbers) return numbers.error();
    if (numbers->size() < function->least || numbers->size() > function->most)
        return failure{
            "this is the wrong number of numbers for " + std::string(function->name) + "()"};
    auto const value = function->run(*numbers);
    if (!value) return failure{value.error().detail};
    return number_value(*value);
}

// A whole text that is one number of JSON.
std::optional<json::value> number_in(std::string_view text) {
    auto const* const end = text.data() + text.size();
    std::int64_t whole = 0;
    if (auto read = std::from_chars(text.data(), end, whole);
        read.ec == std::errc{} && read.ptr == end)
        return json::value(whole);
    double real = 0;
    auto const read = std::from_chars(text.data(), end, real);
    if (read.ec != std::errc{} || read.ptr != end || !std::isfinite(real)) return std::nullopt;
    return number_value(real);
}

fallible<operand> to_number(call const& given) {
    if (given[0].is_number()) return given.arguments[0];
    auto const text = given.text(0);
    if (!text) return given.unfit(0, "a number or a string");
    if (auto number = number_in(*text)) return std::move(*number);
    return failure{"the string is no number"};
}

// Towards zero. Integers keep all their digits.
fallible<operand> to_whole(call const& given) {
    auto number = to_number(given);
    if (!number) return number;
    auto const* real = (*number)->if_double();
    if (!real) return number;
    return number_value(std::trunc(*real));
}

fallible<operand> to_bool(call const& given) {
    if (given[0].is_bool()) return given.arguments[0];
    auto const text = given.text(0);
    if (!text) return given.unfit(0, "a bool or a string");
    if (*text == "true" || *text == "false") return json::value(*text == "true");
    return failure{"the string is neither \"true\" nor \"false\""};
}

fallible<operand> to_string(call const& given) {
    bounded_text made{given.budget};
    append_text(made, given[0]);
    return std::move(made).finish();
}

fallible<operand> to_json(call const& given) {
    bounded_text made{given.budget};
    append_json(made, given[0]);
    return std::move(made).finish();
}

fallible<operand> from_json(call const& given) {
    auto const text = given.text(0);
    if (!text) return text.error();
    // As JSON a value has fewer bytes than in memory.
    if (!given.budget.spend_bytes(4 * text->size())) return given.budget.failure();
    auto value = base::parse_json(*text, {.depth = given.budget.limits().depth});
    if (!value) return failure{"the string is not JSON"};
    return std::move(*value);
}

fallible<operand> type(call const& given) {
    return text_operand(type_name(given[0]));
}

constexpr std::array<function, 7> conversions{{
    {"bool", 1, 1, to_bool},
    {"double", 1, 1, to_number},
    {"fromJson", 1, 1, from_json},
    {"int", 1, 1, to_whole},
    {"string", 1, 1, to_string},
    {"toJson", 1, 1, to_json},
    {"type", 1, 1, type},
}};

} // namespace

std::span<function const> conversion_functions() noexcept {
    return conversions;
}

std::span<function const> numeric_functions() noexcept {
    static auto const functions = [] {
        std::vector<function> made;
        for (auto const& [name, least, most, run] : number_functions())
            made.push_back({name, least, most, run_number_function});
        return made;
    }();
    return functions;
}

} // namespace postrider::agent::expressions
