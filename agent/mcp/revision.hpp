#pragma once
// The revisions of the protocol that are spoken here. Pure.
#include <array>
#include <string_view>

namespace postrider::agent::mcp {

inline constexpr std::string_view stateless_revision = "2026-07-28";

// With a handshake; the newest first, which is the one that is asked for.
inline constexpr std::array<std::string_view, 2> handshake_revisions{"2025-11-25", "2025-06-18"};
// Servers answer with these, too. They differ in what nobody here uses but for batches in answers.
inline constexpr std::array<std::string_view, 2> older_revisions{"2025-03-26", "2024-11-05"};

// No handshake, no sessions, no requests of the server.
constexpr bool is_stateless(std::string_view revision) noexcept {
    return revision == stateless_revision;
}

constexpr bool has_handshake(std::string_view revision) noexcept {
    for (auto const supported : handshake_revisions)
        if (supported == revision) return true;
    return false;
}

constexpr bool is_older(std::string_view revision) noexcept {
    for (auto const supported : older_revisions)
        if (supported == revision) return true;
    return false;
}

} // namespace postrider::agent::mcp
