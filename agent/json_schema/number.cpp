#include "agent/json_schema/number.hpp"

#include <boost/json/value.hpp>

#include <charconv>
#include <cmath>
#include <limits>

namespace postrider::agent::json_schema {

namespace json = boost::json;

namespace {

using exact = long double;
static_assert(std::numeric_limits<exact>::digits >= 64, "holds every int64, uint64 and double");

__extension__ using wide = unsigned __int128;

exact exactly(json::value const& number) {
    if (auto const* integer = number.if_int64()) return static_cast<exact>(*integer);
    if (auto const* integer = number.if_uint64()) return static_cast<exact>(*integer);
    return static_cast<exact>(number.get_double());
}

// digits × 10^exponent, without the sign.
struct decimal {
    std::uint64_t digits = 0;
    int exponent = 0;
};

decimal decimal_of(double number) {
    char text[32];
    auto const written = std::to_chars(
        text, text + sizeof text, std::abs(number), std::chars_format::scientific, 14
    );
    decimal parsed; // from "d.dddddddddddddde±xx"
    parsed.digits = static_cast<std::uint64_t>(text[0] - '0');
    for (char const* digit = text + 2; digit != text + 16; ++digit)
        parsed.digits = parsed.digits * 10 + static_cast<std::uint64_t>(*digit - '0');
    auto const* exponent = text + 17;
    if (*exponent == '+') ++exponent;
    std::from_chars(exponent, written.ptr, parsed.exponent);
    parsed.exponent -= 14;
    while (parsed.digits != 0 && parsed.digits % 10 == 0) {
        parsed.digits /= 10;
        ++parsed.exponent;
    }
    return parsed;
}

decimal decimal_of(json::value const& number) {
    if (auto const* integer = number.if_uint64()) return {*integer, 0};
    if (auto const* integer = number.if_int64()) {
        auto const bits = static_cast<std::uint64_t>(*integer);
        return {*integer < 0 ? 0 - bits : bits, 0};
    }
    return decimal_of(number.get_double());
}

} // namespace

bool is_whole(json::value const& number) {
    auto const* fraction = number.if_double();
    return !fraction || (std::isfinite(*fraction) && std::trunc(*fraction) == *fraction);
}

std::partial_ordering compare(json::value const& a, json::value const& b) {
    return exactly(a) <=> exactly(b);
}

bool is_multiple(json::value const& number, json::value const& factor) {
    if (!std::isfinite(exactly(number))) return false;
    auto const [digits, exponent] = decimal_of(number);
    auto const [divisor, divisor_exponent] = decimal_of(factor);
    if (digits == 0) return true;
    if (divisor == 0) return false;
    wide rest = digits % divisor;
    if (exponent >= divisor_exponent) {
        for (int i = divisor_exponent; i < exponent && rest != 0; ++i) rest = rest * 10 % divisor;
        return rest == 0;
    }
    wide larger = divisor; // than the number, and it is none of its multiples
    for (int i = exponent; i < divisor_exponent && larger <= digits; ++i) larger *= 10;
    return digits % larger == 0;
}

std::size_t hash_of_number(json::value const& number) {
    return std::hash<exact>{}(exactly(number));
}

} // namespace postrider::agent::json_schema
