#pragma once
// How long-term memories are found: by words alone, or by meaning, too.
#include "server/start/config.hpp"
#include "server/views/finding.hpp"
#include "storage/database.hpp"

namespace postrider::server {

// Throws as transaction::query() does.
findings look_at_memories(storage::transaction& tx, config const& settings);

} // namespace postrider::server
