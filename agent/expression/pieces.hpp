#pragma once
// A text of a parameter, cut into literal text and the {{ expressions }} in it.
#include "agent/expression/expression.hpp"

#include <optional>
#include <vector>

namespace postrider::agent::expressions {

struct piece {
    std::string text; // when there is no expression
    std::optional<agent::expression> expression;
    std::size_t column = 0; // code points of the text in front of the expression's source
};

struct cut_text {
    std::vector<piece> pieces; // in order
    bool whole = false;        // one expression, with nothing but blanks around it
};

// Reads a text from its beginning, piece by piece.
class cutter {
public:
    // The text outlives it.
    cutter(std::string_view text, from_ai calls, expression_limits limits)
        : text_(text),
          calls_(calls),
          limits_(limits) {}

    struct part {
        std::string_view text; // as it stands
        std::optional<expression_result<agent::expression>> expression;
        std::size_t column = 0; // as of a piece; that of an error counts from the text's beginning
    };
    // Nothing behind the last. Behind braces that are not closed there is nothing more.
    std::optional<part> next();

private:
    part read_expression();

    std::string_view text_;
    from_ai calls_;
    expression_limits limits_;
    std::size_t at_ = 0;
    std::size_t column_ = 0; // of what is at `at_`
};

// All that is wrong; columns count from the beginning of the text.
boost::system::result<cut_text, std::vector<expression_error>> cut(
    std::string_view text, from_ai calls, expression_limits limits
);

// Whether cut() would find it `whole`, told without reading the expressions, which may take long:
// some are patterns. True also where the braces at its beginning are not closed.
bool looks_whole(std::string_view text);

} // namespace postrider::agent::expressions
