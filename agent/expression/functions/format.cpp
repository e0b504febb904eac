// format(): of texts with %s and the like as CEL has it, and of instants.
#include "agent/expression/arithmetic.hpp"
#include "agent/expression/functions/families.hpp"
#include "agent/expression/time_arguments.hpp"
#include "agent/expression/values.hpp"
#include "base/hex.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <optional>

namespace postrider::agent::expressions {

namespace {

// As %s writes a value: with blanks behind commas, and texts without quotes.
bool append_plain(bounded_text& text, json::value const& value) {
    if (value.is_null()) return text.append("null");
    std::string_view separator;
    if (auto const* array = value.if_array()) {
        text.append("[");
        for (auto const& item : *array) {
            if (!text.append(separator) || !append_plain(text, item)) return false;
            separator = ", ";
        }
        return text.append("]");
    }
    auto const* object = value.if_object();
    if (!object) return append_text(text, value);
    std::map<std::string_view, json::value const*> sorted;
    for (auto const& member : *object) sorted.emplace(member.key(), &member.value());
    text.append("{");
    for (auto const& [key, member] : sorted) {
        if (!text.append(separator) || !text.append(key) || !text.append(": ") ||
            !append_plain(text, *member))
            return false;
        separator = ", ";
    }
    return text.append("}");
}

std::optional<std::int64_t> whole_in(json::value const& value) {
    if (auto const* whole = value.if_int64()) return *whole;
    auto const* real = value.if_double();
    if (!real || !is_exact_whole(*real)) return std::nullopt;
    return static_cast<std::int64_t>(*real);
}

std::string in_base(std::int64_t number, int base) {
    std::array<char, 72> digits{};
    auto const end = std::to_chars(digits.data(), digits.data() + digits.size(), number, base).ptr;
    return {digits.data(), end};
}

struct directive {
    char letter = '\0';
    std::optional<int> precision;
};

// Of one value; nothing: the directive is not made for it.
std::optional<std::string> formatted(directive as, json::value const& value) {
    auto const whole = whole_in(value);
    auto const* text = value.if_string();
    auto const* flag = value.if_bool();
    switch (as.letter) {
    case 'd':
        return whole ? std::optional(std::to_string(*whole)) : std::nullopt;
    case 'b':
        if (flag) return *flag ? "1" : "0";
        return whole ? std::optional(in_base(*whole, 2)) : std::nullopt;
    case 'o':
        return whole ? std::optional(in_base(*whole, 8)) : std::nullopt;
    case 'x':
    case 'X': {
        if (!whole && !text) return std::nullopt;
        auto result = whole ? in_base(*whole, 16) : base::to_hex(view(*text));
        if (as.letter == 'X')
            std::ranges::transform(result, result.begin(), [](char c) {
                return c >= 'a' && c <= 'f' ? static_cast<char>(c - 'a' + 'A') : c;
            });
        return result;
    }
    case 'e':
    case 'f': {
        if (!value.is_number()) return std::nullopt;
        auto const number = value.to_number<double>();
        auto const precision = as.precision.value_or(6);
        return as.letter == 'e' ? fmt::format("{:.{}e}", number, precision)
                                : fmt::format("{:.{}f}", number, precision);
    }
    default:
        return std::nullopt;
    }
}

// Behind the %; removes it from the text.
fallible<directive> take_directive(std::string_view& rest) {
    constexpr int most = 100;
    directive read;
    if (rest.starts_with('.')) {
        int precision = 0;
        auto const [end, ec] =
            std::from_chars(rest.data() + 1, rest.data() + rest.size(), precision);
        if (ec != std::errc{} || precision < 0 || precision > most)
            return failure{fmt::format("a precision in a format is a number from 0 to {}", most)};
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        read.precision = precision;
    }
    if (rest.empty()) return failure{"the format ends with a %; %% is a percent sign"};
    read.letter = rest.front();
    rest.remove_prefix(1);
    if (std::string_view("sdfeboxX").find(read.letter) == std::string_view::npos)
        return failure{"the format has %s %d %f %.2f %e %b %o %x %X and %% only"};
    return read;
}

fallible<operand> format_text(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    auto const& values = call[1].get_array();
    bounded_text result{call.budget};
    std::size_t used = 0;
    for (auto rest = *text; !rest.empty();) {
        auto const plain = std::min(rest.find('%'), rest.size());
        result.append(rest.substr(0, plain));
        rest.remove_prefix(plain);
        if (rest.empty()) break;
        rest.remove_prefix(1);
        if (rest.starts_with('%')) {
            result.append("%");
            rest.remove_prefix(1);
            continue;
        }
        auto const directive = take_directive(rest);
        if (!directive) return directive.error();
        if (used == values.size()) return failure{"the format needs more values than there are"};
        auto const& value = values[used++];
        if (directive->letter == 's') {
            append_plain(result, value);
            continue;
        }
        auto const part = formatted(*directive, value);
        if (!part)
            return failure{fmt::format(
                "%{} of the format takes no value of type {}", directive->letter, type_name(value)
            )};
        result.append(*part);
    }
    if (used == 0 && !values.empty())
        return failure{"the format has no % for its values, so it formats nothing"};
    return std::move(result).finish();
}

fallible<operand> format_instant(call const& call) {
    auto const pattern = call.text(1);
    if (!pattern) return pattern.error();
    auto const at = moment_argument(call, 0, 2);
    if (!at) return at.error();
    bounded_text result{call.budget};
    if (auto wrong = append_formatted(result, *at, *pattern)) return std::move(*wrong);
    return std::move(result).finish();
}

fallible<operand> format(call const& call) {
    return call.count() == 2 && call[1].is_array() ? format_text(call) : format_instant(call);
}

constexpr std::array format_functions{
    function{
        "format",
        2,
        3,
        format,
        R"doc(a text with values in place of `%s %d %f %.2f %e %b %o %x %X %%`; or an instant as text, with its parts in place of `%Y %m %d %e %H %I %M %S %L %p %y %j %V %a %A %b %B %F %T %z %Z %%`
"%s: %.2f €".format(["Tea", 3.5]) → "Tea: 3.50 €"
$now.format("%a %e %b %Y, %H:%M", "Asia/Tokyo") → "Sun 22 Nov 2026, 00:30"
$now.format("yyyy-MM-dd") → error: did you mean `%Y-%m-%d`?)doc"},
};

} // namespace

function_family const format_family{"Formats", format_functions};

} // namespace postrider::agent::expressions
