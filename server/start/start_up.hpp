#pragma once
// What happens before the first coroutine: Postgres is found or started, the schema brought up to
// date, the bots' rows and the secrets made. Blocking. Throws start_failure.
#include "server/api/authentication.hpp"
#include "server/start/admin_token.hpp"
#include "server/start/announcement.hpp"
#include "server/start/config.hpp"
#include "server/start/local_database.hpp"
#include "storage/stores/bots.hpp"

#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::server {

// The text is for people: what cannot be done, why, and what helps.
struct start_failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// "cannot …: <why>", with its code.
base::error cannot(std::string_view doing, base::error const& reason);

// Its own words, and the setting that names another address.
base::error cannot_listen(base::error const& reason);

template<class T>
T must(base::result<T> result, std::string_view doing) {
    if (!result) throw start_failure(cannot(doing, result.error()).detail);
    return std::move(*result);
}

struct prepared {
    local_database database;
    std::map<std::string, storage::bot_row, std::less<>> bots; // by name
    server::admin_token admin;
    base::secret token_key; // of the API's tokens
    user_id person{};       // the owner's token acts as this one (part_options.hpp)
};

api::access_secrets secrets_of(prepared const& from);

// `bots`: the names of their rows. Waits up to a minute for a database that does not answer yet, or
// refuses to be written to, which the log tells at once. A demo is refused a database of other bots.
prepared prepare(
    config const& from,
    std::vector<std::string> const& bots,
    server::mode mode,
    base::random_source& random
);

} // namespace postrider::server
