#pragma once
// The configured database for one command. Blocking.
#include "server/cli/command.hpp"
#include "storage/database.hpp"

#include <functional>
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

// One transaction on the database that is there; the exit code, failures reported.
int in_database(context const& in, std::string_view doing, database_action work);

// The same for commands that may come before the first start of a server: the private cluster is
// made if need be, and the schema brought up to date.
int in_new_database(context const& in, std::string_view doing, database_action work);

} // namespace postrider::cli
