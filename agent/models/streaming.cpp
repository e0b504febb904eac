#include "agent/models/streaming.hpp"

#include <array>

namespace postrider::agent {

namespace {

constexpr std::array<named_choice<streaming>, 3> choices{{
    {streaming::watched, "watched", "only while somebody looks on"},
    {streaming::always, "always", "also unwatched, where something on the way cuts long silences"},
    {streaming::never, "never", "for a server whose pieces cannot be relied on"},
}};

} // namespace

std::span<named_choice<streaming> const> streaming_choices() noexcept {
    return choices;
}

} // namespace postrider::agent
