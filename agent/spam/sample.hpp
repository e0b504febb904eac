#pragma once
// What the filter learns from: texts that are spam or not, and words that only spam has. Values; pure.
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::spam {

enum class kind : std::uint8_t { ham, spam };

std::string_view name_of(kind kind) noexcept; // "ham", "spam"

struct sample {
    spam::kind kind = spam::kind::ham;
    std::string text;

    bool operator==(sample const&) const = default;
};

// tg-spam's files: a sample or a stop word on each line, in UTF-8. Empty lines are left out. A line break within a text is
// written as a blank, so a text that was written and read again is equal in what the filter compares.
std::vector<std::string> read_lines(std::string_view file);
std::string written_lines(std::span<std::string const> texts);

// The lines of a file as samples.
std::vector<sample> samples_of(kind kind, std::string_view file);

// With these the filter works before anybody has trained it: half of tg-spam's public samples, and everyday English,
// which they lack. agent/spam/data says more.
std::vector<sample> const& public_samples();
std::vector<sample> const& everyday_samples();
std::vector<std::string> const& default_stop_words();

} // namespace postrider::agent::spam
