#pragma once
// How long a recording is, by the file itself: what its sender says of it may be anything. Pure.
#include <chrono>
#include <optional>
#include <string_view>

namespace postrider::agent {

// Of an Ogg file with Opus, as voice messages of Telegram are; whole seconds, at least one. Nothing: of any
// other format, or of one that is broken.
std::optional<std::chrono::seconds> recording_length(std::string_view bytes) noexcept;

} // namespace postrider::agent
