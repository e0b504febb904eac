#pragma once
// How another program of Postgres, such as psql, is told what a database URL says: by environment,
// because a command line can be read by every user of the machine.
#include "base/error.hpp"

#include <map>
#include <string>

namespace postrider::storage {

// libpq's variables (PGHOST, PGPASSWORD, …) by name. invalid: it is neither a URI nor a conninfo, or
// says something that has no variable; the detail does not repeat the URL.
base::result<std::map<std::string, std::string>> client_environment(std::string const& url);

} // namespace postrider::storage
