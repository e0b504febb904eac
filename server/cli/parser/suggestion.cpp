#include "server/cli/parser/suggestion.hpp"

#include "base/setting.hpp"

#include <algorithm>

namespace postrider::cli {

namespace {

std::string_view last_word(std::string_view path) {
    return path.substr(path.rfind(' ') + 1);
}

} // namespace

std::string suggestion(std::string_view word, std::span<std::string const> candidates) {
    if (std::ranges::find(candidates, word) != candidates.end()) return {};
    auto nearest = base::nearest(word, candidates);
    if (nearest.empty())
        for (auto const& candidate : candidates)
            if (last_word(candidate) == word) {
                nearest = candidate;
                break;
            }
    return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

std::string hint_and(std::string_view hint, std::string_view where) {
    return std::string(hint) + (hint.empty() ? "; " : " ") + std::string(where);
}

} // namespace postrider::cli
