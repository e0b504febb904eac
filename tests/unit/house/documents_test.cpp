// What documents show of the code is the code.
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

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

} // namespace
