#pragma once
// The last messages of a chat, as the checks of duplicates and floods need them: who wrote when, and what it says as a
// number. No text is kept. A value that its owner loads, passes on and stores; pure.
#include "agent/spam/message.hpp"
#include "agent/spam/normal_text.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <vector>

namespace postrider::agent::spam {

// A part of an album counts as a long message: ten pictures sent as one are no flood.
inline constexpr std::uint32_t characters_of_part = std::numeric_limits<std::int32_t>::max();

struct recent_message {
    std::int64_t author = 0;
    std::uint64_t wording = 0; // of the folded text; 0: it has no words
    std::uint32_t characters = 0;
    std::chrono::sys_seconds sent_at{};

    bool operator==(recent_message const&) const = default;
};

inline constexpr std::size_t most_recent_messages = 200;
inline constexpr std::chrono::hours longest_recent{24};

struct recent_messages {
    std::vector<recent_message> messages;                 // the oldest first
    std::vector<std::chrono::sys_seconds> reactions = {}; // of the author, to other messages
    bool is_album_caught = false; // another part of the message's album is spam

    // Adds the message; drops those beyond the bounds above.
    void remember(message const& message, normal_text const& text);

    bool operator==(recent_messages const&) const = default;
};

// Equal for texts whose folded words are equal, on every machine and in every version: it is stored.
std::uint64_t wording_of(normal_text const& text) noexcept;

} // namespace postrider::agent::spam
