// The README's table of settings is the code's.
#include "server/start/config.hpp"
#include "tests/support/paths.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

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

std::string expected_table() {
    std::string table = "| key in the file | environment | default | allowed | meaning |\n"
                        "|---|---|---|---|---|\n";
    for (auto const& row : settings_table())
        table += fmt::format(
            "| `{}` | {} | {} | {} | {} |\n",
            row.key,
            in_quotes(row.environment),
            in_quotes(row.fallback),
            constraint_of(row),
            row.help
        );
    return table;
}

TEST(readme, its_table_of_settings_is_the_codes) {
    std::ifstream in(tests::source("README.md"));
    ASSERT_TRUE(in);
    std::ostringstream text;
    text << in.rdbuf();

    EXPECT_NE(text.str().find(expected_table()), std::string::npos)
        << "README.md must hold this table:\n"
        << expected_table();
}

} // namespace
} // namespace postrider::server::documented_settings_test
