#pragma once
// The agents that come with the product: flows/, embedded.
#include "server/start/chatbot_settings.hpp"
#include "storage/database.hpp"

#include <string_view>

namespace postrider::server {

std::string_view assistant_flow();
std::string_view todo_flow();
std::string_view claudir_flow();    // as it ships: chatbot_settings.hpp fills it in
std::string_view chatbot_persona(); // likewise

// Installs them, and newer versions of those that nobody changed; of the group bot whatever the configuration makes
// of it now. Throws as transaction::query() does.
void ship_flows(storage::transaction& tx, chatbot_config const& chatbot);

} // namespace postrider::server
