// n8n's conditions: an operator between two values, all or any of several.
#include "agent/flow/n8n/expression/term.hpp"
#include "agent/flow/n8n/translation.hpp"
#include "base/json/text.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent::flow::n8n {

namespace json = boost::json;

namespace {

std::string text_in(json::object const& object, std::string_view key, std::string_view usual = {}) {
    auto const* value = object.if_contains(key);
    auto const* text = value ? value->if_string() : nullptr;
    return text ? std::string(text->data(), text->size()) : std::string(usual);
}

json::value value_in(json::object const& object, std::string_view key) {
    auto const* value = object.if_contains(key);
    return value ? *value : json::value(nullptr);
}

// The operators by their names in all versions of n8n, and what stands for them: {0} and {1} are the values.
struct known_operator {
    std::string_view name;
    std::string_view text;
};
constexpr std::array<known_operator, 40> known_operators{{
    {"equals", "{0} == {1}"},
    {"equal", "{0} == {1}"},
    {"notEquals", "{0} != {1}"},
    {"notEqual", "{0} != {1}"},
    {"contains", "{0}.contains({1})"},
    {"notContains", "!{0}.contains({1})"},
    {"startsWith", "{0}.startsWith({1})"},
    {"notStartsWith", "!{0}.startsWith({1})"},
    {"endsWith", "{0}.endsWith({1})"},
    {"notEndsWith", "!{0}.endsWith({1})"},
    {"regex", "{0}.matches({1})"},
    {"notRegex", "!{0}.matches({1})"},
    {"exists", "{0} != null"},
    {"notExists", "{0} == null"},
    {"empty", "{0}.isEmpty()"},
    {"isEmpty", "{0}.isEmpty()"},
    {"notEmpty", "!{0}.isEmpty()"},
    {"isNotEmpty", "!{0}.isEmpty()"},
    {"true", "{0} == true"},
    {"false", "{0} == false"},
    {"gt", "{0} > {1}"},
    {"larger", "{0} > {1}"},
    {"gte", "{0} >= {1}"},
    {"largerEqual", "{0} >= {1}"},
    {"lt", "{0} < {1}"},
    {"smaller", "{0} < {1}"},
    {"lte", "{0} <= {1}"},
    {"smallerEqual", "{0} <= {1}"},
    {"after", "{0} > {1}"},
    {"before", "{0} < {1}"},
    {"afterOrEquals", "{0} >= {1}"},
    {"beforeOrEquals", "{0} <= {1}"},
    {"lengthEquals", "{0}.size() == {1}"},
    {"lengthNotEquals", "{0}.size() != {1}"},
    {"lengthGt", "{0}.size() > {1}"},
    {"lengthGte", "{0}.size() >= {1}"},
    {"lengthLt", "{0}.size() < {1}"},
    {"lengthLte", "{0}.size() <= {1}"},
    {"isTrue", "{0} == true"},
    {"isFalse", "{0} == false"},
}};

std::string replaced_values(
    std::string_view format, std::string_view first, std::string_view second
) {
    std::string result;
    for (std::size_t i = 0; i < format.size(); ++i) {
        auto const rest = format.substr(i);
        if (rest.starts_with("{0}") || rest.starts_with("{1}")) {
            result += rest[1] == '0' ? first : second;
            i += 2;
        } else {
            result += rest.front();
        }
    }
    return result;
}

bool is_search(std::string_view operation) {
    constexpr std::array<std::string_view, 8> searches{
        "contains",
        "notContains",
        "startsWith",
        "notStartsWith",
        "endsWith",
        "notEndsWith",
        "regex",
        "notRegex"};
    return std::ranges::find(searches, operation) != searches.end();
}

// A literal text as the number or the truth that the operator compares.
json::value as_compared(json::value value, std::string_view kind) {
    auto const* text = value.if_string();
    if (!text || text->empty() || text->front() == '=') return value;
    std::string const source(text->data(), text->size());
    if (kind == "number") {
        char* end = nullptr;
        double const number = std::strtod(source.c_str(), &end);
        if (end && *end == '\0') return number;
    }
    if (kind == "boolean" && (source == "true" || source == "false")) return source == "true";
    return value;
}

} // namespace

