#include "agent/language/reading/items.hpp"

#include "agent/language/reading/title.hpp"

namespace postrider::agent::language {

namespace {

constexpr std::size_t most_items = 20;

std::vector<passage> items_of(compiled_language const& language, passage words) {
    constexpr std::size_t fewest = 3;
    constexpr std::size_t longest = 3;
    bool commas = false;
    std::vector<passage> items;
    for (std::size_t begin = 0, at = 1; at <= words.size(); ++at) {
        auto const joined = at < words.size()
                                ? language.conjunctions.at_begin(words.numbers().subspan(at)).words
                                : 0;
        bool const comma = at < words.size() && words[at].before == gap::comma;
        if (at < words.size() && joined == 0 && !comma) continue;
        if (at - begin > longest || items.size() == most_items) return {};
        items.push_back(words.part(begin, at));
        commas |= comma;
        begin = at + joined;
        at = std::max(at, begin);
        if (begin >= words.size()) break;
    }
    if (items.size() < fewest || !commas) return {};
    return items;
}

// "…, please, and thanks"
bool is_courtesy(compiled_language const& language, passage words) {
    auto const numbers = words.numbers();
    return language.closings.is(numbers) || language.afterthoughts.is(numbers);
}

} // namespace

std::vector<intent> read_items(
    compiled_language const& language, passage words, wall_clock const& clock, intent const& model
) {
    std::vector<intent> several;
    auto const items = items_of(language, words);
    for (auto const& item : items) {
        if (is_courtesy(language, item)) continue;
        several.push_back(model);
        read_title(language, item, clock, several.back());
        if (several.back().title == item.text()) continue;
        // A time, an urgency or talk among the items: it is no list of things.
        auto single = model;
        read_title(language, items.front().joined_with(items.back()), clock, single);
        return {single};
    }
    return several;
}

} // namespace postrider::agent::language
