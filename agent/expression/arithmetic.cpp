#include "agent/expression/arithmetic.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>

namespace postrider::agent::expressions {

namespace {

using base::errc;
using base::result;
using numbers = std::span<double const>;

constexpr auto unbounded = std::numeric_limits<std::size_t>::max();

result<double> finite(double number) {
    if (std::isnan(number)) return base::error(errc::invalid, "the result is not a real number");
    if (std::isinf(number)) return base::error(errc::invalid, "the result is too large");
    return number;
}

base::error division_by_zero() {
    return {errc::invalid, "division by zero", by_zero};
}

result<double> raise(double root, double exponent) {
    if (root == 0 && exponent < 0) return division_by_zero();
    return finite(std::pow(root, exponent));
}

result<double> square_root(numbers arguments) {
    if (arguments[0] < 0)
        return base::error(errc::invalid, "the square root of a negative number is not real");
    return std::sqrt(arguments[0]);
}

constexpr std::array<number_function, 9> numeric_functions{{
    {"abs", 1, 1, [](numbers arguments) -> result<double> { return std::fabs(arguments[0]); }},
    {"ceil", 1, 1, [](numbers arguments) -> result<double> { return std::ceil(arguments[0]); }},
    {"floor", 1, 1, [](numbers arguments) -> result<double> { return std::floor(arguments[0]); }},
    {"max",
     1,
     unbounded,
     [](numbers arguments) -> result<double> { return std::ranges::max(arguments); }},
    {"min",
     1,
     unbounded,
     [](numbers arguments) -> result<double> { return std::ranges::min(arguments); }},
    {"pow", 2, 2, [](numbers arguments) { return raise(arguments[0], arguments[1]); }},
    {"round", 1, 1, [](numbers arguments) -> result<double> { return std::round(arguments[0]); }},
    {"sqrt", 1, 1, square_root},
    {"sum",
     0,
     unbounded,
     [](numbers arguments) { return finite(std::reduce(arguments.begin(), arguments.end())); }},
}};

} // namespace

result<double> calculate(symbol operation, double left, double right) {
    switch (operation) {
    case symbol::plus:
        return finite(left + right);
    case symbol::minus:
        return finite(left - right);
    case symbol::times:
        return finite(left * right);
    case symbol::power:
        return raise(left, right);
    case symbol::divide:
    case symbol::remainder:
        if (right == 0) return division_by_zero();
        return finite(operation == symbol::divide ? left / right : std::fmod(left, right));
    default:
        return base::error(errc::internal, "not an operation on numbers");
    }
}

number_function const* find_number_function(std::string_view name) noexcept {
    auto const place = std::ranges::find(numeric_functions, name, &number_function::name);
    return place == numeric_functions.end() ? nullptr : &*place;
}

std::span<number_function const> number_functions() noexcept {
    return numeric_functions;
}

bool is_exact_whole(double number) noexcept {
    return std::trunc(number) == number && std::fabs(number) < 9007199254740992.0;
}

std::string format_number(double number) {
    std::array<char, 40> text{};
    // + 0.0 turns -0 into 0.
    std::snprintf(
        text.data(), text.size(), is_exact_whole(number) ? "%.0f" : "%.15g", number + 0.0
    );
    return text.data();
}

} // namespace postrider::agent::expressions
