#pragma once
// The connection string libpq gets: what the operator wrote, plus our defaults where he left them
// open.
#include "storage/database.hpp"

#include <string>
#include <string_view>

namespace postrider::storage::pg {

// The use of a connection decides its planner settings (see conninfo.cpp).
enum class purpose { general, batches };

// Time limits, application name, keep-alive and, unless options.prepared is false, the session's
// settings as start-up parameters, so that they cost no round trip. Throws database_error when the
// url is neither a URI nor a conninfo; the message does not repeat it.
std::string conninfo(database_options const& options, purpose purpose);

// The same settings as `set local` commands, for a proxy that hands out sessions by transaction; without
// the audit's key, since others of the role see the text of statements.
std::string local_settings(database_options const& options, purpose purpose);

// A server that lets so much time pass without a byte is given up: no statement may take that long.
base::duration longest_silence(database_options const& options) noexcept;

// A value as a conninfo holds it.
std::string in_quotes(std::string_view value);

} // namespace postrider::storage::pg
