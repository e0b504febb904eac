// docs/commands.md has a row for every command; docs/api.md names every resource of the API and its
// failures.
#include "base/json/json.hpp"
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
using testing::ContainerEq;
using testing::HasSubstr;

std::string text_of(std::string const& file) {
    std::ostringstream text;
    text << std::ifstream(tests::source(file)).rdbuf();
    return text.str();
}

TEST(commands_document, has_a_row_for_every_command_and_no_other) {
    auto const text = text_of("docs/commands.md");
    static std::regex const row("\n\\| `([a-z0-9 -]+)` \\|");
    std::set<std::string> documented;
    for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at)
        documented.insert((*at)[1]);
    std::set<std::string> known;
    for (auto const* command : cli::all_commands().commands) known.emplace(command->path);

    EXPECT_THAT(documented, ContainerEq(known));
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
