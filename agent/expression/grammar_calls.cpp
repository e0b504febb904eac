#include "agent/expression/functions.hpp"
#include "agent/expression/grammar.hpp"
#include "agent/expression/values.hpp"

#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace postrider::agent::expressions {

namespace {

struct macro_name {
    std::string_view name;
    macro_kind which;
};
constexpr std::array<macro_name, 6> macros{{
    {"all", macro_kind::all},
    {"exists", macro_kind::exists},
    {"exists_one", macro_kind::exists_one},
    {"filter", macro_kind::filter},
    {"map", macro_kind::map},
    {"sortBy", macro_kind::sort_by},
}};

std::optional<macro_kind> find_macro(std::string_view name) {
    auto const found = std::ranges::find(macros, name, &macro_name::name);
    if (found == macros.end()) return std::nullopt;
    return found->which;
}

std::optional<boost::json::value> find_constant(std::string_view name) {
    if (name == "true" || name == "false") return name == "true";
    if (name == "null") return nullptr;
    return std::nullopt;
}

std::string nearest_function(std::string_view name) {
    auto known = function_names();
    for (auto const& macro : macros) known.emplace_back(macro.name);
    known.emplace_back("has");
    return suggestion(name, known);
}

std::string nearest_variable(std::string_view name) {
    std::vector<std::string> known{"$node", "$from_ai"};
    known.insert(known.end(), expression_variables.begin(), expression_variables.end());
    return suggestion(name, known);
}

std::string count_text(function const& of) {
    if (of.most == any_number)
        return fmt::format("at least {} argument{}", of.least, of.least == 1 ? "" : "s");
    if (of.least == of.most)
        return fmt::format("{} argument{}", of.least, of.least == 1 ? "" : "s");
    return fmt::format("{} to {} arguments", of.least, of.most);
}

constexpr std::array<std::string_view, 6> json_types{
    "string", "number", "integer", "boolean", "object", "array"};

bool is_key(std::string_view key) noexcept {
    constexpr std::string_view allowed =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
    return !key.empty() && key.size() <= 64 && key.find_first_not_of(allowed) == key.npos;
}

} // namespace

grammar::parsed grammar::name() {
    auto const word = next_;
    advance();
    if (take(symbol::open_paren)) return word.spelling == "has" ? has(word) : call(word, {});
    node made{node_kind::literal, word.offset};
    if (auto constant = find_constant(word.spelling)) {
        made.value = std::move(*constant);
        return add(std::move(made));
    }
    // The innermost of a name is meant.
    auto const local = std::find(locals_.rbegin(), locals_.rend(), word.spelling);
    if (local == locals_.rend())
        return failure{
            fmt::format(
                "there is nothing named `{}`; strings stand in quotes, variables begin with $",
                word.spelling
            ),
            {},
            word.offset};
    made.kind = node_kind::local;
    made.slot = static_cast<std::size_t>(locals_.rend() - local) - 1;
    return add(std::move(made));
}

grammar::parsed grammar::variable() {
    auto const word = next_;
    advance();
    if (word.spelling == "$node") return other_node(word);
    if (word.spelling == "$from_ai") return ask_model(word);
    if (std::ranges::find(expression_variables, word.spelling) == expression_variables.end())
        return failure{
            fmt::format(
                "there is no variable `{}`{}", word.spelling, nearest_variable(word.spelling)
            ),
            {},
            word.offset};
    node made{node_kind::variable, word.offset};
    made.name = word.spelling;
    return add(std::move(made));
}

grammar::parsed grammar::other_node(token const& word) {
    node made{node_kind::other, word.offset};
    bool const opened = take(symbol::open_bracket);
    if (!opened || next_.kind != token_kind::text)
        return failure{
            "the name of the node stands in brackets and quotes: $node[\"Name\"]", {}, word.offset};
    made.name = next_.text;
    advance();
    if (auto missing = expect(symbol::close_bracket, "]")) return *missing;
    return add(std::move(made));
}

