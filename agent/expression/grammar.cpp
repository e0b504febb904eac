#include "agent/expression/grammar.hpp"

#include "agent/expression/functions.hpp"
#include "agent/expression/hints.hpp"
#include "agent/expression/parser.hpp"
#include "agent/expression/values.hpp"
#include "agent/language/unicode.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>

namespace postrider::agent::expressions {

namespace {

// How tightly a binary operator binds; 0: it is none.
int strength(token const& word) noexcept {
    if (word.kind != token_kind::symbol) return 0;
    switch (word.symbol) {
    case symbol::logical_or:
        return 1;
    case symbol::logical_and:
        return 2;
    case symbol::equal:
    case symbol::unequal:
    case symbol::less:
    case symbol::at_most:
    case symbol::greater:
    case symbol::at_least:
    case symbol::in:
        return 3;
    case symbol::plus:
    case symbol::minus:
        return 4;
    case symbol::times:
    case symbol::divide:
    case symbol::remainder:
        return 5;
    default:
        return 0;
    }
}

// As written, in decimal or hexadecimal digits.
std::optional<boost::json::value> whole_number(std::string_view spelling) {
    bool const hexadecimal = spelling.starts_with("0x") || spelling.starts_with("0X");
    if (hexadecimal) spelling.remove_prefix(2);
    if (spelling.ends_with('u') || spelling.ends_with('U')) spelling.remove_suffix(1);
    auto const* const end = spelling.data() + spelling.size();
    std::uint64_t whole = 0;
    auto const read = std::from_chars(spelling.data(), end, whole, hexadecimal ? 16 : 10);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    if (whole <= std::numeric_limits<std::int64_t>::max())
        return boost::json::value(static_cast<std::int64_t>(whole));
    return boost::json::value(whole);
}

} // namespace

grammar::grammar(std::string_view source, from_ai calls, expression_limits limits)
    : source_(source),
      calls_(calls),
      limits_(limits),
      words_(source, dialect::cel),
      next_(words_.next()) {}

expression_result<tree> grammar::whole() {
    auto root = expression();
    if (root && next_.kind != token_kind::end) root = unexpected();
    if (!root) return error_at(source_, root.error().offset.value_or(0), root.error().reason);
    tree_.source = source_;
    tree_.root = *root;
    return std::move(tree_);
}

grammar::parsed grammar::expression() {
    nesting const level{depth_, limits_.depth};
    if (level.too_deep())
        return failure{"the expression is nested too deeply", failure_kind::limit, next_.offset};
    auto condition = binary(1);
    auto const offset = next_.offset;
    if (!condition || !take(symbol::question)) return condition;
    auto then = expression();
    if (!then) return then;
    if (auto missing = expect(symbol::colon, ":")) return *missing;
    auto otherwise = expression();
    if (!otherwise) return otherwise;
    return add({node_kind::choice, offset, {*condition, *then, *otherwise}});
}

grammar::parsed grammar::binary(int weakest) {
    auto left = unary();
    while (left) {
        auto const binding = strength(next_);
        if (binding == 0 || binding < weakest) break;
        node binary_node{node_kind::binary, next_.offset};
        binary_node.operation = next_.symbol;
        advance();
        auto right = binary(binding + 1);
        if (!right) return right;
        binary_node.operands = {*left, *right};
        left = add(std::move(binary_node));
    }
    return left;
}

grammar::parsed grammar::unary() {
    bool const negated = next_.is(symbol::minus);
    if (!negated && !next_.is(symbol::logical_not)) return selections();
    nesting const level{depth_, limits_.depth};
    if (level.too_deep())
        return failure{"the expression is nested too deeply", failure_kind::limit, next_.offset};
    auto const offset = next_.offset;
    advance();
    auto operand = unary();
    if (!operand) return operand;
    return add({negated ? node_kind::negate : node_kind::invert, offset, {*operand}});
}

grammar::parsed grammar::selections() {
    auto value = primary();
    while (value) {
        if (take(symbol::dot))
            value = member(*value);
        else if (take(symbol::open_bracket))
            value = index(*value);
        else
            break;
    }
    return value;
}

grammar::parsed grammar::member(node_id owner) {
    bool const optional = take(symbol::question);
    bool const quoted = next_.kind == token_kind::quoted;
    if (!quoted && !next_is_word()) return unexpected();
    auto const word = next_;
    advance();
    if (!quoted && !optional && take(symbol::open_paren)) return call(word, word.spelling, {owner});
    node member_node{node_kind::member, word.offset, {owner}};
    member_node.name = quoted ? word.text : std::string(word.spelling);
    member_node.optional = optional;
    return add(std::move(member_node));
}

grammar::parsed grammar::index(node_id owner) {
    node index_node{node_kind::index, next_.offset, {owner}};
    index_node.optional = take(symbol::question);
    auto key = expression();
    if (!key) return key;
    if (auto missing = expect(symbol::close_bracket, "]")) return *missing;
    index_node.operands.push_back(*key);
    return add(std::move(index_node));
}

grammar::parsed grammar::primary() {
    if (take(symbol::open_paren)) return parenthesized();
    if (next_.is(symbol::open_bracket)) return list();
    if (next_.is(symbol::open_brace)) return object();
    switch (next_.kind) {
    case token_kind::number:
        return number();
    case token_kind::name:
        return name();
    case token_kind::variable:
        return variable();
    case token_kind::text: {
        node literal{node_kind::literal, next_.offset};
        literal.value = boost::json::string_view(next_.text);
        advance();
        return add(std::move(literal));
    }
    default:
        return unexpected();
    }
}

// A whole number keeps all the digits that 64 bits hold.
grammar::parsed grammar::number() {
    node literal{node_kind::literal, next_.offset};
    if (auto const whole = whole_number(next_.spelling))
        literal.value = *whole;
    else
        literal.value = number_value(next_.number);
    advance();
    return add(std::move(literal));
}

grammar::parsed grammar::parenthesized() {
    auto inside = expression();
    if (!inside) return inside;
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    return inside;
}

grammar::parsed grammar::list() {
    node list_node{node_kind::list, next_.offset};
    advance();
    while (!next_.is(symbol::close_bracket)) {
        auto item = next_.is(symbol::question) ? entry() : expression();
        if (!item) return item;
        list_node.operands.push_back(*item);
        if (!take(symbol::comma)) break;
    }
    if (auto missing = expect(symbol::close_bracket, "]")) return *missing;
    return add(std::move(list_node));
}

grammar::parsed grammar::entry() {
    auto const offset = next_.offset;
    advance();
    auto value = expression();
    if (!value) return value;
    return add({node_kind::entry, offset, {*value}});
}

grammar::parsed grammar::object() {
    node object_node{node_kind::object, next_.offset};
    advance();
    while (!next_.is(symbol::close_brace)) {
        auto const offset = next_.offset;
        bool const optional = take(symbol::question);
        bool const is_bool = next_.spelling == "true" || next_.spelling == "false";
        if (next_.kind == token_kind::name && behind_next().is(symbol::colon) && !is_bool &&
            std::ranges::find(locals_, next_.spelling) == locals_.end())
            return failure{
                fmt::format("put the key `{0}` in quotes: {{\"{0}\": …}}", next_.spelling),
                {},
                next_.offset};
        auto key = expression();
        if (!key) return key;
        if (auto missing = expect(symbol::colon, ":")) return *missing;
        auto value = expression();
        if (!value) return value;
        if (optional) value = add({node_kind::entry, offset, {*value}});
        object_node.operands.insert(object_node.operands.end(), {*key, *value});
        if (!take(symbol::comma)) break;
    }
    if (auto missing = expect(symbol::close_brace, "}")) return *missing;
    return add(std::move(object_node));
}

node_id grammar::add(node node) {
    tree_.nodes.push_back(std::move(node));
    return tree_.nodes.size() - 1;
}

bool grammar::take(symbol expected) {
    if (!next_.is(expected)) return false;
    advance();
    return true;
}

std::optional<failure> grammar::expect(symbol expected, std::string_view spelling) {
    if (take(expected)) return std::nullopt;
    if (next_.kind == token_kind::wrong) return unexpected();
    return failure{fmt::format("a `{}` is missing here", spelling), {}, next_.offset};
}

// Behind a dot, "in" is a name like any other.
bool grammar::next_is_word() const noexcept {
    return next_.kind == token_kind::name || next_.is(symbol::in);
}

token grammar::behind_next() const {
    auto ahead = words_;
    return ahead.next();
}

failure grammar::unexpected() const {
    auto const reason = [&]() -> std::string {
        if (next_.kind == token_kind::end) return "the expression ends too early";
        if (next_.kind == token_kind::wrong) return next_.text;
        if (next_.is(symbol::power)) return "this is no operator here; a power is pow(x, y)";
        auto const hint = next_.kind == token_kind::quoted
                              ? "; put strings in quotes, and join them with `+`"
                              : hint_for_word(next_.spelling);
        return fmt::format("`{}` is not expected here{}", shortened(next_.spelling, 40), hint);
    };
    return {reason(), {}, next_.offset};
}

} // namespace postrider::agent::expressions
