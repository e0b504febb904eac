#pragma once
// The owner's bearer token for the API: configured, or made once and kept in a file
// that only its owner can read; anew when that file is empty. Blocking: used at start.
#include "base/error.hpp"
#include "base/random.hpp"
#include "base/secret.hpp"
#include "server/start/config.hpp"

#include <filesystem>

namespace postrider::server {

struct admin_token {
    base::secret value;
    std::filesystem::path file; // where it is kept; empty = configured
    bool created = false;       // now, for the first time
};

// Throws std::system_error when the file cannot be written or read, std::runtime_error when it
// holds what no token can be.
admin_token find_admin_token(config const& settings, base::random_source& random);

// The same for a client, which makes none: not_found. refused: this user may not read it; invalid:
// it is no token.
base::result<base::secret> known_admin_token(config const& settings);

} // namespace postrider::server
