#pragma once
// The words of expressions: of flows and of the calculator. Pure.
//
// Each grammar takes what it knows and refuses the rest. × · ÷ − are read as * * / -, ** as ^, and
// a no-break space is a space.
#include <cstddef>
#include <string>
#include <string_view>

namespace postrider::agent::expressions {

enum class symbol {
    plus,
    minus,
    times,
    divide,
    remainder,
    power,
    logical_not,
    logical_and,
    logical_or,
    equal,
    unequal,
    less,
    at_most,
    greater,
    at_least,
    in, // a word, and an operator
    question,
    colon,
    comma,
    dot,
    open_paren,
    close_paren,
    open_bracket,
    close_bracket,
    open_brace,
    close_brace,
};

enum class token_kind {
    end,
    number,
    text,     // "…" or '…'; in three quotes with line breaks; raw behind an r
    quoted,   // `…`: a member's name, whatever its characters
    name,     // a letter or _, then letters, digits and _
    variable, // $ and a name
    symbol,
    wrong, // none of these; `text` says why
};

struct token {
    token_kind kind = token_kind::end;
    std::size_t offset = 0;          // in bytes, within the source
    std::string_view spelling = {};  // part of the source
    expressions::symbol symbol = {}; // of a symbol
    double number = 0;
    std::string text = {}; // of a text: its value; of a quoted name: the name

    bool is(expressions::symbol expected) const noexcept {
        return kind == token_kind::symbol && symbol == expected;
    }
};

// What words there are. CEL's are numbers in hexadecimal too, and comments, which go from // to the
// end of the line or to }}.
enum class dialect { arithmetic, cel };

class lexer {
public:
    // The source outlives the lexer and its tokens.
    explicit lexer(std::string_view source, expressions::dialect dialect = dialect::arithmetic)
        : source_(source),
          dialect_(dialect) {}

    // Behind the last token: `end`, again and again. Behind a wrong one it goes on.
    token next();

private:
    void skip_space() noexcept;
    token take(token_kind kind, std::size_t length) noexcept;
    token wrong(std::size_t length, std::string reason);
    token number();
    token hexadecimal();
    bool is_unsigned_suffix(std::size_t length) const noexcept;
    token quoted_name();
    token quoted(bool raw);
    bool append_escape(std::size_t& at, std::string& value) const;

    std::string_view source_;
    expressions::dialect dialect_;
    std::size_t at_ = 0;
};

} // namespace postrider::agent::expressions
