#pragma once
// What the classifier counts of a message: its folded words and its shape. Pure and
// deterministic. A feature is a number: the hash of its text, the same on every machine, for it is stored. The lowest bit is its sort.
#include "agent/spam/message.hpp"
#include "agent/spam/normal_text.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

enum class feature : std::uint64_t {};

enum class feature_sort : std::uint8_t { word, shape };

constexpr feature_sort sort_of(feature feature) noexcept {
    return static_cast<feature_sort>(static_cast<std::uint64_t>(feature) & 1);
}

feature feature_of(feature_sort sort, std::string_view text) noexcept;

// Each once, in order.
std::vector<feature> features_of(message const& message, normal_text const& text);

} // namespace postrider::agent::spam
