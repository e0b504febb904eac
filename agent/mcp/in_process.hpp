#pragma once
// A client's transport to a server object of this process: all that is asked travels as messages of
// the protocol, and who asks, and from where, is fixed when the connection is made.
#include "agent/mcp/server.hpp"
#include "agent/mcp/transport.hpp"

#include <memory>

namespace postrider::agent::mcp {

// The server outlives it.
std::unique_ptr<transport> make_in_process_transport(
    boost::asio::any_io_executor const& executor, server const& serving, served_session session
);

} // namespace postrider::agent::mcp
