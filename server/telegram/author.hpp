#pragma once
// Who wrote a message, and how it came: what is stored with it (storage/stores/message_author.hpp).
// Words and names that the sender chose are cut. Tolerant: unknown members are left out. Pure.
#include "base/json/json.hpp"
#include "storage/stores/message_author.hpp"

#include <cstddef>

namespace postrider::telegram {

// Bytes.
inline constexpr std::size_t longest_quote = 600;
inline constexpr std::size_t longest_name = 256;

storage::message_author read_author(base::json_reader const& message);

// The origin of a forwarded message, whatever its kind: a user, a hidden one, a chat or a channel.
storage::message_forward read_forward_origin(base::json_reader const& origin);
// Whoever first sent a message of another chat, as shown; "" = not told.
std::string name_of_origin(base::json_reader const& origin);

// Some text of it holds U+0000, which Postgres cannot store.
bool has_nul(storage::message_author const& author);

} // namespace postrider::telegram
