// Functions that make texts of texts. Positions count code points.
#include "agent/expression/functions.hpp"
#include "agent/expression/search.hpp"
#include "agent/expression/unicode.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/array.hpp>
#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <array>

namespace postrider::agent::expressions {

namespace {

constexpr std::string_view blanks = " \t\r\n\f\v";

template<char First, char Last, int Distance>
fallible<operand> shifted(call const& given) {
    auto const text = given.text(0);
    if (!text) return text.error();
    std::string made(*text);
    for (auto& c : made)
        if (c >= First && c <= Last) c = static_cast<char>(c + Distance);
    return text_operand(made);
}

fallible<operand> trim(call const& given) {
    auto const text = given.text(0);
    if (!text) return text.error();
    auto const first = text->find_first_not_of(blanks);
    if (first == text->npos) return text_operand("");
    return text_operand(text->substr(first, text->find_last_not_of(blanks) + 1 - first));
}

failure outside(call const& given, std::size_t index) {
    return {
        fmt::format("argument {} of {}() lies outside the string", index + 1, given.callee.name)};
}

// The byte of the position that the argument gives.
fallible<std::size_t> position(call const& given, std::size_t index, std::string_view text) {
    auto const wanted = given.whole(index, text.size());
    if (!wanted) return wanted.error();
    auto const at = offset_of(text, *wanted);
    if (at == text.npos) return outside(given, index);
    return at;
}

fallible<operand> substring(call const& given) {
    auto const text = given.text(0);
    if (!text) return text.error();
    auto const begin = position(given, 1, *text);
    if (!begin) return begin.error();
    auto const end = given.count() > 2 ? position(given, 2, *text) : text->size();
    if (!end) return end.error();
    if (*end < *begin) return failure{"substring() must not end before it begins"};
    return text_operand(text->substr(*begin, *end - *begin));
}

// As CEL has it: "" at the end of the text.
fallible<operand> char_at(call const& given) {
    auto const text = given.text(0);
    if (!text) return text.error();
    auto const at = position(given, 1, *text);
    if (!at) return at.error();
    auto const rest = text->substr(*at);
    return text_operand(rest.substr(0, rest.empty() ? 0 : offset_of(rest, 1)));
}

// The optional last argument: how many at most.
fallible<std::size_t> count_of(call const& given, std::size_t index) {
    if (given.count() <= index) return any_number;
    return given.whole(index, 1'000'000);
}

fallible<operand> replace(call const& given) {
    auto const text = given.text(0);
    auto const from = given.text(1);
    auto const to = given.text(2);
    auto const most = count_of(given, 3);
    if (!text) return text.error();
    if (!from) return from.error();
    if (!to) return to.error();
    if (!most) return most.error();
    if (from->empty()) return failure{"replace() needs a text to look for; this one is empty"};
    bounded_text made{given.budget};
    std::size_t at = 0;
    for (std::size_t done = 0; done < *most; ++done) {
        auto const found = find_text(*text, *from, at);
        if (found == text->npos) break;
        if (!made.append(text->substr(at, found - at)) || !made.append(*to)) break;
        at = found + from->size();
    }
    made.append(text->substr(at));
    return std::move(made).finish();
}

// Between all code points where there is no separator.
fallible<operand> split(call const& given) {
    auto const text = given.text(0);
    auto const separator = given.text(1);
    auto const most = count_of(given, 2);
    if (!text) return text.error();
    if (!separator) return separator.error();
    if (!most) return most.error();
    json::array parts;
    if (*most == 0 || (separator->empty() && text->empty())) return json::value(std::move(parts));
    std::size_t at = 0;
    while (parts.size() + 1 < *most) {
        auto const found = separator->empty() ? at + offset_of(text->substr(at), 1)
                                              : find_text(*text, *separator, at);
        if (found >= text->size()) break;
        if (!given.budget.spend()) return given.budget.failure();
        parts.push_back(*text_operand(text->substr(at, found - at)));
        at = found + separator->size();
    }
    parts.push_back(*text_operand(text->substr(at)));
    return json::value(std::move(parts));
}

fallible<operand> url_encode(call const& given) {
    constexpr std::string_view kept =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
    auto const text = given.text(0);
    if (!text) return text.error();
    bounded_text made{given.budget};
    for (auto rest = *text; !rest.empty();) {
        auto const plain = std::min(rest.find_first_not_of(kept), rest.size());
        if (!made.append(rest.substr(0, plain))) break;
        rest.remove_prefix(plain);
        if (rest.empty()) break;
        made.append(fmt::format("%{:02X}", static_cast<unsigned char>(rest.front())));
        rest.remove_prefix(1);
    }
    return std::move(made).finish();
}

constexpr std::array<function, 8> functions{{
    {"charAt", 2, 2, char_at},
    {"lowerAscii", 1, 1, shifted<'A', 'Z', 'a' - 'A'>},
    {"replace", 3, 4, replace},
    {"split", 2, 3, split},
    {"substring", 2, 3, substring},
    {"trim", 1, 1, trim},
    {"upperAscii", 1, 1, shifted<'a', 'z', 'A' - 'a'>},
    {"urlEncode", 1, 1, url_encode},
}};

} // namespace

std::span<function const> text_functions() noexcept {
    return functions;
}

} // namespace postrider::agent::expressions
