// Functions that make texts of texts. Positions count code points.
#include "agent/expression/functions/families.hpp"
#include "agent/expression/search.hpp"
#include "agent/expression/values.hpp"
#include "agent/language/unicode.hpp"
#include "base/utf8.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <boost/url/pct_string_view.hpp>
#include <fmt/format.h>

#include <array>

namespace postrider::agent::expressions {

namespace {

template<char First, char Last, int Distance>
fallible<operand> case_shifted(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    std::string result(*text);
    for (auto& c : result)
        if (c >= First && c <= Last) c = static_cast<char>(c + Distance);
    return text_operand(result);
}

template<std::string (*Change)(std::string_view)>
fallible<operand> text_changed(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    return text_operand(Change(*text));
}

std::string capitalized(std::string_view text) {
    auto const first = text.substr(0, text.empty() ? 0 : offset_of(text, 1));
    return upper(first) + std::string(text.substr(first.size()));
}

fallible<operand> trim(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    return text_operand(without_space(*text));
}

// Before it or behind it, what fills it up to so many code points.
template<bool Before>
fallible<operand> padded(call const& call) {
    auto const text = call.text(0);
    auto const width = call.whole(1, call.budget.limits().output);
    auto const fill = call.count() > 2 ? call.text(2) : std::string_view(" ");
    if (!text) return text.error();
    if (!width) return width.error();
    if (!fill) return fill.error();
    if (code_points(*fill) != 1)
        return failure{fmt::format("{}() fills up with one character", call.callee.name)};
    auto const size = code_points(*text);
    bounded_text result{call.budget};
    if (!Before) result.append(*text);
    for (auto filled = size; filled < *width && result.append(*fill); ++filled) continue;
    if (Before) result.append(*text);
    return std::move(result).finish();
}

fallible<operand> repeat(call const& call) {
    auto const text = call.text(0);
    auto const times = call.whole(1, call.budget.limits().output);
    if (!text) return text.error();
    if (!times) return times.error();
    bounded_text result{call.budget};
    for (std::size_t i = 0; i < *times && result.append(*text); ++i) continue;
    return std::move(result).finish();
}

// As a literal of CEL.
fallible<operand> quote(call const& call) {
    constexpr std::string_view plain = "\a\b\f\n\r\t\v\\\"", letters = "abfnrtv\\\"";
    auto const text = call.text(0);
    if (!text) return text.error();
    std::string result = "\"";
    for (char c : *text) {
        auto const escape = plain.find(c);
        if (escape != plain.npos) result += '\\';
        result += escape == plain.npos ? c : letters[escape];
    }
    return text_operand(result + '"');
}

failure outside(call const& call, std::size_t index) {
    return {
        fmt::format("argument {} of {}() lies outside the string", index + 1, call.callee.name)};
}

// The byte of the position that the argument gives.
fallible<std::size_t> text_position(call const& call, std::size_t index, std::string_view text) {
    auto const text_position = call.whole(index, text.size());
    if (!text_position) return text_position.error();
    auto const at = offset_of(text, *text_position);
    if (at == text.npos) return outside(call, index);
    return at;
}

fallible<operand> substring(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    auto const begin = text_position(call, 1, *text);
    if (!begin) return begin.error();
    auto const end = call.count() > 2 ? text_position(call, 2, *text) : text->size();
    if (!end) return end.error();
    if (*end < *begin) return failure{"substring() must not end before it begins"};
    return text_operand(text->substr(*begin, *end - *begin));
}

// As CEL has it: "" at the end of the text.
fallible<operand> char_at(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    auto const at = text_position(call, 1, *text);
    if (!at) return at.error();
    auto const rest = text->substr(*at);
    return text_operand(rest.substr(0, rest.empty() ? 0 : offset_of(rest, 1)));
}

// The optional last argument: how many at most; all, when it is negative.
fallible<std::size_t> count_of(call const& call, std::size_t index) {
    if (call.count() <= index) return any_number;
    auto const count = call.number(index);
    if (count && *count < 0) return any_number;
    return call.whole(index, 1'000'000);
}

fallible<operand> replace_text(call const& call) {
    auto const text = call.text(0);
    auto const from = call.text(1);
    auto const to = call.text(2);
    auto const most = count_of(call, 3);
    if (!text) return text.error();
    if (!from) return from.error();
    if (!to) return to.error();
    if (!most) return most.error();
    if (from->empty()) return failure{"replace() needs a text to look for; this one is empty"};
    bounded_text result{call.budget};
    std::size_t at = 0;
    for (std::size_t done = 0; done < *most; ++done) {
        auto const position = find_text(*text, *from, at);
        if (position == text->npos) break;
        if (!result.append(text->substr(at, position - at)) || !result.append(*to)) break;
        at = position + from->size();
    }
    result.append(text->substr(at));
    return std::move(result).finish();
}

// Between all code points where there is no separator.
fallible<operand> split(call const& call) {
    auto const text = call.text(0);
    auto const separator = call.text(1);
    auto const most = count_of(call, 2);
    if (!text) return text.error();
    if (!separator) return separator.error();
    if (!most) return most.error();
    json::array parts;
    if (*most == 0 || (separator->empty() && text->empty())) return json::value(std::move(parts));
    std::size_t at = 0;
    while (parts.size() + 1 < *most) {
        auto const separator_at = separator->empty() ? at + offset_of(text->substr(at), 1)
                                                     : find_text(*text, *separator, at);
        if (separator_at >= text->size()) break;
        if (!call.budget.spend()) return call.budget.failure();
        parts.push_back(*text_operand(text->substr(at, separator_at - at)));
        at = separator_at + separator->size();
    }
    parts.push_back(*text_operand(text->substr(at)));
    return json::value(std::move(parts));
}

fallible<operand> url_encode(call const& call) {
    constexpr std::string_view unreserved =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    auto const text = call.text(0);
    if (!text) return text.error();
    bounded_text result{call.budget};
    for (auto rest = *text; !rest.empty();) {
        auto const plain = std::min(rest.find_first_not_of(unreserved), rest.size());
        if (!result.append(rest.substr(0, plain))) break;
        rest.remove_prefix(plain);
        if (rest.empty()) break;
        result.append(fmt::format("%{:02X}", static_cast<unsigned char>(rest.front())));
        rest.remove_prefix(1);
    }
    return std::move(result).finish();
}

fallible<operand> url_decode(call const& call) {
    auto const text = call.text(0);
    if (!text) return text.error();
    auto const encoded = boost::urls::make_pct_string_view({text->data(), text->size()});
    if (!encoded) return failure{"a % in the string is followed by no two hexadecimal digits"};
    auto const result = encoded->decode();
    if (!base::is_utf8(result)) return failure{"the string does not encode UTF-8"};
    return text_operand(result);
}

constexpr std::array strings_functions{
    function{
        "capitalize",
        1,
        1,
        text_changed<capitalized>,
        R"doc(the text with its first letter in upper case
"ärger".capitalize() → "Ärger")doc"},
    function{
        "charAt", 2, 2, char_at, R"doc(the code point at a position, or `""` at the end of the text
"größe".charAt(2) → "ö")doc"},
    function{"lower", 1, 1, text_changed<lower>, R"doc(the text in lower case, by Unicode
"ÄRGER".lower() → "ärger")doc"},
    function{
        "lowerAscii",
        1,
        1,
        case_shifted<'A', 'Z', 'a' - 'A'>,
        R"doc(the text with A to Z in lower case; other letters do not change
"ÄBC".lowerAscii() → "Äbc")doc"},
    function{
        "padEnd",
        2,
        3,
        padded<false>,
        R"doc(the text, filled up at the end to a length with spaces or another character
"ab".padEnd(4, ".") → "ab..")doc"},
    function{"padStart", 2, 3, padded<true>, R"doc(the text, filled up at the start in the same way
string(7).padStart(3, "0") → "007")doc"},
    function{"repeat", 2, 2, repeat, R"doc(the text repeated a number of times
"ab".repeat(3) → "ababab")doc"},
    function{
        "replace",
        3,
        4,
        replace_text,
        R"doc(the text with every match replaced; an optional number limits how many
"a-b-c".replace("-", "+") → "a+b+c"
"a-b-c".replace("-", "+", 1) → "a+b-c")doc"},
    function{
        "split", 2, 3, split, R"doc(the parts between separators; an optional number limits how many
"a,b,c".split(",") → ["a", "b", "c"]
"a,b,c".split(",", 2) → ["a", "b,c"]
"größe".split("") → ["g", "r", "ö", "ß", "e"])doc"},
    function{"strings.quote", 1, 1, quote, R"doc(the text as a literal in quotes
strings.quote("a\"b\n") → "\"a\\\"b\\n\"")doc"},
    function{
        "substring",
        2,
        3,
        substring,
        R"doc(the part from a position to the end, or to just before a second position
"größe".substring(2) → "öße"
"größe".substring(0, 2) → "gr")doc"},
    function{"trim", 1, 1, trim, R"doc(the text without white space at both ends, by Unicode
"  a b\n".trim() → "a b")doc"},
    function{"upper", 1, 1, text_changed<upper>, R"doc(the text in upper case, by Unicode
"größe".upper() → "GRÖẞE")doc"},
    function{
        "upperAscii",
        1,
        1,
        case_shifted<'a', 'z', 'A' - 'a'>,
        R"doc(the text with a to z in upper case; other letters do not change
$json.name.upperAscii() → "ADA")doc"},
    function{"urlDecode", 1, 1, url_decode, R"doc(the text that `urlEncode` encoded
"a%20b%26%C3%BC".urlDecode() → "a b&ü")doc"},
    function{"urlEncode", 1, 1, url_encode, R"doc(the text encoded as a part of a URL
"a b&ü".urlEncode() → "a%20b%26%C3%BC")doc"},
};

} // namespace

function_family const strings_family{"Strings", strings_functions};

} // namespace postrider::agent::expressions
