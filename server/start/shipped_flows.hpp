#pragma once
// The agents that come with the product: flows/, embedded.
#include "storage/database.hpp"

#include <string_view>

namespace postrider::server {

std::string_view assistant_flow();
std::string_view todo_flow();

// Installs them, and newer versions of those that nobody changed. Throws as transaction::query()
// does.
void ship_flows(storage::transaction& tx);

} // namespace postrider::server
