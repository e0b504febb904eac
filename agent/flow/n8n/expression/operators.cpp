// Operators, whose operands JavaScript converts and we do not.
#include "agent/flow/n8n/expression/converter.hpp"

#include <array>

namespace postrider::agent::flow::n8n {

using script::node_kind;

namespace {

bool is_nothing(script::node const& node) {
    return node.is_name("undefined") || node.is_name("null");
}

// What typeof says, and what type() does.
struct type_word {
    std::string_view script;
    std::string_view test; // behind type(x)
};
constexpr std::array<type_word, 4> type_words{{
    {"string", " == \"string\""},
    {"number", " == \"number\""},
    {"boolean", " == \"bool\""},
    {"object", " in [\"object\", \"array\", \"null\"]"},
}};

std::string_view spelling_of_relation(std::string_view script) {
    if (script == "===") return "==";
    if (script == "!==") return "!=";
    return script;
}

} // namespace

term converter::unary(script::node const& node) {
    if (node.text == "!") {
        // !!x, and !(a && b)
        if (node[0].is(node_kind::unary) && node[0].text == "!") return condition_of(node[0][0]);
        bool const logical =
            node[0].is(node_kind::binary) && (node[0].text == "&&" || node[0].text == "||");
        return falsehood_of(logical ? condition_of(node[0]) : value_of(node[0]));
    }
    if (node.text == "typeof") return refuse("`typeof` is converted in a comparison only");
    auto const value = value_of(node[0]);
    if (node.text == "+") return as_number(value);
    return {
        .text = "-" + within(value, binding::sign),
        .shape = shape::number,
        .binding = binding::sign,
        .simple = value.simple,
        .constant = value.constant,
        .value = "-" + value.value};
}

term converter::binary(script::node const& node) {
    auto const& spelling = node.text;
    if (spelling == "&&" || spelling == "||" || spelling == "??") return logical(node);
    constexpr std::array<std::string_view, 9> relations{
        "==", "!=", "===", "!==", "<", ">", "<=", ">=", "in"};
    for (auto const relation_spelling : relations)
        if (spelling == relation_spelling) return relation(node);
    auto const left = value_of(node[0]);
    auto const right = value_of(node[1]);
    if (spelling == "+") {
        if (left.is(shape::instant) || right.is(shape::instant))
            return sum_of(as_text(left), as_text(right));
        return sum_of(left, right);
    }
    auto const operand = [](term const& value) {
        return value.is(shape::instant) || value.is(shape::text) ? as_number(value) : value;
    };
    auto const first = operand(left), second = operand(right);
    if (spelling == "**")
        return term_of("pow(" + first.text + ", " + second.text + ")", shape::number);
    auto const rank = spelling == "-" ? binding::sum : binding::product;
    auto const next = spelling == "-" ? binding::product : binding::sign;
    return {
        .text = within(first, rank) + " " + spelling + " " + within(second, next),
        .shape = shape::number,
        .binding = rank};
}

// As values, from the last one: a || b || c is a where that is true, or else b || c.
term converter::logical(script::node const& node) {
    std::vector<script::node const*> operands{&node[1]};
    auto const* first = &node[0];
    for (; first->is(node_kind::binary) && first->text == node.text; first = &(*first)[0])
        operands.push_back(&(*first)[1]);
    operands.push_back(first);
    std::vector<term> values;
    for (auto const* operand : operands) values.push_back(value_of(*operand));
    auto result = values.front();
    for (std::size_t i = 1; i < values.size() && spend(result.text.size() / bytes_of_step); ++i)
        result = node.text == "??" ? unless_null(values[i], result)
                                   : chosen_by_truth(values[i], result, node.text == "&&");
    return result;
}

term converter::unless_null(term const& left, term const& right) {
    auto result = right.simple ? calling(left, "orValue", right.text) : bound(left, [&](auto& v) {
        return term{
            .text = within(v, binding::sum) + " == null ? " + within(right, binding::either) +
                    " : " + v.text,
            .binding = binding::choice};
    });
    result.shape = left.shape == right.shape ? left.shape : shape::unknown;
    return result;
}

term converter::chosen_by_truth(term const& left, term const& right, bool both) {
    if (left.is(shape::boolean) && right.is(shape::boolean))
        return joined_conditions(left, right, both);
    // Of these none but null is false, also none that is empty.
    bool const may_be_false = left.is(shape::unknown) || left.is(shape::boolean) ||
                              left.is(shape::number) || left.is(shape::text);
    if (!both && !may_be_false) return unless_null(left, right);
    if (!both && right.simple && (left.is(shape::text) || left.is(shape::number))) {
        auto result =
            calling(term_of("optional.ofNonZeroValue(" + left.text + ")"), "orValue", right.text);
        if (left.shape == right.shape) result.shape = left.shape;
        return result;
    }
    return bound(left, [&](term const& value) {
        auto const condition = falsehood_of(value);
        auto const& yes = both ? value : right;
        auto const& no = both ? right : value;
        return term{
            .text = within(condition, binding::either) + " ? " + within(yes, binding::either) +
                    " : " + no.text,
            .shape = left.shape == right.shape ? left.shape : shape::unknown,
            .binding = binding::choice};
    });
}

term converter::relation(script::node const& node) {
    auto const spelling = spelling_of_relation(node.text);
    bool const equality = spelling == "==" || spelling == "!=";
    for (std::size_t i = 0; i < 2 && equality; ++i)
        if (node[i].is(node_kind::unary) && node[i].text == "typeof")
            return type_test(node, spelling == "==");
    auto left = value_of(node[0]);
    auto right = value_of(node[1]);
    if (equality && (is_nothing(node[0]) || is_nothing(node[1]))) {
        for (auto* side : {&left, &right})
            if (side->is(shape::pattern)) return refuse("a pattern is compared");
    } else if (left.is(shape::instant) || right.is(shape::instant)) {
        left = term_of("timestamp(" + left.text + ")");
        right = term_of("timestamp(" + right.text + ")");
    }
    return {
        .text = within(left, binding::sum) + " " + std::string(spelling) + " " +
                within(right, binding::sum),
        .shape = shape::boolean,
        .binding = binding::relation};
}

// typeof a == "string"
term converter::type_test(script::node const& node, bool is_equal) {
    bool const first = node[0].is(node_kind::unary) && node[0].text == "typeof";
    auto const value = value_of(node[first ? 0 : 1][0]);
    auto const word = constant_text(node[first ? 1 : 0]);
    if (!word) return refuse("`typeof` is compared with a word only");
    term result{.shape = shape::boolean, .binding = binding::relation};
    if (*word == "undefined") {
        result.text = within(value, binding::sum) + (is_equal ? " == null" : " != null");
        return result;
    }
    for (auto const& known : type_words)
        if (*word == known.script) {
            result.text = "type(" + value.text + ")" + std::string(known.test);
            return is_equal ? result : falsehood_of(result);
        }
    return refuse("no value here is of the type `" + *word + "`");
}

} // namespace postrider::agent::flow::n8n
