#pragma once
// Sessions of clients of POST /mcp that speak a revision with a handshake: with whom which revision
// was agreed on. Rows for batches; every process knows every session.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace postrider::storage {

// The id is new: it was drawn by chance.
write add_mcp_session(std::string_view id, user_id user, std::string_view revision);
// A row where it was there.
write end_mcp_session(std::string_view id, user_id user);

// not_found: it is not there, not this user's, or older than 7 days.
base::awaitable<base::result<std::string>> find_mcp_revision(
    batcher& reads, std::string id, user_id user, base::duration deadline
);

} // namespace postrider::storage
