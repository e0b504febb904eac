// Functions of optionals, which .? and [? give too. Wherever else one is used, it is its value, or
// null without one.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <array>

namespace postrider::agent::expressions {

namespace {

fallible<operand> value_or_null(call const& call) {
    auto const& of = call.arguments[0];
    auto own = copy(*of, call.budget);
    if (!own) return own.error();
    return operand{std::move(*own)};
}

fallible<operand> of(call const& call) {
    auto own = copy(call[0], call.budget);
    if (!own) return own.error();
    return operand{std::move(*own), meaning::some};
}

// null, false, 0 and what is empty have nothing in them.
bool is_zero(json::value const& value) {
    if (auto const* flag = value.if_bool()) return !*flag;
    if (value.is_number()) return value.to_number<double>() == 0;
    if (auto const* text = value.if_string()) return text->empty();
    if (auto const* array = value.if_array()) return array->empty();
    if (auto const* object = value.if_object()) return object->empty();
    return true;
}

fallible<operand> of_non_zero(call const& call) {
    return is_zero(call[0]) ? operand::none() : of(call);
}

fallible<operand> none(call const&) {
    return operand::none();
}

bool has_value(operand const& optional) noexcept {
    if (optional.is_optional()) return optional.is(meaning::some);
    return !optional->is_null();
}

fallible<operand> tells_value(call const& call) {
    return json::value(has_value(call.arguments[0]));
}

fallible<operand> value(call const& call) {
    if (has_value(call.arguments[0])) return value_or_null(call);
    return failure{"the optional has no value"};
}

fallible<operand> or_other(call const& call) {
    return call.arguments[has_value(call.arguments[0]) ? 0 : 1];
}

// null counts as nothing, since null is what JSON has instead.
fallible<operand> or_value(call const& call) {
    return call.arguments[call[0].is_null() ? 1 : 0];
}

fallible<operand> is_empty(call const& call) {
    auto const& value = call[0];
    return json::value(!value.is_bool() && !value.is_number() && is_zero(value));
}

constexpr std::array optionals_functions{
    function{
        "hasValue",
        1,
        1,
        tells_value,
        R"doc(whether the optional has a value; for other values, whether they are not `null`
$json.?address.hasValue() → false
optional.of(null).hasValue() → true)doc"},
    function{"isEmpty", 1, 1, is_empty, R"doc(whether the value is `null`, `""`, `[]` or `{}`
$json.?address.isEmpty() → true)doc"},
    function{"optional.none", 0, 0, none, R"doc(an optional without a value
optional.none().orValue(1) → 1)doc"},
    function{"optional.of", 1, 1, of, R"doc(an optional with the value
optional.of(1).value() → 1)doc"},
    function{
        "optional.ofNonZeroValue",
        1,
        1,
        of_non_zero,
        R"doc(an optional with the value, or without one for `null`, `false`, `0` and empty values
optional.ofNonZeroValue("").orValue("friend") → "friend")doc"},
    function{"or", 2, 2, or_other, R"doc(the optional, or another one if it has no value
$json.?nickname.or($json.?name).value() → null
$json.?address.or($json.?name).value() → "Ada")doc"},
    function{"orValue", 2, 2, or_value, R"doc(the value, or another one if it is `null` or missing
$json.nickname.orValue("friend") → "friend")doc"},
    function{"value", 1, 1, value, R"doc(the value of the optional; an error if it has none
$json.?name.value() → "Ada"
$json.?address.value() → error: has no value)doc"},
};

} // namespace

function_family const optionals_family{"Optionals", optionals_functions};

} // namespace postrider::agent::expressions
