#pragma once
// The agents that come with the product: flows/, embedded.
#include "storage/database.hpp"

#include <string_view>

namespace postrider::server {

std::string_view assistant_flow();

// Installs them, and newer versions of those that nobody changed. Blocking. Fails as the database
// does.
base::result<void> ship_flows(storage::database_options const& database);

} // namespace postrider::server
