#pragma once
// What happens before the first coroutine: Postgres is found or started, the schema brought up to
// date, the bots' rows and the secrets made. Blocking. Throws start_failure.
#include "server/start/admin_token.hpp"
#include "server/start/announcement.hpp"
#include "server/start/config.hpp"
#include "server/start/local_database.hpp"
#include "server/start/start_failure.hpp"
#include "storage/stores/bots.hpp"

#include <map>
#include <string>
#include <vector>

namespace postrider::server {

struct prepared {
    local_database database;
    std::map<std::string, storage::bot_row, std::less<>> bots; // by name
    server::admin_token admin;
    base::secret token_key;   // of the API's tokens
    user_id person{};         // the owner's token acts as this one (part_options.hpp)
    bool has_vectors = false; // of memories, of the configured dimension
};

// `bots`: the names of their rows. Waits up to a minute for a database that does not answer yet, or
// refuses to be written to, which the log tells at once. A demo is refused a database of other bots.
prepared prepare(
    config const& settings,
    std::vector<std::string> const& bots,
    server::mode mode,
    base::random_source& random
);

} // namespace postrider::server
