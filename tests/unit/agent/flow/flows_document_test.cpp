// docs/flows.md says what the program knows.
#include "agent/flow/catalog.hpp"
#include "tests/unit/agent/flow/flow_text.hpp"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

namespace postrider::agent::flow::flows_document_test {
namespace {

std::string page() {
    std::ifstream file("docs/flows.md");
    EXPECT_TRUE(file);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

std::string ports(std::vector<port> const& all) {
    std::vector<std::string> words;
    for (auto const& entry : all) {
        if (!entry.from_parameter.empty())
            words.push_back("each of `" + entry.from_parameter + "`");
        std::string bounds = entry.most == 0   ? (entry.least > 0 ? " 1..n" : "")
                             : entry.least > 0 ? " 1"
                                               : " 0..1";
        if (entry.most > 1) bounds = fmt::format(" {}..{}", entry.least, entry.most);
        words.push_back("`" + entry.name + "`" + bounds);
    }
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string parameters(node_type const& type) {
    std::set<std::string_view> required;
    if (auto const* names = type.parameters.if_contains("required"))
        for (auto const& name : names->get_array()) required.insert(name.get_string());
    std::vector<std::string> words;
    for (auto const& [name, property] : type.parameters.at("properties").get_object()) {
        auto const word = fmt::format("`{}`", std::string_view(name));
        words.push_back(required.contains(name) ? "**" + word + "**" : word);
    }
    return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

std::string table_of_types() {
    auto const types = builtin_types();
    std::string text =
        "| type | what it is | inputs | outputs | parameters |\n|---|---|---|---|---|\n";
    for (auto const* type : types.all())
        text += fmt::format(
            "| `{}` | **{}.** {} | {} | {} | {} |\n",
            type->name,
            type->title,
            type->documentation,
            ports(type->inputs),
            ports(type->outputs),
            parameters(*type)
        );
    return text;
}

std::string words_of(boost::json::value const& type) {
    if (type.is_string()) return std::string(type.get_string());
    std::vector<std::string_view> words;
    for (auto const& word : type.as_array()) words.emplace_back(word.as_string());
    return fmt::format("{}", fmt::join(words, " or "));
}

std::vector<std::string> fields_of(boost::json::object const& item) {
    std::vector<std::string> fields;
    auto const* properties = item.if_contains("properties");
    if (!properties) return fields;
    for (auto const& [name, property] : properties->as_object()) {
        auto const* of = property.as_object().if_contains("type");
        fields.push_back(fmt::format(
            "`{}` ({}): {}",
            std::string_view(name),
            of ? words_of(*of) : "any value",
            std::string_view(property.at("description").as_string())
        ));
    }
    return fields;
}

std::string table_of_fields() {
    auto const types = builtin_types();
    std::string text = "| trigger | its item's fields |\n|---|---|\n";
    for (auto const* type : types.all()) {
        auto const* item = started_item(*type);
        if (!item) continue;
        text += fmt::format("| `{}` | {} |\n", type->name, fmt::join(fields_of(*item), "<br>"));
    }
    return text;
}

std::string items_text(port const& output) {
    if (has_same_items(output)) return "the items that came in";
    auto const& schema = *item_schema(output);
    std::vector<std::string> parts;
    if (auto const* same = schema.if_contains("x-same"))
        parts.push_back(
            same->is_string()
                ? fmt::format(
                      "the fields that came in, if `{}`", std::string_view(same->get_string())
                  )
                : "the fields that came in"
        );
    if (auto const* fields = schema.if_contains("x-fields"))
        parts.push_back(fmt::format("the members of `{}`", std::string_view(fields->as_string())));
    if (auto const* any = schema.if_contains("description")) parts.emplace_back(any->as_string());
    for (auto& field : fields_of(schema)) parts.push_back(std::move(field));
    return fmt::format("{}", fmt::join(parts, "<br>"));
}

std::string table_of_items() {
    auto const types = builtin_types();
    std::string text = "| node | its items |\n|---|---|\n";
    for (auto const* type : types.all())
        if (!is_trigger(*type) && !is_part(*type) && !type->outputs.empty())
            text += fmt::format("| `{}` | {} |\n", type->name, items_text(type->outputs.front()));
    return text;
}

std::string table_of_codes() {
    std::string text = "| code | |\n|---|---|\n";
    for (auto const& entry : problem_codes())
        text += fmt::format("| `{}` | {} |\n", entry.code, entry.meaning);
    for (auto const& reference : references())
        if (!reference.unknown.empty())
            text += fmt::format("| `{}` | {} |\n", unknown_code(reference), reference.unknown);
    return text;
}

void expect_on_page(std::string const& text) {
    EXPECT_NE(page().find(text), std::string::npos) << "docs/flows.md lacks:\n\n" << text;
}

TEST(flows_document, lists_every_node_type) {
    expect_on_page(table_of_types());
}

TEST(flows_document, lists_the_fields_of_every_triggers_item) {
    expect_on_page(table_of_fields());
}

TEST(flows_document, lists_the_items_of_every_node) {
    expect_on_page(table_of_items());
}

TEST(flows_document, lists_every_problem_code) {
    expect_on_page(table_of_codes());
}

TEST(flows_document, shows_a_flow_that_is_well) {
    auto const text = page();
    auto const begin = text.find("```json\n") + 8;
    auto const flow = tests::read_flow(text.substr(begin, text.find("```", begin) - begin));
    EXPECT_THAT(tests::codes(validate(flow, builtin_types())), testing::IsEmpty());
    EXPECT_GT(flow.nodes.size(), 3u);
}

} // namespace
} // namespace postrider::agent::flow::flows_document_test
