#pragma once
// A server as the configuration names it, [mcp.NAME], and the client for it.
#include "agent/mcp/child_process.hpp"
#include "agent/mcp/client.hpp"
#include "net/http_client.hpp"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace postrider::agent::mcp {

struct server_options {
    std::optional<child_command> command; // or else the address
    net::base_url address;
    std::vector<std::pair<std::string, base::secret>> headers; // of each request to the address
    message_limits limits;
    client_options client;
};

// The HTTP client outlives the client.
std::unique_ptr<client> make_client(
    boost::asio::any_io_executor executor, net::http_client& http, server_options options
);

} // namespace postrider::agent::mcp
