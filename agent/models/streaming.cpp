#include "agent/models/streaming.hpp"

#include <algorithm>
#include <array>

namespace postrider::agent {

namespace {

constexpr std::array choices{
    streaming_choice{streaming::watched, "watched", "only while somebody looks on"},
    streaming_choice{
        streaming::always,
        "always",
        "also unwatched, where something on the way cuts long silences"},
    streaming_choice{streaming::never, "never", "for a server whose pieces cannot be relied on"},
};

} // namespace

std::span<streaming_choice const> streaming_choices() noexcept {
    return choices;
}

std::optional<streaming> streaming_from(std::string_view name) noexcept {
    auto const found = std::ranges::find(choices, name, &streaming_choice::name);
    if (found == choices.end()) return std::nullopt;
    return found->value;
}

} // namespace postrider::agent
