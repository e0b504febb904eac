// Functions of numbers. Those that CEL has under "math." bear both names.
#include "agent/expression/arithmetic.hpp"
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <compare>
#include <cstdlib>

namespace postrider::agent::expressions {

namespace {

// One array stands for its items.
fallible<std::vector<json::value const*>> numbers_of(call const& call) {
    std::vector<json::value const*> numbers;
    if (auto const* array = call.count() == 1 ? call[0].if_array() : nullptr) {
        if (!call.budget.spend(array->size())) return call.budget.failure();
        for (auto const& item : *array) {
            if (!item.is_number())
                return failure{"an item of the array is no number, as all must be"};
            numbers.push_back(&item);
        }
        return numbers;
    }
    for (std::size_t i = 0; i < call.count(); ++i) {
        if (auto const number = call.number(i); !number) return number.error();
        numbers.push_back(&call[i]);
    }
    return numbers;
}

failure no_numbers(call const& call) {
    return {fmt::format("{}() needs at least one number", call.callee.name)};
}

fallible<operand> calculated(call const& call, std::string_view name) {
    auto const* function = find_number_function(name);
    auto const numbers = numbers_of(call);
    if (!numbers) return numbers.error();
    if (numbers->size() < function->least || numbers->size() > function->most)
        return failure{fmt::format("this is the wrong number of numbers for {}()", name)};
    std::vector<double> values;
    for (auto const* number : *numbers) values.push_back(number->to_number<double>());
    auto const value = function->run(values);
    if (!value) return failure{value.error().detail};
    return number_value(*value);
}

// The calculator's function of that name; of math.abs it is abs.
fallible<operand> run_number_function(call const& call) {
    auto const name = call.callee.name;
    return calculated(call, name.substr(name.find('.') + 1)); // npos + 1 is 0
}

// The number itself, with all its digits.
template<bool Greatest>
fallible<operand> extreme(call const& call) {
    auto const numbers = numbers_of(call);
    if (!numbers) return numbers.error();
    if (numbers->empty()) return no_numbers(call);
    auto const* best = numbers->front();
    for (auto const* number : *numbers) {
        auto const order = compare(*number, *best, call.budget);
        if (!order) return order.error();
        if (Greatest ? std::is_gt(*order) : std::is_lt(*order)) best = number;
    }
    return json::value(*best);
}

fallible<operand> average(call const& call) {
    auto const count =
        call.count() == 1 && call[0].is_array() ? call[0].get_array().size() : call.count();
    if (count == 0) return no_numbers(call);
    auto sum = calculated(call, "sum");
    if (!sum) return sum;
    return number_value((*sum)->to_number<double>() / static_cast<double>(count));
}

// As a reader of decimal digits expects it: 2.675 is 2.68 with two digits, though the double
// nearest to it is a little less. 15 digits are what every double has.
double rounded(double number, int digits) {
    auto const scale = std::pow(10.0, digits);
    auto const scaled = fmt::format("{:.15g}", number * scale);
    return std::round(std::strtod(scaled.c_str(), nullptr)) / scale;
}

fallible<operand> round(call const& call) {
    if (call.count() < 2) return run_number_function(call);
    auto const number = call.number(0);
    auto const digits = call.number(1);
    if (!number) return number.error();
    if (!digits) return digits.error();
    if (std::trunc(*digits) != *digits || std::fabs(*digits) > 15)
        return failure{"argument 2 of round() must be a whole number from -15 to 15"};
    auto const result = rounded(*number, static_cast<int>(*digits));
    return number_value(std::isfinite(result) ? result : *number);
}

template<double (*Change)(double)>
fallible<operand> number_changed(call const& call) {
    auto const number = call.number(0);
    if (!number) return number.error();
    return number_value(Change(*number));
}

double trunc(double number) {
    return std::trunc(number);
}
double sign(double number) {
    return number > 0 ? 1 : number < 0 ? -1 : 0;
}

// There are no other numbers here.
template<bool Answer>
fallible<operand> number_is(call const& call) {
    if (auto const number = call.number(0); !number) return number.error();
    return json::value(Answer);
}

constexpr std::array numbers_functions{
    function{"abs", 1, 1, run_number_function, R"doc(the number without its sign
abs(-3) → 3)doc"},
    function{"average", 0, any_number, average, R"doc(the mean of the numbers
average([1, 2, 6]) → 3)doc"},
    function{"ceil", 1, 1, run_number_function, R"doc(the number rounded up to a whole number
ceil(1.2) → 2)doc"},
    function{"floor", 1, 1, run_number_function, R"doc(the number rounded down to a whole number
floor(-1.2) → -2)doc"},
    function{"math.abs", 1, 1, run_number_function, R"doc(the same as `abs`
math.abs(-1.5) → 1.5)doc"},
    function{"math.ceil", 1, 1, run_number_function, R"doc(the same as `ceil`
math.ceil(-1.2) → -1)doc"},
    function{"math.floor", 1, 1, run_number_function, R"doc(the same as `floor`
math.floor(1.2) → 1)doc"},
    function{"math.greatest", 1, any_number, extreme<true>, R"doc(the same as `max`
math.greatest(1, 3, 2) → 3)doc"},
    function{
        "math.isFinite", 1, 1, number_is<true>, R"doc(always `true`: an infinite result is an error
math.isFinite(1) → true)doc"},
    function{"math.isInf", 1, 1, number_is<false>, R"doc(always `false`
math.isInf(1) → false)doc"},
    function{"math.isNaN", 1, 1, number_is<false>, R"doc(always `false`
math.isNaN(1) → false)doc"},
    function{"math.least", 1, any_number, extreme<false>, R"doc(the same as `min`
math.least(1, 3, 2) → 1)doc"},
    function{"math.round", 1, 2, round, R"doc(the same as `round`
math.round(-1.5) → -2)doc"},
    function{"math.sign", 1, 1, number_changed<sign>, R"doc(-1, 0 or 1, by the sign of the number
math.sign(-11) → -1)doc"},
    function{"math.sqrt", 1, 1, run_number_function, R"doc(the same as `sqrt`
math.sqrt(81) → 9)doc"},
    function{
        "math.trunc",
        1,
        1,
        number_changed<trunc>,
        R"doc(the number rounded towards 0 to a whole number
math.trunc(-1.7) → -1)doc"},
    function{"max", 1, any_number, extreme<true>, R"doc(the largest number
max(1, 3, 2) → 3)doc"},
    function{"min", 1, any_number, extreme<false>, R"doc(the smallest number
$json.items.map(i, i.price).min() → 3.5)doc"},
    function{"pow", 2, 2, run_number_function, R"doc(the first number to the power of the second
pow(2, 10) → 1024)doc"},
    function{
        "round",
        1,
        2,
        round,
        R"doc(the number rounded to a whole number, or to a given number of decimal places; halves round away from 0
round(2.5) → 3
round(2.675, 2) → 2.68)doc"},
    function{"sqrt", 1, 1, run_number_function, R"doc(the square root
sqrt(16) → 4
sqrt(-1) → error: not real)doc"},
    function{"sum", 0, any_number, run_number_function, R"doc(the sum of the numbers
sum($json.items.map(i, i.price * i.count)) → 19)doc"},
};

} // namespace

function_family const numbers_family{"Numbers", numbers_functions};

} // namespace postrider::agent::expressions
