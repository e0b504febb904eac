#include "tests/support/fake_models/prompt_cache.hpp"

#include <algorithm>

namespace postrider::tests {

namespace {

constexpr std::size_t farthest_look_back = 20;
constexpr std::int64_t openai_least = 1024;
constexpr std::int64_t openai_piece = 128;

std::int64_t tokens(std::size_t bytes) {
    return static_cast<std::int64_t>(bytes / 4);
}

} // namespace

cache_usage prompt_cache::take_marked(
    std::string const& model, std::vector<prompt_part> const& parts, std::int64_t least
) {
    auto& known = prefixes_[model];
    std::vector<std::string> prefixes; // up to and with each part
    std::string text;
    for (auto const& part : parts) prefixes.push_back(text += part.text);
    std::size_t read = 0, kept = 0;
    for (std::size_t mark = 0; mark < parts.size(); ++mark) {
        if (!parts[mark].marked || tokens(prefixes[mark].size()) < least) continue;
        kept = prefixes[mark].size();
        auto const first = mark < farthest_look_back ? 0 : mark - farthest_look_back;
        for (auto at = first; at <= mark; ++at)
            if (known.contains(prefixes[at])) read = std::max(read, prefixes[at].size());
    }
    for (std::size_t mark = 0; mark < parts.size(); ++mark)
        if (parts[mark].marked && tokens(prefixes[mark].size()) >= least)
            known.insert(prefixes[mark]);
    return {tokens(text.size()) - tokens(kept), tokens(kept) - tokens(read), tokens(read)};
}

cache_usage prompt_cache::take_all(
    std::string const& model, std::vector<prompt_part> const& parts
) {
    std::string text;
    for (auto const& part : parts) text += part.text;
    std::int64_t read = 0;
    for (auto const& earlier : prompts_[model]) {
        auto const [end, other] = std::ranges::mismatch(text, earlier);
        read = std::max(read, tokens(static_cast<std::size_t>(end - text.begin())));
    }
    read = read < openai_least ? 0 : read - read % openai_piece;
    prompts_[model].push_back(text);
    return {tokens(text.size()) - read, 0, read};
}

} // namespace postrider::tests
