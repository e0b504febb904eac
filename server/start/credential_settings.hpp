#pragma once
// What requests prove themselves with, in the configuration: [credentials.NAME].
#include "server/start/config.hpp"

#include <string>
#include <vector>

namespace postrider::server {

std::vector<base::setting> credential_rows();

// Fills in the credentials, and tells what no single row can.
void read_credentials(
    base::settings const& settings, config& into, std::vector<std::string>& problems
);

} // namespace postrider::server
