#include "agent/expression/lexer.hpp"

#include "agent/language/unicode.hpp"

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

constexpr std::string_view space = " \t\r\n\f";
constexpr std::string_view no_break_space = "\u00a0";

constexpr std::string_view simple_escapes = "abfnrtv\\\"'`?";
constexpr std::string_view simple_values = "\a\b\f\n\r\t\v\\\"'`?";

std::size_t name_length(std::string_view text) noexcept {
    std::size_t length = 0;
    while (length < text.size() && continues_name(text[length])) ++length;
    return length;
}

// What other languages spell so, and how it is spelled here. Longer ones stand before their
// beginnings.
struct foreign_symbol {
    std::string_view spelling;
    std::string_view hint;
};
constexpr std::array<foreign_symbol, 10> foreign_symbols{{
    {"===", "; equality is `==`"},
    {"!==", "; its opposite is `!=`"},
    {"...", "; merge() joins objects, and `+` arrays"},
    {"$(", "; the result of a node is $node[\"Name\"].json"},
    {"=>", "; a macro names its variable: items.map(i, i.price)"},
    {"??", "; a value instead of null is a.orValue(b)"},
    {"?.", "; a member that may be missing is a.?b"},
    {"=", "; equality is `==`"},
    {"&", "; did you mean `&&`?"},
    {"|", "; did you mean `||`?"},
}};

// Of a number beyond what a double holds: whether it is too small, and not too large.
bool is_tiny(std::string_view number) noexcept {
    auto const exponent = std::min(number.find_first_of("eE"), number.size());
    return number.substr(exponent).substr(0, 2).ends_with('-') ||
           number.find_first_not_of("0.") > number.find('.');
}

std::string no_meaning(std::string_view spelling, std::string_view hint = {}) {
    return "`" + std::string(spelling) + "` has no meaning here" + std::string(hint);
}

// Null: the text does not begin with one.
foreign_symbol const* find_foreign(std::string_view text) noexcept {
    constexpr std::string_view beginnings = "=!?&|.$";
    if (beginnings.find(text.front()) == beginnings.npos) return nullptr;
    for (auto const& symbol : foreign_symbols) {
        if (!text.starts_with(symbol.spelling)) continue;
        bool const fraction = symbol.spelling == "?." && text.size() > 2 && is_digit(text[2]);
        bool const doubled =
            symbol.spelling.size() == 1 && text.substr(1).starts_with(text.front());
        if (!fraction && !doubled) return &symbol;
    }
    return nullptr;
}

constexpr std::string_view digits_of_hexadecimal = "0123456789abcdefABCDEF";

} // namespace

token lexer::next() {
    skip_space();
    auto const rest = source_.substr(at_);
    if (rest.empty()) return take(token_kind::end, 0);
    auto const first = rest.front();
    auto const second = rest.size() > 1 ? rest[1] : '\0';
    if (dialect_ == dialect::cel && first == '0' && (second == 'x' || second == 'X'))
        return hexadecimal();
    if (is_digit(first) || (first == '.' && is_digit(second))) return number();
    if (first == '"' || first == '\'') return quoted(false);
    if (first == '`') return quoted_name();
    if ((first == 'r' || first == 'R') && (second == '"' || second == '\'')) return quoted(true);
    if (first == '$' && begins_name(second))
        return take(token_kind::variable, 1 + name_length(rest.substr(1)));
    if (begins_name(first)) {
        auto const length = name_length(rest);
        auto word =
            take(rest.substr(0, length) == "in" ? token_kind::symbol : token_kind::name, length);
        word.symbol = symbol::in;
        return word;
    }
    if (auto const* foreign = find_foreign(rest))
        return wrong(foreign->spelling.size(), no_meaning(foreign->spelling, foreign->hint));
    for (auto const& [spelling, meaning] : symbols) {
        if (!rest.starts_with(spelling)) continue;
        auto taken = take(token_kind::symbol, spelling.size());
        taken.symbol = meaning;
        return taken;
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
        else if (dialect_ == dialect::cel && rest.starts_with("//"))
            at_ += std::min({rest.find('\n'), rest.find("}}"), rest.size()});
        else
            return;
    }
}

