// docs/reference.md names every log event, and none that does not exist.
#include "tests/support/paths.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

namespace postrider::documented_events_test {
namespace {

namespace fs = std::filesystem;

using events = std::map<std::string, std::set<std::string>>; // event → levels

std::string text_of(fs::path const& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

events logged(fs::path const& root) {
    static std::regex const call(
        R"re((?:log|level)::(debug|info|warn|error)(?:\(|,)\s*"([a-z_.]+)")re"
    );
    events found;
    for (auto const* room : {"base", "net", "storage", "queue", "agent", "server"})
        for (auto const& entry : fs::recursive_directory_iterator(root / room)) {
            if (entry.path().extension() != ".cpp") continue;
            auto const text = text_of(entry.path());
            for (std::sregex_iterator at(text.begin(), text.end(), call), end; at != end; ++at)
                found[(*at)[2]].insert((*at)[1]);
        }
    return found;
}

events documented(fs::path const& root) {
    static std::regex const row(R"re(\| `([a-z_.]+)` \| ((debug|info|warn|error)(, )?)+ \|)re");
    static std::regex const level("debug|info|warn|error");
    auto const text = text_of(root / "docs/reference.md");
    events found;
    for (std::sregex_iterator at(text.begin(), text.end(), row), end; at != end; ++at) {
        std::string const levels = at->str().substr(at->str().find("` |"));
        for (std::sregex_iterator l(levels.begin(), levels.end(), level); l != end; ++l)
            found[(*at)[1]].insert(l->str());
    }
    return found;
}

TEST(reference, the_table_of_log_events_is_complete) {
    fs::path const root = tests::source();
    auto const code = logged(root);
    auto const table = documented(root);

    ASSERT_FALSE(code.empty());
    for (auto const& [event, levels] : code) {
        ASSERT_TRUE(table.contains(event)) << event << " is not in docs/reference.md";
        EXPECT_EQ(table.at(event), levels) << event;
    }
    for (auto const& [event, levels] : table)
        EXPECT_TRUE(code.contains(event)) << event << " is logged nowhere";
}

} // namespace
} // namespace postrider::documented_events_test
