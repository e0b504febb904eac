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

// All that is wrong; columns count from the beginning of the text.
boost::system::result<cut_text, std::vector<expression_error>> cut(
    std::string_view text, from_ai calls, expression_limits limits
);

} // namespace postrider::agent::expressions
