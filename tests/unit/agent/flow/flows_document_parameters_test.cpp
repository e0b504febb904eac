// docs/flows.md has every parameter's shape, as the schemas of the node types have it.
#include "agent/flow/catalog.hpp"
#include "agent/flow/validate/references.hpp"
#include "base/json/text.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

namespace postrider::agent::flow::flows_document_parameters_test {
namespace {

namespace json = boost::json;

std::string in_quotes(json::value const& value) {
    auto const text = value.is_string() ? std::string(value.get_string()) : base::json_text(value);
    return "`" + text + "`";
}

std::string listed(json::array const& values, std::string_view between) {
    std::vector<std::string> words;
    for (auto const& value : values) words.push_back(in_quotes(value));
    return fmt::format("{}", fmt::join(words, between));
}

// "array of object", "object of string".
std::string type_of(json::object const& schema) {
    auto const* type = schema.if_contains("type");
    if (!type) {
        auto const* choices = schema.if_contains("enum");
        return choices && choices->get_array().at(0).is_string() ? "string" : "any";
    }
    std::string text(type->as_string());
    auto const* within = schema.if_contains(text == "array" ? "items" : "additionalProperties");
    if (within && within->is_object()) text += " of " + type_of(within->get_object());
    return text;
}

// "1 to 60 characters", "at least 1 character", "0 to 2".
std::string range(
    json::object const& schema,
    json::string_view least,
    json::string_view most,
    std::string_view unit
) {
    auto const* from = schema.if_contains(least);
    auto const* to = schema.if_contains(most);
    if (!from && !to) return {};
    auto const last = base::json_text(to ? *to : *from);
    std::string text;
    if (from && to && *from == *to)
        text = "exactly " + last;
    else if (from && to)
        text = base::json_text(*from) + " to " + last;
    else
        text = (from ? "at least " : "at most ") + last;
    if (!unit.empty()) text += fmt::format(" {}{}", unit, last == "1" ? "" : "s");
    return text;
}

std::string allowed_of(json::object const& schema) {
    std::vector<std::string> words;
    auto const say = [&](std::string text) {
        if (!text.empty()) words.push_back(std::move(text));
    };
    auto const text_of = [&](json::string_view key) {
        auto const* text = schema.if_contains(key);
        return text ? std::string(text->as_string()) : std::string();
    };
    if (auto const* choices = schema.if_contains("enum")) say(listed(choices->as_array(), ", "));
    say(range(schema, "minimum", "maximum", ""));
    say(range(schema, "minLength", "maxLength", "character"));
    say(range(schema, "minItems", "maxItems", "element"));
    say(range(schema, "minProperties", "maxProperties", "member"));
    if (auto const pattern = text_of("pattern"); !pattern.empty()) say("`" + pattern + "`");
    if (auto const format = text_of("x-format"); !format.empty()) say("format " + format);
    if (auto const* to = find_reference(text_of("x-reference")))
        say(fmt::format("the name of {} {}", to->noun.starts_with('M') ? "an" : "a", to->noun));
    if (auto const provider = text_of("x-provider"); !provider.empty())
        say("of the provider " + provider);
    if (auto const* examples = schema.if_contains("examples"))
        say("such as " + listed(examples->as_array(), ", "));
    if (schema.contains("x-from-ai")) say("`$from_ai` in expressions");
    if (auto const* may = schema.if_contains("x-expression"); may && !may->as_bool())
        say("no expressions");
    return fmt::format("{}", fmt::join(words, "; "));
}

// A schema that says more than these tables know would be shown in part.
void expect_known(json::object const& schema) {
    static std::set<std::string_view> const known{
        "x-markup",
        "type",
        "title",
        "description",
        "default",
        "enum",
        "minimum",
        "maximum",
        "minLength",
        "maxLength",
        "minItems",
        "maxItems",
        "pattern",
        "minProperties",
        "maxProperties",
        "items",
        "properties",
        "required",
        "examples",
        "x-format",
        "x-reference",
        "x-provider",
        "x-secret",
        "x-from-ai",
        "x-multiline",
        "x-expression",
        "additionalProperties",
        "x-answer-headers",
        "x-models",
        "x-below"};
    for (auto const& member : schema)
        EXPECT_TRUE(known.contains(std::string_view(member.key()))) << member.key();
}

std::string in_cell(std::string_view text) {
    std::string cell;
    for (char const c : text) cell += c == '|' ? "\\|" : std::string(1, c);
    return cell;
}

std::string row(std::string const& name, json::object const& schema, bool required) {
    expect_known(schema);
    auto const* usual = schema.if_contains("default");
    auto const* words = schema.if_contains("description");
    return fmt::format(
        "| `{}` | {} | {} | {} | {} | {} |\n",
        name,
        type_of(schema),
        in_cell(allowed_of(schema)),
        usual ? in_cell(in_quotes(json::value(base::json_text(*usual)))) : "",
        required ? "yes" : "",
        words ? in_cell(std::string_view(words->as_string())) : ""
    );
}

std::string rows_of(std::string const& prefix, json::object const& schema);

// What a parameter holds: its members, or its elements'.
std::string rows_within(std::string const& name, json::object const& schema) {
    if (schema.contains("properties")) return rows_of(name + ".", schema);
    auto const* elements = schema.if_contains("items");
    if (!elements) return {};
    auto const element = name + "[]";
    auto const& of = elements->as_object();
    expect_known(of);
    auto const own = allowed_of(of).empty() ? std::string() : row(element, of, false);
    return own + rows_within(element, of);
}

std::string rows_of(std::string const& prefix, json::object const& schema) {
    json::array const none;
    auto const* required = schema.if_contains("required");
    auto const& names = required ? required->as_array() : none;
    std::string text;
    for (auto const& [name, described] : schema.at("properties").as_object()) {
        auto const path = prefix + std::string(std::string_view(name));
        bool const must = std::ranges::find(names, json::value(name)) != names.end();
        text += row(path, described.as_object(), must) + rows_within(path, described.as_object());
    }
    return text;
}

// What the parameters ask of each other: "Either `cron` or `at` must be written."
std::string conditions(json::object const& schema) {
    std::string text;
    if (auto const* choices = schema.if_contains("oneOf")) {
        std::vector<std::string> words;
        for (auto const& choice : choices->as_array())
            words.push_back(listed(choice.at("required").as_array(), " and "));
        text += fmt::format("\nExactly one of {} must be written.\n", fmt::join(words, ", "));
    }
    auto const* when = schema.if_contains("if");
    for (auto const& [word, consequence] :
         {std::pair("Where", "then"), std::pair("Unless", "else")})
        if (auto const* follows = schema.if_contains(consequence))
            for (auto const& [name, member] : when->at("properties").as_object())
                text += fmt::format(
                    "\n{} `{}` is {}, {} must be written.\n",
                    word,
                    std::string_view(name),
                    in_quotes(member.at("const")),
                    listed(follows->at("required").as_array(), " and ")
                );
    return text;
}

std::string table_of(node_type const& type) {
    auto rest = type.parameters;
    for (auto const* told : {"oneOf", "if", "then", "else"}) rest.erase(told);
    expect_known(rest);
    auto text = fmt::format("### `{}`\n\n", type.name);
    auto const rows = rows_of("", type.parameters);
    if (rows.empty()) return text + "It has no parameters.\n";
    return text +
           "| parameter | type | allowed | default | required | |\n|---|---|---|---|---|---|\n" +
           rows + conditions(type.parameters);
}

TEST(flows_document, has_every_parameters_shape) {
    std::ifstream file("docs/flows.md");
    ASSERT_TRUE(file);
    std::stringstream page;
    page << file.rdbuf();
    std::string tables;
    auto const types = builtin_types();

    for (auto const* type : types.all()) tables += "\n" + table_of(*type);

    EXPECT_NE(page.str().find(tables), std::string::npos) << "docs/flows.md lacks:\n" << tables;
}

} // namespace
} // namespace postrider::agent::flow::flows_document_parameters_test
