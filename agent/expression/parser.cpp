#include "agent/expression/parser.hpp"

#include "agent/expression/functions.hpp"
#include "agent/expression/grammar.hpp"
#include "agent/expression/values.hpp"
#include "agent/language/unicode.hpp"
#include "base/utf8.hpp"

#include <fmt/format.h>

namespace postrider::agent::expressions {

expression_error error_at(std::string_view source, std::size_t offset, std::string reason) {
    constexpr std::size_t longest_shown = 200;
    return {
        shortened(source, longest_shown),
        code_points(source.substr(0, offset)) + 1,
        std::move(reason)};
}

expression_error moved(expression_error error, std::size_t columns) {
    error.column += columns;
    return error;
}

expression_result<tree> parse(std::string_view source, from_ai calls, expression_limits limits) {
    if (source.size() > limits.length)
        return error_at(
            source, 0, fmt::format("the expression is longer than {} bytes", limits.length)
        );
    if (!base::is_utf8(source)) return expression_error{"", 1, "the expression is not UTF-8"};
    return grammar{source, calls, limits}.whole();
}

} // namespace postrider::agent::expressions