grammar::parsed grammar::ask_model(token const& word) {
    auto const wrong = [&](std::string_view why) {
        return failure{std::string(why), {}, word.offset};
    };
    if (calls_ == from_ai::refused)
        return wrong(
            "$from_ai() stands in the parameters of tools only: there a model gives the value"
        );
    if (!take(symbol::open_paren))
        return wrong("$from_ai is a call: $from_ai(\"key\", \"description\")");
    auto given = literal_arguments(1, 3);
    if (!given) return given.error();
    given->resize(3);
    from_ai_call call{given->at(0), given->at(1), given->at(2)};
    if (call.type.empty()) call.type = "string";
    if (!is_key(call.key)) return wrong("a key of $from_ai() is 1 to 64 letters, digits, _ and -");
    if (std::ranges::find(json_types, call.type) == json_types.end())
        return wrong(
            fmt::format("the type in $from_ai() is one of: {}", fmt::join(json_types, ", "))
        );
    node made{node_kind::from_ai, word.offset};
    made.name = call.key;
    if (std::ranges::find(tree_.from_ai, call.key, &from_ai_call::key) == tree_.from_ai.end())
        tree_.from_ai.push_back(std::move(call));
    return add(std::move(made));
}

fallible<std::vector<std::string>> grammar::literal_arguments(std::size_t least, std::size_t most) {
    std::vector<std::string> given;
    auto const offset = next_.offset;
    do {
        if (next_.kind != token_kind::text) return unexpected();
        given.push_back(next_.text);
        advance();
    } while (take(symbol::comma));
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    if (given.size() < least || given.size() > most)
        return failure{fmt::format("{} to {} strings stand here", least, most), {}, offset};
    return given;
}

grammar::parsed grammar::call(token const& word, std::vector<node_id> arguments) {
    bool const behind_dot = !arguments.empty();
    if (auto const which = find_macro(word.spelling)) {
        if (behind_dot) return macro(word, *which, arguments.front());
        return failure{
            fmt::format("{0}() stands behind what it looks at: items.{0}(i, …)", word.spelling),
            {},
            word.offset};
    }
    node made{node_kind::call, word.offset};
    made.callee = find_function(word.spelling);
    if (!made.callee)
        return failure{
            fmt::format(
                "there is no function `{}`{}", word.spelling, nearest_function(word.spelling)
            ),
            {},
            word.offset};
    auto all = rest_of_arguments(std::move(arguments));
    if (!all) return all.error();
    made.operands = std::move(*all);
    if (made.operands.size() < made.callee->least || made.operands.size() > made.callee->most)
        return failure{
            fmt::format(
                "{}() takes {}{}, and has {}",
                word.spelling,
                count_text(*made.callee),
                behind_dot ? " with what is before the dot" : "",
                made.operands.size()
            ),
            {},
            word.offset};
    if (word.spelling == "matches") {
        auto const& pattern = tree_.nodes[made.operands[1]];
        auto const* literal = pattern.value.if_string();
        if (auto why = literal ? problem_with_pattern(view(*literal)) : ""; !why.empty())
            return failure{"the pattern is not one of RE2: " + why, {}, pattern.offset};
    }
    return add(std::move(made));
}

fallible<std::vector<node_id>> grammar::rest_of_arguments(std::vector<node_id> arguments) {
    if (take(symbol::close_paren)) return arguments;
    do {
        auto const argument = expression();
        if (!argument) return argument.error();
        arguments.push_back(*argument);
    } while (take(symbol::comma));
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    return arguments;
}

grammar::parsed grammar::has(token const& word) {
    auto const path = expression();
    if (!path) return path;
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    auto const& last = tree_.nodes[*path];
    if ((last.kind != node_kind::member && last.kind != node_kind::index) || last.optional)
        return failure{"has() asks for a member, such as has($json.name)", {}, word.offset};
    return add({node_kind::has, word.offset, {*path}});
}

grammar::parsed grammar::macro(token const& word, macro_kind which, node_id range) {
    if (next_.kind != token_kind::name || find_constant(next_.spelling))
        return failure{
            fmt::format("{0}() begins with a name for the item: {0}(i, …)", word.spelling),
            {},
            next_.offset};
    auto const variable = std::string(next_.spelling);
    node made{node_kind::macro, word.offset, {range}};
    made.which = which;
    made.slot = locals_.size();
    advance();
    std::size_t const most = which == macro_kind::map ? 2 : 1;
    do {
        if (auto missing = expect(symbol::comma, ",")) return *missing;
        auto const body = macro_body(variable);
        if (!body) return body;
        made.operands.push_back(*body);
    } while (next_.is(symbol::comma) && made.operands.size() <= most);
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    return add(std::move(made));
}

grammar::parsed grammar::macro_body(std::string variable) {
    locals_.push_back(std::move(variable));
    auto const body = expression();
    locals_.pop_back();
    return body;
}

} // namespace postrider::agent::expressions
