#include "agent/flow/n8n/javascript/token.hpp"
#include "agent/language/unicode.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <utility>

namespace postrider::agent::flow::n8n::javascript {

namespace {

// Longer ones stand before their beginnings.
constexpr std::array<std::string_view, 47> script_symbols{
    "===", "!==", "**=", "...", "&&=", "||=", "?\?=", "=>", "==", "!=", "<=", ">=",
    "&&",  "||",  "??",  "?.",  "**",  "++",  "--",   "+=", "-=", "*=", "/=", "+",
    "-",   "*",   "/",   "%",   "!",   "<",   ">",    "?",  ":",  ",",  ".",  ";",
    "(",   ")",   "[",   "]",   "{",   "}",   "=",    "&",  "|",  "~",  "^"};

constexpr std::string_view script_space = " \t\r\n\f\v";

bool is_script_digit(char c) noexcept {
    return c >= '0' && c <= '9';
}
bool begins_script_name(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 0x80;
}

// Behind these a slash divides; elsewhere it begins a pattern.
bool ends_operand(token const& last) {
    switch (last.kind) {
    case token_kind::number:
    case token_kind::text:
    case token_kind::literal:
    case token_kind::regex:
        return true;
    case token_kind::name:
        return last.text != "return" && last.text != "typeof" && last.text != "in";
    default:
        return last.is(")") || last.is("]") || last.is("}");
    }
}

class script_lexer {
public:
    explicit script_lexer(std::string_view source) : source_(source) {}

    std::vector<token> run() {
        if (!base::is_utf8(source_)) wrong("the text is not UTF-8");
        while (!over_) {
            skip_space();
            if (at_ >= source_.size()) break;
            next();
        }
        if (!over_) add({.kind = token_kind::end});
        return std::move(tokens_);
    }

private:
    std::string_view rest() const { return source_.substr(at_); }
    char ahead(std::size_t offset = 0) const {
        return at_ + offset < source_.size() ? source_[at_ + offset] : '\0';
    }

    void add(token token) {
        token.after_line = std::exchange(line_ended_, false);
        tokens_.push_back(std::move(token));
    }
    void wrong(std::string reason) {
        add({.kind = token_kind::wrong, .text = std::move(reason)});
        over_ = true;
    }

    void skip_space() {
        for (;;) {
            if (rest().starts_with("//")) {
                at_ = std::min(source_.find('\n', at_), source_.size());
            } else if (rest().starts_with("/*")) {
                auto const end = source_.find("*/", at_ + 2);
                at_ = end == source_.npos ? source_.size() : end + 2;
            } else if (rest().starts_with("\u00a0")) {
                at_ += 2;
            } else if (at_ < source_.size() && script_space.find(source_[at_]) != script_space.npos) {
                line_ended_ = line_ended_ || source_[at_] == '\n';
                ++at_;
            } else {
                return;
            }
        }
    }

    void next() {
        char const first = ahead();
        if (is_script_digit(first) || (first == '.' && is_script_digit(ahead(1)))) return number();
        if (first == '"' || first == '\'') return quoted(first);
        if (first == '`') return literal();
        if (begins_script_name(first)) return name();
        if (first == '/' && (tokens_.empty() || !ends_operand(tokens_.back()))) return regex();
        for (auto const symbol : script_symbols)
            if (rest().starts_with(symbol)) {
                // a?.5:1 has no member.
                if (symbol == "?." && is_script_digit(ahead(2))) continue;
                at_ += symbol.size();
                return add({.kind = token_kind::symbol, .text = std::string(symbol)});
            }
        wrong("a character has no meaning in an expression");
    }

    void name() {
        auto const begin = at_;
        while (at_ < source_.size() && (begins_script_name(ahead()) || is_script_digit(ahead())))
            ++at_;
        add({.kind = token_kind::name, .text = std::string(source_.substr(begin, at_ - begin))});
    }

    void number() {
        auto const begin = at_;
        bool const hexadecimal = ahead() == '0' && (ahead(1) == 'x' || ahead(1) == 'X');
        if (hexadecimal) at_ += 2;
        bool exponent = false;
        for (; at_ < source_.size(); ++at_) {
            char const c = ahead();
            bool const letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
            bool const sign = exponent && (c == '+' || c == '-');
            bool const e = !hexadecimal && (c == 'e' || c == 'E');
            if (!is_script_digit(c) && c != '_' && !(hexadecimal && letter) &&
                !(!hexadecimal && (c == '.' || e)) && !sign)
                break;
            exponent = e;
        }
        std::string spelling(source_.substr(begin, at_ - begin));
        std::erase(spelling, '_');
        if (ahead() == 'n' || begins_script_name(ahead()))
            return wrong("a number is followed by a letter");
        add({.kind = token_kind::number, .text = std::move(spelling)});
    }

