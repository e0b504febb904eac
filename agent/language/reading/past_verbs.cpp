#include "agent/language/reading/past_verbs.hpp"

#include "base/ascii.hpp"

namespace postrider::agent::language {

namespace {

constexpr std::size_t shortest_stem = 2; // bytes

std::optional<std::string_view> between(
    std::string_view word, std::string_view begin, std::string_view end
) {
    bool const fits =
        word.size() >= begin.size() + end.size() && word.starts_with(begin) && word.ends_with(end);
    if (!fits) return std::nullopt;
    return word.substr(begin.size(), word.size() - begin.size() - end.size());
}

// "*ed" and "*" of "mowed": "mow". A second star stands for a stem: "*ge*t" and "**en" of "abgeholt": "abholen".
std::vector<std::string> verbs_of(past_verb const& pattern, std::string_view word) {
    auto const& past = pattern.past;
    auto const first = past.find('*');
    if (first == past.npos) {
        if (word == past) return {pattern.verb};
        return {};
    }
    auto const last = past.rfind('*');
    auto const filled = [&](std::string_view lead, std::string_view stem) {
        auto verb = pattern.verb;
        if (auto const star = verb.find('*'); star != verb.npos) verb.replace(star, 1, lead);
        if (auto const star = verb.find('*', lead.size()); star != verb.npos && first != last)
            verb.replace(star, 1, stem);
        return verb;
    };
    auto const inside = between(word, past.substr(0, first), past.substr(last + 1));
    if (!inside) return {};
    if (first == last) {
        bool const may_be_empty = past.size() > 4 * shortest_stem; // "*geschrieben"
        if (inside->size() < shortest_stem && !(may_be_empty && inside->empty())) return {};
        return {filled(*inside, {})};
    }
    auto const middle = std::string_view(past).substr(first + 1, last - first - 1);
    std::vector<std::string> verbs;
    for (auto at = inside->find(middle); at != inside->npos; at = inside->find(middle, at + 1)) {
        auto const stem = inside->substr(at + middle.size());
        if (stem.size() >= shortest_stem) verbs.push_back(filled(inside->substr(0, at), stem));
    }
    return verbs;
}

} // namespace

std::vector<std::string> infinitives_of(compiled_language const& language, passage word) {
    auto const text = base::to_lower(word.text());
    std::vector<std::string> verbs;
    for (auto const& pattern : language.past_verbs) {
        auto infinitives = verbs_of(pattern, text);
        // The word itself goes before what it looks like.
        if (!infinitives.empty() && pattern.past.find('*') == std::string::npos) {
            std::erase(infinitives, std::string());
            return infinitives;
        }
        for (auto& verb : infinitives) verbs.push_back(std::move(verb));
    }
    return verbs;
}

} // namespace postrider::agent::language
