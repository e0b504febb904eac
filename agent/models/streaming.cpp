#include "agent/models/streaming.hpp"

#include <array>

namespace postrider::agent {

namespace {

constexpr std::array<named_choice<streaming>, 3> streaming_names{{
    {streaming::watched, "watched", "only while someone is watching"},
    {streaming::always, "always", "even unwatched; use it where a proxy cuts idle connections"},
    {streaming::never, "never", "for a server that streams unreliably"},
}};

} // namespace

std::span<named_choice<streaming> const> streaming_choices() noexcept {
    return streaming_names;
}

} // namespace postrider::agent
