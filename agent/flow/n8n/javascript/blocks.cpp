// Arrow functions, and the statements of their blocks that an expression can say: const, if and return.
#include "agent/flow/n8n/javascript/parser_state.hpp"

namespace postrider::agent::flow::n8n::javascript {

// (a, b) => …, a => …: looks ahead to the closing parenthesis.
bool parser::begins_arrow() const {
    if (ahead().kind == token_kind::name) return ahead(1).is("=>");
    if (!ahead().is("(")) return false;
    std::size_t open = 0;
    constexpr std::size_t longest = 60; // tokens of the parameters
    for (std::size_t i = 0; i < longest && ahead(i).kind != token_kind::end; ++i) {
        if (ahead(i).is("(") || ahead(i).is("{") || ahead(i).is("[")) ++open;
        if (ahead(i).is(")") || ahead(i).is("}") || ahead(i).is("]")) --open;
        if (open == 0) return ahead(i + 1).is("=>");
    }
    return false;
}

node_pointer parser::arrow() {
    std::vector<taken_apart> patterns;
    if (ahead().kind == token_kind::name) {
        patterns.push_back({.name = take().text});
    } else {
        expect("(");
        while (!failed() && !ahead().is(")")) {
            patterns.push_back(read_pattern());
            if (!accept(",")) break;
        }
        expect(")");
    }
    expect("=>");
    auto const outer = std::exchange(in_condition_, false);
    auto body = ahead().is("{") ? block() : expression();
    in_condition_ = outer;
    node result{.kind = node_kind::arrow};
    for (auto part = patterns.rbegin(); part != patterns.rend(); ++part)
        body = with_parts(*part, std::move(body), *this);
    for (auto const& part : patterns) result.names.push_back(part.name);
    result.operands.push_back(std::move(body));
    return make(std::move(result));
}

// name, {a, b: c}, [a, b]
parser::taken_apart parser::read_pattern() {
    taken_apart result;
    bool const list = ahead().is("[");
    if (!list && !ahead().is("{")) {
        auto const name = take();
        if (name.kind != token_kind::name) refuse("a parameter has no name");
        result.name = name.text;
        return result;
    }
    take();
    result.name = "#part" + std::to_string(++patterns_); // no name of a script's
    auto const whole = make(node_kind::name, result.name);
    std::size_t position = 0;
    while (!failed() && !ahead().is(list ? "]" : "}")) {
        if (list && accept(",")) {
            ++position;
            continue;
        }
        auto const name = take();
        if (name.kind != token_kind::name) refuse("a part of a parameter has no name");
        auto local = name.text;
        if (!list && accept(":")) local = take().text;
        auto value = list ? make(
                                node_kind::index,
                                {},
                                {whole, make(node_kind::number, std::to_string(position))}
                            )
                          : make(node_kind::member, name.text, {whole});
        result.parts.emplace_back(std::move(local), std::move(value));
        ++position;
        if (!accept(",")) break;
    }
    expect(list ? "]" : "}");
    return result;
}

node_pointer parser::with_parts(taken_apart const& pattern, node_pointer body, parser& within) {
    for (auto part = pattern.parts.rbegin(); part != pattern.parts.rend(); ++part)
        body = within.make(node_kind::binding, part->first, {part->second, std::move(body)});
    return body;
}

node_pointer parser::block() {
    expect("{");
    auto result = statements();
    expect("}");
    return result;
}

node_pointer parser::statements() {
    if (depth_ >= deepest_script) return refuse("it is nested too deeply");
    ++depth_;
    while (accept(";")) continue;
    node_pointer result;
    if (accept_word("const") || accept_word("let") || accept_word("var"))
        result = constants();
    else if (accept_word("if"))
        result = conditional();
    else if (accept_word("return"))
        result = returned();
    else if (ahead().is("}"))
        result = in_condition_ ? refuse("an `if` does not return") : make(node_kind::nothing, {});
    else
        result = refuse("a function has a statement other than const, if and return");
    --depth_;
    return result;
}

// Several in a row, const a = 1, b = 2: each is bound within the ones in front of it.
node_pointer parser::constants() {
    std::vector<std::pair<taken_apart, node_pointer>> bindings;
    do {
        auto pattern = read_pattern();
        if (!accept("=")) return refuse("a variable has no value");
        bindings.emplace_back(std::move(pattern), expression());
    } while (accept(","));
    auto rest = statements();
    for (auto binding = bindings.rbegin(); binding != bindings.rend() && !failed(); ++binding) {
        rest = with_parts(binding->first, std::move(rest), *this);
        rest = make(
            node_kind::binding, binding->first.name, {std::move(binding->second), std::move(rest)}
        );
    }
    return rest;
}

node_pointer parser::conditional() {
    expect("(");
    auto condition = expression();
    expect(")");
    bool const is_block = ahead().is("{");
    if (!is_block && !ahead().is_word("return"))
        return refuse("an `if` has a statement other than return");
    auto const outer = std::exchange(in_condition_, true);
    node_pointer yes;
    if (is_block)
        yes = block();
    else
        take(), yes = returned();
    bool const has_other_block = accept_word("else") && ahead().is("{");
    auto no = has_other_block ? block() : node_pointer();
    in_condition_ = outer;
    if (!no) no = statements();
    return make(node_kind::choice, {}, {std::move(condition), std::move(yes), std::move(no)});
}

// What follows is never reached but for the `else` of its `if`.
node_pointer parser::returned() {
    if (ahead().is(";") || ahead().is("}")) {
        accept(";");
        return make(node_kind::nothing, {});
    }
    auto value = expression();
    accept(";");
    return value;
}

} // namespace postrider::agent::flow::n8n::javascript