    void quoted(char quote) {
        ++at_;
        std::string value;
        while (at_ < source_.size() && ahead() != quote && ahead() != '\n')
            if (!append_character(value)) return wrong("an escape in a text is not known");
        if (ahead() != quote || at_ >= source_.size()) return wrong("a text is not closed");
        ++at_;
        add({.kind = token_kind::text, .text = std::move(value)});
    }

    void literal() {
        ++at_;
        token result{.kind = token_kind::literal};
        std::string piece;
        while (at_ < source_.size() && ahead() != '`') {
            if (!rest().starts_with("${")) {
                if (!append_character(piece)) return wrong("an escape in a text is not known");
                continue;
            }
            auto const end = end_of_hole(at_ + 2);
            if (end == source_.npos) break;
            result.pieces.push_back(std::exchange(piece, {}));
            result.sources.emplace_back(source_.substr(at_ + 2, end - at_ - 2));
            at_ = end + 1;
        }
        if (at_ >= source_.size() || ahead() != '`') return wrong("a template is not closed");
        ++at_;
        result.pieces.push_back(std::move(piece));
        add(std::move(result));
    }

    // The brace that closes a ${…}: braces nest, and those of texts and inner templates do not count.
    std::size_t end_of_hole(std::size_t at) const {
        std::string open; // what has to be closed, the innermost last
        for (; at < source_.size(); ++at) {
            char const c = source_[at];
            char const inner = open.empty() ? '\0' : open.back();
            if (inner == '"' || inner == '\'' || inner == '`') {
                if (c == '\\')
                    ++at;
                else if (c == inner)
                    open.pop_back();
                else if (inner == '`' && source_.substr(at).starts_with("${"))
                    open += '{', ++at;
            } else if (c == '}') {
                if (open.empty()) return at;
                open.pop_back();
            } else if (c == '{' || c == '"' || c == '\'' || c == '`') {
                open += c;
            }
        }
        return source_.npos;
    }

    void regex() {
        auto const begin = ++at_;
        bool in_class = false;
        for (; at_ < source_.size() && (in_class || ahead() != '/') && ahead() != '\n'; ++at_) {
            if (ahead() == '\\')
                ++at_;
            else if (ahead() == '[')
                in_class = true;
            else if (ahead() == ']')
                in_class = false;
        }
        if (at_ >= source_.size() || ahead() != '/') return wrong("a pattern is not closed");
        token result{
            .kind = token_kind::regex, .text = std::string(source_.substr(begin, at_ - begin))};
        ++at_;
        while (ahead() >= 'a' && ahead() <= 'z') result.flags += source_[at_++];
        add(std::move(result));
    }

    // One character of a text, or an escape.
    bool append_character(std::string& value) {
        if (ahead() != '\\') {
            value += source_[at_++];
            return true;
        }
        char const kind = ahead(1);
        at_ += 2;
        constexpr std::string_view simple = "nrtbfv", values = "\n\r\t\b\f\v";
        if (kind == '0') return false; // U+0000 is kept nowhere
        if (kind == '\n') return true; // the line goes on
        if (auto const known = simple.find(kind); known != simple.npos && kind != '\0') {
            value += values[known];
            return true;
        }
        if (kind == 'x') return append_code(value, 2);
        if (kind == 'u' && ahead() == '{') {
            auto const end = source_.find('}', at_);
            if (end == source_.npos || end - at_ > 9) return false;
            ++at_;
            return append_code(value, end - at_) && ahead() == '}' && ++at_ != 0;
        }
        if (kind == 'u') return append_code(value, 4);
        if (kind == '\0') return false;
        value += kind;
        return true;
    }

    std::uint32_t read_code(std::size_t digits) {
        std::uint32_t code = 0;
        auto const text = source_.substr(std::min(at_, source_.size()), digits);
        auto const read = std::from_chars(text.data(), text.data() + text.size(), code, 16);
        if (digits == 0 || text.size() != digits || read.ec != std::errc{} ||
            read.ptr != text.data() + digits)
            return 0;
        at_ += digits;
        return code;
    }

    bool append_code(std::string& value, std::size_t digits) {
        auto code = read_code(digits);
        if (code >= 0xd800 && code < 0xdc00 && ahead() == '\\' && ahead(1) == 'u') {
            at_ += 2;
            auto const low = read_code(4);
            if (low < 0xdc00 || low > 0xdfff) return false;
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        }
        if (code == 0) return false;
        return expressions::append_utf8(value, code);
    }

    std::string_view source_;
    std::size_t at_ = 0;
    std::vector<token> tokens_;
    bool line_ended_ = false;
    bool over_ = false;
};

} // namespace

std::vector<token> tokens_of(std::string_view source) {
    return script_lexer(source).run();
}

} // namespace postrider::agent::flow::n8n::javascript
