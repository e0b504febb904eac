#pragma once
// How another program of Postgres, such as psql, is told what a database URL says: by environment
// where that can say it, because a command line can be read by every user of the machine.
#include "base/error.hpp"

#include <map>
#include <optional>
#include <string>

namespace postrider::storage {

struct client_connection {
    std::map<std::string, std::string> variables; // libpq's (PGHOST, PGPASSWORD, …) by name
    // A conninfo of what has no variable, such as keepalives; "" = nothing. It holds no secret.
    std::string words;
};

// invalid: it is neither a URI nor a conninfo, or holds a secret that has no variable; the detail
// does not repeat the URL.
base::result<client_connection> client_environment(std::string const& url);

// Why libpq cannot read a database URL; the values in it are not looked at.
struct url_mistake {
    std::string unknown; // a parameter's name; "" = it is neither a URI nor a conninfo
};

// None: it is understood. The name comes from the URL: where a password is not closed it may be a
// part of that.
std::optional<url_mistake> mistake_in(std::string const& url);

} // namespace postrider::storage