std::optional<std::string> translation::comparison(
    std::string_view key, json::object const& condition, bool ignores_case
) {
    auto const* operator_member = condition.if_contains("operator");
    auto const* operation_object = operator_member ? operator_member->if_object() : nullptr;
    auto const kind = operation_object ? text_in(*operation_object, "type", "string") : "string";
    auto const name =
        operation_object ? text_in(*operation_object, "operation", "equals") : "equals";
    auto const left = operand(key, as_compared(value_in(condition, "leftValue"), kind));
    if (!left) return std::nullopt;
    auto const place = std::ranges::find(known_operators, name, &known_operator::name);
    bool const unary =
        place != known_operators.end() && place->text.find("{1}") == std::string_view::npos;
    auto const right_value = as_compared(value_in(condition, "rightValue"), kind);
    auto const right = unary ? std::optional(conversion{}) : operand(key, right_value);
    if (!right) return std::nullopt;
    if (place == known_operators.end()) {
        refuse_expression(key, {name, "there is no such comparison here"});
        return std::nullopt;
    }
    bool const text_kind = kind == "string";
    auto const tight = [](conversion const& value, n8n::binding least) {
        return value.binding < least ? "(" + value.source + ")" : value.source;
    };
    bool const method = place->text.find("{0}.") != std::string_view::npos;
    auto first = tight(*left, method ? binding::primary : binding::sum);
    auto second = tight(*right, method ? binding::choice : binding::sum);
    if (kind == "dateTime" && !unary) {
        first = "timestamp(" + left->source + ")";
        second = "timestamp(" + right->source + ")";
    }
    bool const is_loose = is_true("looseTypeValidation") ||
                          is_true("options.looseTypeValidation") ||
                          word("conditions.options.typeValidation") == "loose";
    // n8n takes what is missing for an empty text.
    auto const never_null = [&](conversion const& value, std::string const& tightened) {
        if (value.shape != shape::unknown) return tightened;
        return is_loose ? "string(" + value.source + ")" : tightened + ".orValue(\"\")";
    };
    if (is_search(name) && text_kind) {
        first = never_null(*left, first);
        if (right->shape == shape::unknown)
            second = never_null(*right, tight(*right, binding::primary));
    }
    bool const is_regex = name == "regex" || name == "notRegex";
    if (ignores_case && text_kind && !unary && !is_regex) {
        if (!method) first = never_null(*left, tight(*left, binding::primary));
        if (!method) second = never_null(*right, tight(*right, binding::primary));
        first += ".lower()";
        second = (method ? "(" + second + ")" : second) + ".lower()";
    }
    return replaced_values(place->text, first, second);
}

namespace {

// {"string": [{"value1", "operation", "value2"}], "number": […]} as the later form.
json::array conditions_of_old(json::object const& conditions) {
    json::array rewritten;
    for (auto const& [kind, list] : conditions) {
        auto const* entries = list.if_array();
        if (!entries) continue;
        for (auto const& entry : *entries) {
            auto const* members = entry.if_object();
            if (!members) continue;
            std::string_view const usual = kind == "number"     ? "smaller"
                                           : kind == "dateTime" ? "after"
                                                                : "equal";
            rewritten.push_back(
                {{"leftValue", value_in(*members, "value1")},
                 {"rightValue", value_in(*members, "value2")},
                 {"operator",
                  {{"type", kind}, {"operation", text_in(*members, "operation", usual)}}}}
            );
        }
    }
    return rewritten;
}

} // namespace

std::optional<std::string> translation::condition(std::string_view key, json::value const& filter) {
    auto const* object = filter.if_object();
    if (!object) return std::nullopt;
    auto const* list = object->if_contains("conditions");
    bool const old = !list || !list->is_array();
    auto const conditions = old ? conditions_of_old(*object) : list->get_array();
    auto const* options = object->if_contains("options");
    auto const* settings = options ? options->if_object() : nullptr;
    auto const* exact = settings ? settings->if_contains("caseSensitive") : nullptr;
    bool const ignores_case = exact && exact->is_bool() && !exact->get_bool();
    bool const any = text_in(*object, "combinator") == "or" || word("combineOperation") == "any" ||
                     word("combineConditions") == "OR";
    std::string result;
    for (auto const& entry : conditions) {
        auto const* members = entry.if_object();
        auto text = members ? comparison(key, *members, ignores_case) : std::nullopt;
        if (!text) return std::nullopt;
        result += (result.empty() ? "" : any ? " || " : " && ") + *text;
    }
    return result.empty() ? "true" : result;
}

void translation::put_condition(std::string_view key, json::value const* filter) {
    // Without conditions all items fit.
    if (!filter) return put_value(key, "{{ true }}");
    if (auto const text = condition(key, *filter))
        return put_value(key, json::value(in_braces(*text)));
    // For a person who writes the condition again. This text is none, so that the flow is not published with it.
    put_value(key, json::value(base::json_text(*filter)));
}

} // namespace postrider::agent::flow::n8n
