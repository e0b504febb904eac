// The tables of settings in docs/configuration.md are the code's: one for each section.
#include "server/start/config.hpp"
#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <vector>

namespace postrider::server::documented_settings_test {
namespace {

std::string in_quotes(std::string_view text) {
    return text.empty() ? "" : fmt::format("`{}`", text);
}

std::string constraint_of(base::setting const& row) {
    std::string text(row.constraint);
    for (auto bar = text.find('|'); bar != text.npos; bar = text.find('|', bar + 1))
        text.replace(bar, 1, ", ");
    return text;
}

std::string row_of(base::setting const& row) {
    return fmt::format(
        "| `{}` | {} | {} | {} | {} |\n",
        row.key,
        in_quotes(row.environment),
        in_quotes(row.fallback),
        constraint_of(row),
        row.help
    );
}

// "log" of "log.level", "" of "data".
std::string_view section_of(std::string_view key) {
    auto const dot = key.find('.');
    return dot == key.npos ? "" : key.substr(0, dot);
}

// "`[bots.NAME]`" of "bots.*.agent".
std::string heading_of(std::string_view key) {
    auto const section = section_of(key);
    if (section.empty()) return "Top level";
    bool const is_named = key.substr(section.size()).starts_with(".*.");
    return fmt::format("`[{}{}]`", section, is_named ? ".NAME" : "");
}

struct section {
    std::string_view name;
    std::string heading; // as its first row has it
    std::string rows;
};

// In the order of their first rows.
std::vector<section> sections() {
    std::vector<section> all;
    for (auto const& row : settings_table()) {
        auto const name = section_of(row.key);
        auto known = std::ranges::find(all, name, &section::name);
        if (known == all.end()) known = all.insert(known, {name, heading_of(row.key), ""});
        known->rows += row_of(row);
    }
    return all;
}

std::string configuration_document() {
    std::ifstream in(tests::source("docs/configuration.md"));
    EXPECT_TRUE(in);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

TEST(configuration_document, has_the_codes_table_in_each_section) {
    auto const text = configuration_document();
    std::size_t place = 0;

    for (auto const& [name, heading, rows] : sections()) {
        auto const table = "| key in the file | environment | default | allowed | meaning |\n"
                           "|---|---|---|---|---|\n" +
                           rows;
        auto const begin = text.find(fmt::format("\n## {}\n", heading), place);
        ASSERT_NE(begin, text.npos) << "docs/configuration.md must have the section " << heading;
        auto const end = std::min(text.find("\n## ", begin + 1), text.size());
        EXPECT_LT(text.find(table, begin), end)
            << "docs/configuration.md must hold this section:\n## " << heading << "\n\n"
            << table;
        place = begin;
    }
}

TEST(configuration_document, has_no_row_of_another_setting) {
    auto const text = configuration_document();
    std::size_t rows = 0;
    for (auto at = text.find("\n| `"); at != text.npos; at = text.find("\n| `", at + 1)) ++rows;

    EXPECT_EQ(rows, settings_table().size());
}

} // namespace
} // namespace postrider::server::documented_settings_test
