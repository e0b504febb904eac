#pragma once
// The configured database for one command. Blocking.
#include "server/cli/command.hpp"
#include "storage/database.hpp"
#include "storage/row.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace postrider::server {
struct local_database; // server/start/local_database.hpp
} // namespace postrider::server

namespace postrider::cli {

using database_action = std::function<void(storage::transaction&)>;

// The database that is there: a command that only looks, or changes what is there, makes none.
base::result<server::local_database> open_database(context const& in);

// Says for the transaction that whoever runs the command acts, "cli:NAME": for commands that open it
// themselves, in what they change.
void act_as_operator(storage::transaction& tx);

// What Postgres does not let our role do, and what would give it the right, for people. None: the
// defect is another.
std::optional<std::string> denied(storage::database_error const& defect);

// The failure of a write, for people: one that lasts says why, and what ends it, as `check` does.
base::error told(storage::database_options const& database, base::error reason);

// One transaction that looks; unauthorized: our role may not, and the detail is that of denied().
base::result<void> look_into(
    storage::database_options const& database, database_action const& look
);

// One transaction on the database that is there; the exit code, failures reported.
int in_database(context const& in, std::string_view doing, database_action work);

// The same for commands that may come before the first start of a server: the private cluster is
// made if need be, and the schema brought up to date.
int in_new_database(context const& in, std::string_view doing, database_action work);

} // namespace postrider::cli
