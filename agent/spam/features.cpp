#include "agent/spam/features.hpp"

#include "agent/spam/hash.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent::spam {

namespace {

// A number as the count of its digits: prices and ages differ from copy to copy.
std::string_view form_of(token const& token) {
    constexpr std::array<std::string_view, 4> numbers{"0", "00", "000", "0000"};
    if (token.kind != token_kind::number) return token.folded;
    return numbers[std::min<std::size_t>(token.folded.size(), numbers.size()) - 1];
}

// The greatest of the steps that the number reaches, as a feature of its own.
void add_step(
    std::string_view name,
    std::size_t number,
    std::initializer_list<std::size_t> steps,
    std::vector<feature>& features
) {
    std::size_t reached = 0;
    for (auto const step : steps)
        if (number >= step) reached = step;
    features.push_back(feature_of(feature_sort::shape, std::string(name) + std::to_string(reached))
    );
}

void add_shape(message const& message, normal_text const& text, std::vector<feature>& features) {
    auto const count = [&](char c) {
        return static_cast<std::size_t>(std::ranges::count(text.written, c));
    };
    auto const letters = std::max<std::size_t>(text.letters, 1);
    add_step("emoji", text.emoji, {1, 2, 4, 8}, features);
    add_step("length", text.characters, {20, 50, 100, 200, 400}, features);
    add_step("mixed", text.mixed_words, {1, 3, 6}, features);
    add_step("links", message.links.size(), {1, 2}, features);
    add_step("mentions", message.mentions.size(), {1, 2}, features);
    add_step("digits", text.digits, {1, 4, 10}, features);
    add_step("capitals", 100 * text.capitals / letters, {10, 30, 60}, features);
    add_step("calls", count('!'), {1, 3}, features);
    add_step("questions", count('?'), {1}, features);
}

} // namespace

feature feature_of(feature_sort sort, std::string_view text) noexcept {
    constexpr std::uint64_t sort_bits = 1;
    return feature{(hash_of(text) & ~sort_bits) | static_cast<std::uint64_t>(sort)};
}

std::vector<feature> features_of(message const& message, normal_text const& text) {
    std::vector<feature> features;
    features.reserve(text.tokens.size() + 16);
    for (auto const& token : text.tokens)
        features.push_back(feature_of(feature_sort::word, form_of(token)));
    add_shape(message, text, features);
    std::ranges::sort(features);
    auto const repeated = std::unique(features.begin(), features.end());
    features.erase(repeated, features.end());
    return features;
}

} // namespace postrider::agent::spam
