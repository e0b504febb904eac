// A table of what people say of a time in six languages. Half of it is no time, or one of which a part is
// not understood: a time is never taken although a part of it beside it was not understood, and a
// number is none without a word, or a form, that makes it one.
#include "tests/unit/agent/language/request_text.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <map>

namespace postrider::agent::language::times_test {
namespace {

struct row {
    std::string says;
    std::string means;
};

// By the heading above the row.
std::map<std::string, std::vector<row>> const& table() {
    static auto const read = [] {
        std::map<std::string, std::vector<row>> rows;
        for (std::string const name :
             {"times.txt", "times_in_parts.txt", "times_of_stretches.txt"}) {
            std::ifstream file("tests/unit/agent/language/" + name);
            std::string heading;
            for (std::string line; std::getline(file, line);) {
                if (line.starts_with("## ")) heading = line.substr(3);
                auto const bar = line.find(" | ");
                if (line.starts_with('#') || bar == std::string::npos) continue;
                rows[heading].push_back({line.substr(0, bar), line.substr(bar + 3)});
            }
        }
        return rows;
    }();
    return read;
}

class times_of : public testing::TestWithParam<std::string_view> {};

TEST_P(times_of, follow_the_table) {
    auto const& rows = table().at(std::string(GetParam()));
    EXPECT_GE(rows.size(), 20u);
    for (auto const& [says, means] : rows) EXPECT_EQ(understood(says), means) << says;
}

INSTANTIATE_TEST_SUITE_P(
    languages,
    times_of,
    testing::Values(
        "English: times",
        "English: no times",
        "English: in parts",
        "German: times",
        "German: no times",
        "German: in parts",
        "Spanish: times",
        "Spanish: no times",
        "Spanish: in parts",
        "French: times",
        "French: no times",
        "French: in parts",
        "Russian: times",
        "Russian: no times",
        "Russian: in parts",
        "Urdu: times",
        "Urdu: no times",
        "Urdu: in parts"
    )
);

} // namespace
} // namespace postrider::agent::language::times_test
