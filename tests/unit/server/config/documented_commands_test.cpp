// The README's table names every command or its group; docs/api.md names every resource of the API,
// and docs its failures.
#include "base/json.hpp"
#include "server/cli/commands.hpp"
#include "tests/support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>

namespace postrider::documented_commands_test {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string text_of(std::string const& file) {
    std::ostringstream text;
    text << std::ifstream(tests::source(file)).rdbuf();
    return text.str();
}

std::string first_word(std::string_view path) {
    return std::string(path.substr(0, path.find(' ')));
}

TEST(readme, names_every_command) {
    auto const text = text_of("README.md");
    auto const begin = text.find("\n## Commands\n");
    ASSERT_NE(begin, text.npos);
    auto const table = text.substr(begin, text.find("\n## ", begin + 1) - begin);

    for (auto const* command : cli::all_commands().commands)
        EXPECT_THAT(table, HasSubstr("`" + first_word(command->path))) << command->path;
}

TEST(api_document, names_every_resource) {
    auto const text = text_of("docs/api.md");
    constexpr std::string_view prefix = "/api/v1";
    int resources = 0;
    fs::path const root = tests::source("server/api");
    for (auto const& entry : fs::directory_iterator(root)) {
        auto const file = entry.path().filename().string();
        if (!file.ends_with("_endpoints.openapi.json")) continue;
        auto const part = base::parse_json(text_of("server/api/" + file));
        ASSERT_TRUE(part) << file;
        for (auto const& [path, operations] : part->at("paths").as_object()) {
            std::string_view const whole = path;
            if (!whole.starts_with(prefix)) continue;
            auto const resource = whole.substr(prefix.size());
            EXPECT_THAT(text, HasSubstr(resource.substr(0, resource.find('/', 1)))) << whole;
            ++resources;
        }
    }
    EXPECT_GT(resources, 50);
}

TEST(api_document, names_every_code_of_a_refusal) {
    static std::regex const problem(R"re(problem\(\s*\d+,\s*"([a-z_]+)")re");
    auto const text = text_of("docs/api.md");
    std::set<std::string> codes;
    fs::path const root = tests::source("server/api");
    for (auto const& entry : fs::directory_iterator(root)) {
        if (entry.path().extension() != ".cpp") continue;
        auto const source = text_of("server/api/" + entry.path().filename().string());
        for (std::sregex_iterator at(source.begin(), source.end(), problem), end; at != end; ++at)
            codes.insert((*at)[1]);
    }

    EXPECT_TRUE(codes.contains("key_reused"));
    for (auto const& code : codes) EXPECT_THAT(text, HasSubstr("`" + code + "`"));
}

} // namespace
} // namespace postrider::documented_commands_test
