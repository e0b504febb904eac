// Functions from one type to another.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/time_values.hpp"
#include "agent/expression/values.hpp"
#include "base/json/json.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace postrider::agent::expressions {

namespace {

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

fallible<operand> number_of(call const& call) {
    if (call.arguments[0].is(meaning::timestamp))
        return number_value(read_timestamp(*call.text(0))->since_1970());
    if (call[0].is_number()) return operand{call[0]};
    auto const text = call.text(0);
    if (!text) return call.unfit(0, "a number or a string");
    if (auto number = number_in(*text)) return std::move(*number);
    return failure{"the string is no number"};
}

fallible<operand> to_number(call const& call) {
    auto number = number_of(call);
    if (!number) return number;
    return number_value((*number)->to_number<double>());
}

// Towards zero. Integers keep all their digits.
fallible<operand> to_whole(call const& call) {
    auto number = number_of(call);
    if (!number) return number;
    if ((*number)->is_int64()) return number;
    auto const* real = (*number)->if_double();
    if (!real || std::fabs(*real) >= 0x1p63) return failure{"the number has more than 64 bits"};
    return json::value(static_cast<std::int64_t>(*real));
}

fallible<operand> to_unsigned(call const& call) {
    auto whole = to_whole(call);
    if (!whole) return whole;
    auto const* number = (*whole)->if_int64();
    if (number && *number < 0) return failure{"the number is negative"};
    return whole;
}

fallible<operand> to_bool(call const& call) {
    if (call[0].is_bool()) return operand{call[0]};
    auto const text = call.text(0);
    if (!text) return call.unfit(0, "a bool or a string");
    for (std::string_view yes : {"true", "TRUE", "True", "t", "1"})
        if (*text == yes) return json::value(true);
    for (std::string_view no : {"false", "FALSE", "False", "f", "0"})
        if (*text == no) return json::value(false);
    return failure{"the string is neither \"true\" nor \"false\""};
}

fallible<operand> to_string(call const& call) {
    if (call.arguments[0].is(meaning::duration))
        return text_operand(write_duration(call[0].to_number<double>()));
    bounded_text result{call.budget};
    append_text(result, call[0]);
    return std::move(result).finish();
}

fallible<operand> same(call const& call) {
    return call.arguments[0];
}

fallible<operand> to_json(call const& call) {
    bounded_text result{call.budget};
    append_json(result, call[0]);
    return std::move(result).finish();
}

fallible<operand> from_json(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    // As JSON a value has fewer bytes than in memory.
    if (!call.budget.spend_bytes(4 * text->size())) return call.budget.failure();
    auto value = base::parse_json(*text, {.depth = call.budget.limits().depth});
    if (!value) return failure{"the string is not JSON"};
    return std::move(*value);
}

fallible<operand> type(call const& call) {
    switch (call.arguments[0].meaning()) {
    case meaning::timestamp:
        return text_operand("timestamp");
    case meaning::duration:
        return text_operand("duration");
    default:
        return text_operand(type_name(call[0]));
    }
}

constexpr std::array types_functions{
    function{"bool", 1, 1, to_bool, R"doc(the bool in a string such as `true`, `True`, `t` or `1`
bool("true") → true)doc"},
    function{"double", 1, 1, to_number, R"doc(the number in a string
double("2.50") → 2.5
double("two") → error: no number)doc"},
    function{"dyn", 1, 1, same, R"doc(the value itself; in CEL, `dyn` turns type checks off
dyn(1) → 1)doc"},
    function{"fromJson", 1, 1, from_json, R"doc(the value in a string of JSON
fromJson("{\"a\": 1}").a → 1)doc"},
    function{
        "int",
        1,
        1,
        to_whole,
        R"doc(the number rounded towards 0; for an instant, the seconds since 1970
int(-3.9) → -3
int("12") → 12)doc"},
    function{"string", 1, 1, to_string, R"doc(the value as text, in the same form as in a parameter
string(0.1 + 0.2) → "0.3"
string([1, null]) → "[1,null]")doc"},
    function{"toJson", 1, 1, to_json, R"doc(the value as compact JSON
toJson({"a": [1, "b"]}) → "{\"a\":[1,\"b\"]}")doc"},
    function{"uint", 1, 1, to_unsigned, R"doc(as `int`, but a negative number is an error
uint("12") → 12
uint(-1) → error: negative)doc"},
    function{
        "type",
        1,
        1,
        type,
        R"doc(the type: `"null"`, `"bool"`, `"number"`, `"string"`, `"array"` or `"object"`; for results of `timestamp` and `duration`, `"timestamp"` and `"duration"`
type($json.tags) → "array")doc"},
};

} // namespace

function_family const types_family{"Types", types_functions};

} // namespace postrider::agent::expressions
