// What documents show of the code is the code.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>

namespace postrider::tests::documents_test {
namespace {

std::string text_of(std::string const& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file) << path;
    std::stringstream all;
    all << file.rdbuf();
    return all.str();
}

// covers: E.07
TEST(documents, show_the_example_that_is_compiled) {
    auto const page = text_of("docs/workflows.md");
    auto const source = text_of("docs/examples/order.cpp");
    auto const from = source.find("awaitable<outcome> order");
    ASSERT_NE(from, source.npos);
    EXPECT_NE(page.find("```cpp\n" + source.substr(from) + "```"), page.npos);
}

// Every "suite.name" of the tests in the folder.
std::set<std::string> tests_in(std::string const& folder) {
    static std::regex const test(R"re(\bTEST(_F|_P)?\(\s*([a-z0-9_]+),\s*([a-z0-9_]+)\s*\))re");
    std::set<std::string> names;
    for (auto const& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() != ".cpp") continue;
        auto const text = text_of(entry.path().string());
        for (std::sregex_iterator at(text.begin(), text.end(), test), end; at != end; ++at)
            names.insert((*at)[2].str() + "." + (*at)[3].str());
    }
    return names;
}

TEST(documents, name_tests_that_exist) {
    static std::regex const row(R"re(\| (LLM|ASI)[0-9]+ [^|]*\|[^|]*\|([^|\n]*)\|)re");
    static std::regex const name("`([^`]+)`");
    auto const page = text_of("docs/security.md");
    auto const tests = tests_in("tests");
    int named = 0;
    for (std::sregex_iterator at(page.begin(), page.end(), row), end; at != end; ++at) {
        auto const cell = (*at)[2].str();
        for (std::sregex_iterator n(cell.begin(), cell.end(), name); n != end; ++n, ++named)
            EXPECT_TRUE(tests.contains((*n)[1])) << (*n)[1];
    }
    EXPECT_GT(named, 0);
}

} // namespace
} // namespace postrider::tests::documents_test
