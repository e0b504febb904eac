#pragma once
// A file that came with a message, and whether a model can read its text. Pure.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace postrider::agent {

struct message_file {
    std::string source; // the messenger's id of it
    std::string name;
    std::string mime;
    std::int64_t bytes = 0; // 0 = the messenger does not say

    bool operator==(message_file const&) const = default;
};

// Telegram gives a bot no larger file; its getFile refuses it.
inline constexpr std::int64_t most_loaded_bytes = std::int64_t{20} << 20;

inline bool is_too_large(message_file const& file) noexcept {
    return file.bytes > most_loaded_bytes;
}

inline constexpr std::size_t most_readable_bytes = 1u << 20;

// The type as which its text is read: "text/plain" or "text/html"; "" = it has none, or is too large. By
// its type, or by its name where the type says nothing.
std::string_view readable_as(message_file const& file);

} // namespace postrider::agent
