// Functions of whole numbers as 64 bits, in two's complement.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/values.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>

namespace postrider::agent::expressions {

namespace {

fallible<std::uint64_t> bits(call const& call, std::size_t index) {
    auto const& value = call[index];
    if (auto const* whole = value.if_int64()) return static_cast<std::uint64_t>(*whole);
    if (auto const* whole = value.if_uint64()) return *whole;
    auto const number = call.number(index);
    if (!number) return number.error();
    if (std::trunc(*number) == *number && std::fabs(*number) < 0x1p63)
        return static_cast<std::uint64_t>(static_cast<std::int64_t>(*number));
    return failure{fmt::format(
        "argument {} of {}() must be a whole number of 64 bits", index + 1, call.callee.name
    )};
}

operand whole(std::uint64_t bits) {
    return json::value(static_cast<std::int64_t>(bits));
}

template<std::uint64_t (*Combine)(std::uint64_t, std::uint64_t)>
fallible<operand> combined(call const& call) {
    auto const left = bits(call, 0);
    auto const right = bits(call, 1);
    if (!left) return left.error();
    if (!right) return right.error();
    return whole(Combine(*left, *right));
}

std::uint64_t bits_in_both(std::uint64_t left, std::uint64_t right) {
    return left & right;
}
std::uint64_t bits_in_any(std::uint64_t left, std::uint64_t right) {
    return left | right;
}
std::uint64_t differing(std::uint64_t left, std::uint64_t right) {
    return left ^ right;
}

fallible<operand> inverted(call const& call) {
    auto const value = bits(call, 0);
    if (!value) return value.error();
    return whole(~*value);
}

// No bit is left of what is shifted by 64 or more; at the left zeros come in.
template<bool Left>
fallible<operand> bits_shifted(call const& call) {
    auto const value = bits(call, 0);
    auto const by = call.whole(1, 1'000'000);
    if (!value) return value.error();
    if (!by) return by.error();
    if (*by >= 64) return whole(0);
    return whole(Left ? *value << *by : *value >> *by);
}

constexpr std::array bits_functions{
    function{
        "math.bitAnd", 2, 2, combined<bits_in_both>, R"doc(the bits that are set in both numbers
math.bitAnd(6, 3) → 2)doc"},
    function{"math.bitNot", 1, 1, inverted, R"doc(the number with every bit inverted
math.bitNot(1) → -2)doc"},
    function{
        "math.bitOr", 2, 2, combined<bits_in_any>, R"doc(the bits that are set in one number or both
math.bitOr(6, 3) → 7)doc"},
    function{"math.bitShiftLeft", 2, 2, bits_shifted<true>, R"doc(the bits shifted to the left
math.bitShiftLeft(1, 4) → 16)doc"},
    function{"math.bitShiftRight", 2, 2, bits_shifted<false>, R"doc(the bits shifted to the right
math.bitShiftRight(1024, 2) → 256)doc"},
    function{
        "math.bitXor",
        2,
        2,
        combined<differing>,
        R"doc(the bits that are set in only one of the numbers
math.bitXor(6, 3) → 5)doc"},
};

} // namespace

function_family const bits_family{"Bits", bits_functions};

} // namespace postrider::agent::expressions
