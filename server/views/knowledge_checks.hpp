#pragma once
// What documents of collections are read and found with, and what became of them.
#include "server/start/config.hpp"
#include "server/views/finding.hpp"
#include "storage/database.hpp"

namespace postrider::server {

// Throws as transaction::query() does.
findings look_at_knowledge(storage::transaction& tx, config const& settings);

} // namespace postrider::server
