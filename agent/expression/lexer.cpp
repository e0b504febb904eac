#include "agent/expression/lexer.hpp"

#include "agent/expression/unicode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace postrider::agent::expressions {

namespace {

constexpr bool is_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
constexpr bool begins_name(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
constexpr bool continues_name(char c) noexcept {
    return begins_name(c) || is_digit(c);
}

// Longer ones stand before their beginnings.
constexpr std::array<std::pair<std::string_view, symbol>, 30> symbols{{
    {"**", symbol::power},        {"&&", symbol::logical_and}, {"||", symbol::logical_or},
    {"==", symbol::equal},        {"!=", symbol::unequal},     {"<=", symbol::at_most},
    {">=", symbol::at_least},     {"\u00d7", symbol::times},   {"\u00b7", symbol::times},
    {"\u00f7", symbol::divide},   {"\u2212", symbol::minus},   {"+", symbol::plus},
    {"-", symbol::minus},         {"*", symbol::times},        {"/", symbol::divide},
    {"%", symbol::remainder},     {"^", symbol::power},        {"!", symbol::logical_not},
    {"<", symbol::less},          {">", symbol::greater},      {"?", symbol::question},
    {":", symbol::colon},         {",", symbol::comma},        {".", symbol::dot},
    {"(", symbol::open_paren},    {")", symbol::close_paren},  {"[", symbol::open_bracket},
    {"]", symbol::close_bracket}, {"{", symbol::open_brace},   {"}", symbol::close_brace},
}};

constexpr std::string_view space = " \t\r\n";
constexpr std::string_view no_break_space = "\u00a0";

constexpr std::string_view simple_escapes = "abfnrtv\\\"'`?";
constexpr std::string_view simple_values = "\a\b\f\n\r\t\v\\\"'`?";

std::size_t name_length(std::string_view text) noexcept {
    std::size_t length = 0;
    while (length < text.size() && continues_name(text[length])) ++length;
    return length;
}

std::string no_meaning(std::string_view spelling) {
    if (spelling == "=") return "`=` has no meaning here; equality is `==`";
    if (spelling == "&" || spelling == "|")
        return "`" + std::string(spelling) + "` has no meaning here; did you mean `" +
               std::string(spelling) + std::string(spelling) + "`?";
    return "`" + std::string(spelling) + "` has no meaning here";
}

} // namespace

token lexer::next() {
    skip_space();
    auto const rest = source_.substr(at_);
    if (rest.empty()) return take(token_kind::end, 0);
    auto const first = rest.front();
    auto const second = rest.size() > 1 ? rest[1] : '\0';
    if (is_digit(first) || (first == '.' && is_digit(second))) return number();
    if (first == '"' || first == '\'') return quoted(false);
    if ((first == 'r' || first == 'R') && (second == '"' || second == '\'')) return quoted(true);
    if (first == '$' && begins_name(second))
        return take(token_kind::variable, 1 + name_length(rest.substr(1)));
    if (begins_name(first)) {
        auto const length = name_length(rest);
        auto word =
            take(rest.substr(0, length) == "in" ? token_kind::symbol : token_kind::name, length);
        word.what = symbol::in;
        return word;
    }
    for (auto const& [spelling, meaning] : symbols) {
        if (!rest.starts_with(spelling)) continue;
        auto found = take(token_kind::symbol, spelling.size());
        found.what = meaning;
        return found;
    }
    auto const end = offset_of(rest, 1);
    auto const length = end == rest.npos ? 1 : end;
    return wrong(length, no_meaning(rest.substr(0, length)));
}

void lexer::skip_space() noexcept {
    for (;;) {
        auto const rest = source_.substr(at_);
        if (rest.starts_with(no_break_space))
            at_ += no_break_space.size();
        else if (!rest.empty() && space.find(rest.front()) != space.npos)
            ++at_;
        else
            return;
    }
}

token lexer::take(token_kind kind, std::size_t length) noexcept {
    token made;
    made.kind = kind;
    made.offset = at_;
    made.spelling = source_.substr(at_, length);
    at_ += length;
    return made;
}

token lexer::wrong(std::size_t length, std::string why) {
    auto made = take(token_kind::wrong, length);
    made.text = std::move(why);
    return made;
}

token lexer::number() {
    auto const* const first = source_.data() + at_;
    double value = 0;
    auto [end, ec] = std::from_chars(first, source_.data() + source_.size(), value);
    auto const length = static_cast<std::size_t>(end - first);
    if (ec != std::errc{}) return wrong(length, "a number is too large or too small");
    auto made = take(token_kind::number, length);
    made.number = value;
    return made;
}

// What is wrong reaches to the text's end, so that the rest of it is not taken for expression.
token lexer::quoted(bool raw) {
    auto const begin = at_ + (raw ? 2 : 1);
    auto const quote = source_[begin - 1];
    auto end = begin;
    while (end < source_.size() && source_[end] != quote && source_[end] != '\n')
        end += !raw && source_[end] == '\\' ? 2 : 1;
    if (end >= source_.size() || source_[end] == '\n')
        return wrong(
            std::min(end, source_.size()) - at_,
            "the text that begins here is not closed; a line break in it is written `\\n`"
        );
    std::string value;
    for (auto at = begin; at < end;) {
        if (raw || source_[at] != '\\') {
            value += source_[at++];
        } else if (auto const escape = at; !append_escape(at, value)) {
            at_ = escape;
            return wrong(end + 1 - escape, "there is no such escape; a `\\` is written `\\\\`");
        }
    }
    auto made = take(token_kind::text, end + 1 - at_);
    made.text = std::move(value);
    return made;
}

// At a backslash; moves behind the escape.
bool lexer::append_escape(std::size_t& at, std::string& value) const {
    auto const kind = at + 1 < source_.size() ? source_[at + 1] : '\0';
    if (auto const simple = simple_escapes.find(kind);
        kind != '\0' && simple != simple_escapes.npos) {
        value += simple_values[simple];
        at += 2;
        return true;
    }
    std::size_t const digits = kind == 'x' || kind == 'X' ? 2
                               : kind == 'u'              ? 4
                               : kind == 'U'              ? 8
                                                          : 0;
    auto const* const first = source_.data() + at + 2;
    if (digits == 0 || source_.size() - at - 2 < digits) return false;
    std::uint32_t code_point = 0;
    auto [end, ec] = std::from_chars(first, first + digits, code_point, 16);
    // No U+0000: Postgres has no text with it.
    if (ec != std::errc{} || end != first + digits || code_point == 0) return false;
    at += 2 + digits;
    return append_utf8(value, code_point);
}

} // namespace postrider::agent::expressions
