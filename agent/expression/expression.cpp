#include "agent/expression/expression.hpp"

#include "agent/expression/evaluator.hpp"
#include "agent/expression/functions.hpp"
#include "agent/expression/parser.hpp"
#include "agent/language/unicode.hpp"

#include <fmt/format.h>

#include <optional>
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
    auto const located = [&](expressions::failure const& failure) {
        return expressions::error_at(
            source(), failure.offset.value_or(tree_->nodes[tree_->root].offset), failure.reason
        );
    };
    if (!value) return located(value.error());
    auto result = expressions::take_result(std::move(*value), budget);
    if (!result) return located(result.error());
    return std::move(*result);
}

bool expression::is_call_of(std::string_view function) const noexcept {
    auto const& root = tree_->nodes[tree_->root];
    return root.kind == expressions::node_kind::call && root.callee->name == function;
}

bool expression::is_member_of(std::string_view variable, std::string_view name) const noexcept {
    using expressions::node_kind;
    auto const& nodes = tree_->nodes;
    auto const& root = nodes[tree_->root];
    if (root.optional) return false;
    bool is_named = root.kind == node_kind::member && root.name == name;
    if (root.kind == node_kind::index) {
        auto const& key = nodes[root.operands.at(1)];
        is_named = key.kind == node_kind::literal && key.value == boost::json::value(name);
    }
    if (!is_named) return false;
    auto const& of = nodes[root.operands.front()];
    return of.kind == node_kind::variable && of.name == variable;
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

namespace {

using expressions::node_id;
using expressions::node_kind;

// What is read of each leaf that names something.
class member_paths {
public:
    explicit member_paths(expressions::tree const& tree) : tree_(tree), reader_(tree.nodes.size()) {
        for (node_id at = 0; at < tree.nodes.size(); ++at) {
            auto const& node = tree.nodes[at];
            if (node.kind == node_kind::member) reader_[node.operands.front()] = at;
            if (node.kind == node_kind::has) asked_.insert(node.operands.front());
        }
        for (node_id at = 0; at < tree.nodes.size(); ++at)
            if (names_something(at)) collect_guarded(at);
    }

    std::vector<expression_mention::member> of(node_id leaf) const {
        std::vector<expression_mention::member> members;
        auto path = tree_.nodes[leaf].name;
        for (auto at = reader_[leaf]; at; at = reader_[*at]) {
            auto const& node = tree_.nodes[*at];
            path += '\n' + node.name;
            if (guarded_.contains(path)) break;
            auto const before = std::string_view(tree_.source).substr(0, node.offset);
            members.push_back({node.name, expressions::code_points(before) + 1});
        }
        return members;
    }

private:
    bool names_something(node_id at) const {
        auto const kind = tree_.nodes[at].kind;
        return kind == node_kind::variable || kind == node_kind::other;
    }

    // Whoever asks whether a member is there, or takes it if it is, knows that it may not be.
    void collect_guarded(node_id leaf) {
        auto path = tree_.nodes[leaf].name;
        for (auto at = reader_[leaf]; at; at = reader_[*at]) {
            path += '\n' + tree_.nodes[*at].name;
            if (tree_.nodes[*at].optional || asked_.contains(*at)) guarded_.insert(path);
        }
    }

    expressions::tree const& tree_;
    std::vector<std::optional<node_id>> reader_; // the member that is read of a node
    std::set<node_id> asked_;                    // in has()
    std::set<std::string> guarded_;
};

} // namespace

std::vector<expression_mention> expression::mentions() const {
    using subject = expression_mention::subject;
    std::vector<expression_mention> result;
    std::size_t at = 0; // they are leaves of the tree, so they stand in it as in the source
    std::size_t column = 1;
    member_paths const paths(*tree_);
    for (node_id leaf = 0; leaf < tree_->nodes.size(); ++leaf) {
        auto const& node = tree_->nodes[leaf];
        bool const reads_execution = node.callee && node.callee->reads_execution;
        bool const variable = node.kind == expressions::node_kind::variable || reads_execution;
        bool const is_other = node.kind == expressions::node_kind::other;
        if (!variable && !is_other && node.kind != expressions::node_kind::from_ai) continue;
        auto const between = std::string_view(source()).substr(at, node.offset - at);
        column += expressions::code_points(between);
        at = node.offset;
        result.push_back(
            {variable   ? subject::variable
             : is_other ? subject::node
                        : subject::from_ai,
             reads_execution ? "$execution" : node.name,
             column,
             paths.of(leaf)}
        );
    }
    return result;
}

} // namespace postrider::agent
