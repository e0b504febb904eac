#pragma once
// Answers of POST /mcp: messages of the protocol, with the HTTP status that goes with them. Pure.
#include "agent/mcp/server.hpp"
#include "net/http.hpp"

#include <optional>
#include <string>

namespace postrider::api {

net::http_response mcp_failure(
    int status, agent::mcp::rpc_error error, std::optional<agent::mcp::request_id> id = std::nullopt
);

// By the revision without a handshake an error of the protocol has a status of its own.
net::http_response mcp_answer(
    agent::mcp::request_id id, agent::mcp::rpc_outcome outcome, bool stateless
);

// Nothing: header fields and message say the same, as revision 2026-07-28 demands. Otherwise where
// they differ.
std::optional<std::string> header_mismatch(
    net::header_list const& headers, agent::mcp::rpc_request const& request
);

} // namespace postrider::api
