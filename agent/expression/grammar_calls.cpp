#include "agent/expression/functions.hpp"
#include "agent/expression/grammar.hpp"
#include "agent/expression/hints.hpp"
#include "agent/expression/values.hpp"
#include "base/texts.hpp"

#include <boost/json/string.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace postrider::agent::expressions {

namespace {

std::optional<boost::json::value> find_constant(std::string_view name) {
    if (name == "true" || name == "false") return name == "true";
    if (name == "null") return nullptr;
    return std::nullopt;
}

std::string nearest_function(std::string_view name) {
    if (auto hint = hint_for_function(name); !hint.empty()) return hint;
    if (auto hint = hint_for_word(name); !hint.empty()) return hint;
    auto names = function_names();
    for (auto const& macro : macros()) names.emplace_back(macro.name);
    names.insert(names.end(), {"has", "cel.bind"});
    return suggestion(name, names);
}

std::string nearest_variable(std::string_view name) {
    if (auto hint = hint_for_variable(name); !hint.empty()) return hint;
    std::vector<std::string> names{"$node", "$from_ai"};
    names.insert(names.end(), expression_variables.begin(), expression_variables.end());
    return suggestion(name, names);
}

std::string count_text(function const& function) {
    if (function.most == any_number)
        return fmt::format(
            "at least {} argument{}", function.least, function.least == 1 ? "" : "s"
        );
    if (function.least == function.most)
        return fmt::format("{} argument{}", function.least, function.least == 1 ? "" : "s");
    return fmt::format("{} to {} arguments", function.least, function.most);
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
    if (take(symbol::open_paren))
        return word.spelling == "has" ? has(word) : call(word, word.spelling, {});
    bool const is_local = std::ranges::find(locals_, word.spelling) != locals_.end();
    if (!is_local && next_.is(symbol::dot) &&
        (word.spelling == "cel" || is_function_prefix(word.spelling)))
        return prefixed(word);
    node literal{node_kind::literal, word.offset};
    if (auto constant = find_constant(word.spelling)) {
        literal.value = std::move(*constant);
        return add(std::move(literal));
    }
    return local(word);
}

grammar::parsed grammar::local(token const& word) {
    // The innermost of a name is meant.
    auto const local = std::find(locals_.rbegin(), locals_.rend(), word.spelling);
    if (local == locals_.rend()) {
        // Such as the => behind the name, which says more.
        if (next_.kind == token_kind::wrong) return unexpected();
        auto hint = hint_for_word(word.spelling);
        if (hint.empty()) hint = "; put strings in quotes, and start variables with $";
        return failure{
            fmt::format("there is nothing named `{}`{}", word.spelling, hint), {}, word.offset};
    }
    node reference{node_kind::local, word.offset};
    reference.slot = static_cast<std::size_t>(locals_.rend() - local) - 1;
    return add(std::move(reference));
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
    node reference{node_kind::variable, word.offset};
    reference.name = word.spelling;
    return add(std::move(reference));
}

grammar::parsed grammar::other_node(token const& word) {
    node reference{node_kind::other, word.offset};
    bool const opened = take(symbol::open_bracket);
    if (!opened || next_.kind != token_kind::text)
        return failure{
            "write the name of the node in brackets and quotes: $node[\"Name\"]", {}, word.offset};
    reference.name = next_.text;
    advance();
    if (auto missing = expect(symbol::close_bracket, "]")) return *missing;
    return add(std::move(reference));
}

grammar::parsed grammar::ask_model(token const& word) {
    auto const wrong = [&](std::string_view reason) {
        return failure{std::string(reason), {}, word.offset};
    };
    if (calls_ == from_ai::refused)
        return wrong("$from_ai() is allowed only in the parameters of tools, where a model "
                     "supplies the value");
    if (!take(symbol::open_paren))
        return wrong("$from_ai is a call: $from_ai(\"key\", \"description\")");
    auto strings = literal_arguments(1, 3);
    if (!strings) return strings.error();
    strings->resize(3);
    from_ai_call call{strings->at(0), strings->at(1), strings->at(2)};
    if (call.type.empty()) call.type = "string";
    if (!is_key(call.key)) return wrong("a key of $from_ai() is 1 to 64 letters, digits, _ and -");
    if (std::ranges::find(json_types, call.type) == json_types.end())
        return wrong(
            fmt::format("the type in $from_ai() is one of: {}", base::joined(json_types, ", "))
        );
    node placeholder{node_kind::from_ai, word.offset};
    placeholder.name = call.key;
    if (std::ranges::find(tree_.from_ai, call.key, &from_ai_call::key) == tree_.from_ai.end())
        tree_.from_ai.push_back(std::move(call));
    return add(std::move(placeholder));
}

fallible<std::vector<std::string>> grammar::literal_arguments(std::size_t least, std::size_t most) {
    std::vector<std::string> strings;
    auto const offset = next_.offset;
    do {
        if (next_.kind != token_kind::text) return unexpected();
        strings.push_back(next_.text);
        advance();
    } while (take(symbol::comma));
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    if (strings.size() < least || strings.size() > most)
        return failure{
            fmt::format("{} to {} literal strings are expected here", least, most), {}, offset};
    return strings;
}

// math.abs(…) and the like: the name of a function has a dot in it.
grammar::parsed grammar::prefixed(token const& prefix) {
    advance();
    if (!next_is_word()) return unexpected();
    auto const name = fmt::format("{}.{}", prefix.spelling, next_.spelling);
    advance();
    if (auto missing = expect(symbol::open_paren, "(")) return *missing;
    return name == "cel.bind" ? bind(prefix) : call(prefix, name, {});
}

grammar::parsed grammar::call(
    token const& word, std::string_view name, std::vector<node_id> arguments
) {
    bool const behind_dot = !arguments.empty();
    auto const wrong = [&](std::string reason) {
        return failure{std::move(reason), {}, word.offset};
    };
    if (auto const* definition = find_macro(name)) {
        if (behind_dot) return macro(word, *definition, arguments.front());
        return wrong(fmt::format(
            "write {0}() after an array, an object or an optional: items.{0}(i, …)", name
        ));
    }
    node call_node{node_kind::call, word.offset};
    call_node.callee = find_function(name);
    if (!call_node.callee)
        return wrong(fmt::format("there is no function `{}`{}", name, nearest_function(name)));
    auto all = rest_of_arguments(std::move(arguments));
    if (!all) return all.error();
    call_node.operands = std::move(*all);
    auto const count = call_node.operands.size();
    if (count < call_node.callee->least || count > call_node.callee->most)
        return wrong(fmt::format(
            "{}() takes {}{}, and has {}; {}",
            name,
            count_text(*call_node.callee),
            behind_dot ? " with what is before the dot" : "",
            count,
            example_of(call_node.callee->documentation)
        ));
    if (auto reason = misuse(call_node)) return *reason;
    return add(std::move(call_node));
}

// Of literal arguments it can be told without evaluating them.
std::optional<failure> grammar::misuse(node const& call) const {
    bool const has_pattern = call.callee->name == "matches" || call.callee->name == "captures" ||
                             call.callee->name.starts_with("regex.");
    if (!has_pattern) return std::nullopt;
    auto const& pattern = tree_.nodes[call.operands[1]];
    auto const* literal = pattern.value.if_string();
    auto const reason = literal ? problem_with_pattern(view(*literal)) : std::string();
    if (reason.empty()) return std::nullopt;
    return failure{"the pattern is not one of RE2: " + reason, {}, pattern.offset};
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
    auto path = expression();
    if (!path) return path;
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    auto const& last = tree_.nodes[*path];
    if ((last.kind != node_kind::member && last.kind != node_kind::index) || last.optional)
        return failure{"has() asks for a member, such as has($json.name)", {}, word.offset};
    return add({node_kind::has, word.offset, {*path}});
}

// cel.bind(name, value, expression)
grammar::parsed grammar::bind(token const& word) {
    if (next_.kind != token_kind::name || find_constant(next_.spelling))
        return failure{
            "cel.bind() begins with a name for the value: cel.bind(n, $json.name, n + n)",
            {},
            next_.offset};
    auto const variable = std::string(next_.spelling);
    advance();
    if (auto missing = expect(symbol::comma, ",")) return *missing;
    auto value = expression();
    if (!value) return value;
    if (auto missing = expect(symbol::comma, ",")) return *missing;
    node binding{node_kind::bind, word.offset, {*value}};
    binding.slot = locals_.size();
    locals_.push_back(variable);
    auto inner = expression();
    locals_.pop_back();
    if (!inner) return inner;
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    binding.operands.push_back(*inner);
    return add(std::move(binding));
}

grammar::parsed grammar::macro(
    token const& word, expressions::macro const& definition, node_id range
) {
    node macro_node{node_kind::macro, word.offset, {range}};
    macro_node.macro = definition.kind;
    macro_node.slot = locals_.size();
    if (auto wrong = variables(word, definition)) return *wrong;
    std::vector<std::string> const own(
        locals_.begin() + static_cast<std::ptrdiff_t>(macro_node.slot), locals_.end()
    );
    macro_node.variables = own.size();
    for (std::size_t count = 0; count < definition.most_bodies; ++count) {
        // What a macro begins with is none of its variables' business.
        bool const outside = definition.kind == macro_kind::reduce && count == 0;
        if (outside) locals_.resize(macro_node.slot);
        auto body = expression();
        if (outside) locals_.insert(locals_.end(), own.begin(), own.end());
        if (!body) return body;
        macro_node.operands.push_back(*body);
        bool const enough = count + 1 >= definition.least_bodies;
        if (enough && !next_.is(symbol::comma)) break;
        if (count + 1 == definition.most_bodies) break;
        if (auto missing = expect(symbol::comma, ",")) return *missing;
    }
    locals_.resize(macro_node.slot);
    if (auto missing = expect(symbol::close_paren, ")")) return *missing;
    return add(std::move(macro_node));
}

// One name or two, and the comma behind them.
std::optional<failure> grammar::variables(token const& word, expressions::macro const& definition) {
    auto const is_name = [&] {
        return next_.kind == token_kind::name && !find_constant(next_.spelling);
    };
    for (std::size_t count = 0; count < definition.most_variables; ++count) {
        bool const needed = count < definition.least_variables;
        if (!needed && !(is_name() && behind_next().is(symbol::comma))) break;
        if (!is_name())
            return failure{
                fmt::format(
                    "{}() begins with {}, {}{}",
                    word.spelling,
                    definition.least_variables == 2 ? "two names" : "a name for the item",
                    example_of(definition.documentation),
                    hint_for_function(word.spelling)
                ),
                {},
                next_.offset};
        locals_.emplace_back(next_.spelling);
        advance();
        if (auto missing = expect(symbol::comma, ",")) return missing;
    }
    return std::nullopt;
}

} // namespace postrider::agent::expressions