token lexer::take(token_kind kind, std::size_t length) noexcept {
    token token;
    token.kind = kind;
    token.offset = at_;
    token.spelling = source_.substr(at_, length);
    at_ += length;
    return token;
}

token lexer::wrong(std::size_t length, std::string reason) {
    auto token = take(token_kind::wrong, length);
    token.text = std::move(reason);
    return token;
}

token lexer::number() {
    auto const* const first = source_.data() + at_;
    double value = 0;
    auto [end, ec] = std::from_chars(first, source_.data() + source_.size(), value);
    auto length = static_cast<std::size_t>(end - first);
    // Too small is 0, as it is for CEL.
    if (ec == std::errc::result_out_of_range && is_tiny({first, length})) ec = {}, value = 0;
    if (ec != std::errc{}) return wrong(length, "a number is too large");
    length += is_unsigned_suffix(length) ? 1 : 0;
    auto token = take(token_kind::number, length);
    token.number = value;
    return token;
}

token lexer::hexadecimal() {
    auto const digits = source_.substr(at_ + 2);
    auto const count = std::min(digits.find_first_not_of(digits_of_hexadecimal), digits.size());
    std::uint64_t value = 0;
    auto const* const end = digits.data() + count;
    auto const read = std::from_chars(digits.data(), end, value, 16);
    if (count == 0 || read.ec != std::errc{})
        return wrong(2 + count, "a hexadecimal number has 1 to 16 digits, such as 0x1f");
    auto token = take(token_kind::number, 2 + count + (is_unsigned_suffix(2 + count) ? 1 : 0));
    token.number = static_cast<double>(value);
    return token;
}

// CEL writes 1u for an unsigned number.
bool lexer::is_unsigned_suffix(std::size_t length) const noexcept {
    auto const rest = source_.substr(at_ + length);
    bool const marked =
        dialect_ == dialect::cel && !rest.empty() && (rest.front() == 'u' || rest.front() == 'U');
    return marked && (rest.size() == 1 || !continues_name(rest[1]));
}

token lexer::quoted_name() {
    auto const end = source_.find('`', at_ + 1);
    auto const name = source_.substr(at_ + 1, std::min(end, source_.size()) - at_ - 1);
    if (end == source_.npos || name.empty() || name.find('\n') != name.npos)
        return wrong(1, "a ` begins a member's name, such as $json.`first name`, and ends it");
    auto token = take(token_kind::quoted, name.size() + 2);
    token.text = name;
    return token;
}

// What is wrong reaches to the text's end, so that the rest of it is not taken for expression.
token lexer::quoted(bool raw) {
    auto const quote = source_.substr(at_ + (raw ? 1 : 0), 1);
    bool const triple =
        source_.substr(at_ + (raw ? 1 : 0)).starts_with(std::string(3, quote.front()));
    auto const closing = std::string(triple ? 3 : 1, quote.front());
    auto const begin = at_ + (raw ? 1 : 0) + closing.size();
    auto end = begin;
    auto const goes_on = [&] {
        return end < source_.size() && !source_.substr(end).starts_with(closing) &&
               (triple || source_[end] != '\n');
    };
    while (goes_on()) end += !raw && source_[end] == '\\' ? 2 : 1;
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
            return wrong(
                end + closing.size() - escape, "there is no such escape; a `\\` is written `\\\\`"
            );
        }
    }
    auto token = take(token_kind::text, end + closing.size() - at_);
    token.text = std::move(value);
    return token;
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
    bool const octal = kind >= '0' && kind <= '3';
    std::size_t const digits = octal                        ? 3
                               : kind == 'x' || kind == 'X' ? 2
                               : kind == 'u'                ? 4
                               : kind == 'U'                ? 8
                                                            : 0;
    auto const begin = at + (octal ? 1 : 2);
    if (digits == 0 || source_.size() < begin + digits) return false;
    auto const* const first = source_.data() + begin;
    std::uint32_t code_point = 0;
    auto [end, ec] = std::from_chars(first, first + digits, code_point, octal ? 8 : 16);
    if (ec != std::errc{} || end != first + digits) return false;
    at = begin + digits;
    return append_utf8(value, code_point);
}

} // namespace postrider::agent::expressions
