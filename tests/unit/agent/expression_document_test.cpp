// docs/expressions.md says what the language does: its examples are evaluated, its limits are
// compared, and its tables are those of the functions.
#include "agent/expression/functions.hpp"
#include "agent/expression/macros.hpp"
#include "agent/expression/template.hpp"
#include "base/json/json.hpp"
#include "tests/support/paths.hpp"
#include "tests/unit/agent/expression_scope.hpp"

#include <boost/json/serialize.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace postrider::agent::expression_document_test {
namespace {

using testing::HasSubstr;

std::string document() {
    std::ifstream file(tests::source("docs/expressions.md"));
    EXPECT_TRUE(file);
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

std::vector<std::string> lines_of(std::string const& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

std::string trimmed(std::string text) {
    text.erase(0, text.find_first_not_of(' '));
    text.erase(text.find_last_not_of(' ') + 1);
    return text;
}

// Of "| a | b \| c |": "a", "b | c".
std::vector<std::string> cells_of(std::string const& row) {
    std::vector<std::string> cells;
    std::string cell;
    for (std::size_t i = 1; i < row.size(); ++i) {
        if (row.compare(i, 2, "\\|") == 0) {
            cell += '|';
            ++i;
        } else if (row[i] == '|') {
            cells.push_back(trimmed(std::exchange(cell, {})));
        } else {
            cell += row[i];
        }
    }
    return cells;
}

std::string without_quotes(std::string const& code) {
    EXPECT_TRUE(code.size() > 2 && code.front() == '`' && code.back() == '`') << code;
    return code.substr(1, code.size() - 2);
}

struct example {
    std::string subject; // the first column
    std::string source;
    std::string result;
};

std::vector<example> examples(std::string const& text) {
    std::vector<example> all;
    bool shows_results = false;
    for (auto const& line : lines_of(text)) {
        if (!line.starts_with('|')) {
            shows_results = false;
            continue;
        }
        auto const cells = cells_of(line);
        if (cells.back() == "result") shows_results = true;
        if (!shows_results || cells.back() == "result" || cells.front().starts_with("---"))
            continue;
        all.push_back({cells.front(), cells[cells.size() - 2], cells.back()});
    }
    return all;
}

json_scope data_of(std::string const& text) {
    auto const begin = text.find("```json\n") + 8;
    return json_scope{std::string_view(text).substr(begin, text.find("```", begin) - begin)};
}

void check(example const& shown, scope const& names) {
    auto const source = without_quotes(shown.source);
    auto const parsed = expression::parse(source);
    auto value =
        parsed ? parsed->evaluate(names) : expression_result<boost::json::value>(parsed.error());
    if (shown.result.starts_with("error: ")) {
        ASSERT_FALSE(value) << source;
        EXPECT_THAT(value.error().reason, HasSubstr(shown.result.substr(7))) << source;
        return;
    }
    ASSERT_TRUE(value) << to_text(value.error());
    auto const expected = base::parse_json(without_quotes(shown.result));
    ASSERT_TRUE(expected) << shown.result;
    EXPECT_EQ(boost::json::serialize(*value), boost::json::serialize(*expected)) << source;
}

// covers: S3.18
TEST(expression_document, shows_what_examples_give) {
    auto const text = document();
    auto const names = data_of(text);
    auto const all = examples(text);
    EXPECT_GT(all.size(), 120u);
    for (auto const& shown : all) check(shown, names);
}

std::string escaped(std::string_view text) {
    std::string cell;
    for (char c : text) cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return cell;
}

// The rows of a function or a macro: what it gives, and then an example in each.
std::string rows_of(std::string_view name, std::string_view documentation) {
    constexpr std::string_view arrow = " → ";
    auto const lines = lines_of(std::string(documentation));
    EXPECT_GT(lines.size(), 1u) << name << " has no example";
    std::string rows;
    for (std::size_t i = 1; i < lines.size(); ++i) {
        auto const split = lines[i].find(arrow);
        EXPECT_NE(split, std::string::npos) << lines[i];
        auto const result = lines[i].substr(split + arrow.size());
        rows += i == 1 ? "| `" + std::string(name) + "` | " + escaped(lines[0]) : "| |";
        rows += " | `" + escaped(lines[i].substr(0, split)) + "` | ";
        rows += result.starts_with("error: ") ? result : "`" + escaped(result) + "`";
        rows += " |\n";
    }
    return rows;
}

std::string heading(std::string_view subject) {
    return "| " + std::string(subject) +
           " | what it gives | example | result |\n|---|---|---|---|\n";
}

void expect_on_page(std::string const& text) {
    EXPECT_NE(document().find(text), std::string::npos) << "docs/expressions.md lacks:\n\n" << text;
}

TEST(expression_document, says_what_the_functions_say) {
    for (auto const* family : expressions::function_families()) {
        expect_on_page("### " + std::string(family->title) + "\n");
        auto table = heading("function");
        for (auto const& function : family->functions)
            table += rows_of(function.name, function.documentation);
        expect_on_page(table);
    }
}

TEST(expression_document, says_what_the_macros_say) {
    auto table = heading("macro");
    for (auto const& macro : expressions::macros())
        table += rows_of(macro.name, macro.documentation);
    expect_on_page(table);
}

TEST(expression_document, leaves_no_variable_out) {
    std::vector<std::string> described;
    for (auto const& shown : examples(document())) described.push_back(shown.subject);
    for (auto name : expression_variables)
        EXPECT_NE(std::ranges::find(described, "`" + std::string(name) + "`"), described.end())
            << name;
}

TEST(expression_document, tells_the_limits) {
    expression_limits const limits;
    auto const text = document();
    for (auto const& row :
         {"| bytes of one expression | " + std::to_string(limits.length) + " |",
          "| nesting of an expression, and of its value | " + std::to_string(limits.depth) + " |",
          "| steps of all expressions of a parameter | " + std::to_string(limits.steps) + " |",
          "| bytes of a string made, and of the value | " + std::to_string(limits.output) + " |"})
        EXPECT_THAT(text, HasSubstr(row));
}

TEST(expression_document, shows_an_error_as_it_is) {
    auto const text = document();
    auto const wrong =
        parameter_template::compile("{{ $json.nmae }}").value().evaluate(data_of(text));
    EXPECT_THAT(text, HasSubstr("    " + to_text(wrong.error()) + "\n"));
}

} // namespace
} // namespace postrider::agent::expression_document_test
