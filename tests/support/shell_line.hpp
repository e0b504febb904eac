#pragma once
// Lines for a shell, as examples and advice show them, taken apart.
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::tests {

// The words of a shell's line, up to a pipe or a redirection; quotes hold a word together.
inline std::vector<std::string> words_of(std::string_view line) {
    std::vector<std::string> words;
    bool within = false;
    bool literal = false;
    char quote = 0;
    for (char const c : line) {
        if (quote == 0 && !literal && (c == '|' || c == '>')) break;
        if (quote == 0 && !literal && c == '\\') {
            literal = true;
        } else if (quote == 0 && !literal && (c == '\'' || c == '"')) {
            quote = c;
            if (!within) words.emplace_back();
            within = true;
        } else if (quote != 0 && c == quote) {
            quote = 0;
        } else if (quote == 0 && c == ' ') {
            within = false;
        } else {
            if (!within) words.emplace_back();
            within = true;
            literal = false;
            words.back() += c;
        }
    }
    return words;
}

// What stands behind "postrider"; before it, variables may be set.
inline std::vector<std::string> arguments_of(std::string const& line) {
    auto words = words_of(line);
    auto const program = std::ranges::find(words, "postrider");
    if (program == words.end()) return {};
    return {program + 1, words.end()};
}

} // namespace postrider::tests
