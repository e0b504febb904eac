#include "agent/expression/expression.hpp"

#include "agent/expression/evaluator.hpp"
#include "agent/expression/functions.hpp"
#include "agent/expression/parser.hpp"
#include "agent/expression/unicode.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

namespace postrider::agent {

std::string to_text(expression_error const& error) {
    return fmt::format("`{}`, column {}: {}", error.expression, error.column, error.reason);
}

void throw_exception_from_error(
    expression_error const& error, boost::source_location const& /*where*/
) {
    throw std::runtime_error(to_text(error));
}

expression_result<expression> expression::parse(
    std::string_view source, from_ai calls, expression_limits limits
) {
    auto tree = expressions::parse(source, calls, limits);
    if (!tree) return tree.error();
    return expression(std::make_shared<expressions::tree const>(std::move(*tree)));
}

expression_result<boost::json::value> expression::evaluate(
    scope const& names, expression_limits limits
) const {
    expressions::budget budget{limits};
    return evaluate(names, budget);
}

expression_result<boost::json::value> expression::evaluate(
    scope const& names, expressions::budget& budget
) const {
    auto value = expressions::evaluator{*tree_, names, budget}.run();
    auto const why = [&](expressions::failure const& failure) {
        return expressions::error_at(
            source(), failure.offset.value_or(tree_->nodes[tree_->root].offset), failure.reason
        );
    };
    if (!value) return why(value.error());
    auto result = expressions::take_result(std::move(*value), budget);
    if (!result) return why(result.error());
    return std::move(*result);
}

std::string const& expression::source() const noexcept {
    return tree_->source;
}

expression_references expression::references() const {
    std::set<std::string> variables;
    std::set<std::string> nodes;
    for (auto const& node : tree_->nodes) {
        if (node.kind == expressions::node_kind::variable) variables.insert(node.name);
        if (node.kind == expressions::node_kind::other) nodes.insert(node.name);
        if (node.callee && node.callee->reads_execution) variables.insert({"$execution", "$now"});
    }
    return {{variables.begin(), variables.end()}, {nodes.begin(), nodes.end()}, tree_->from_ai};
}

std::vector<expression_mention> expression::mentions() const {
    using subject = expression_mention::subject;
    std::vector<expression_mention> all;
    std::size_t at = 0; // they are leaves of the tree, so they stand in it as in the source
    std::size_t column = 1;
    for (auto const& node : tree_->nodes) {
        bool const reads_execution = node.callee && node.callee->reads_execution;
        bool const variable = node.kind == expressions::node_kind::variable || reads_execution;
        bool const other = node.kind == expressions::node_kind::other;
        if (!variable && !other && node.kind != expressions::node_kind::from_ai) continue;
        auto const between = std::string_view(source()).substr(at, node.offset - at);
        column += expressions::code_points(between);
        at = node.offset;
        all.push_back(
            {variable ? subject::variable
             : other  ? subject::node
                      : subject::from_ai,
             reads_execution ? "$execution" : node.name,
             column}
        );
    }
    return all;
}

} // namespace postrider::agent
