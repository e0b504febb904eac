#pragma once
// Two transports of one process: what one sends, the other receives, in order and through the
// executor, so that no send runs the receiver. Each message is written and read again, as between
// processes. What comes before an end is opened is dropped.
#include "agent/mcp/transport.hpp"

#include <memory>
#include <utility>

namespace postrider::agent::mcp {

// The ends may be destroyed in any order. Each end loses its connection when the other is closed.
std::pair<std::unique_ptr<transport>, std::unique_ptr<transport>> make_memory_transports(
    boost::asio::any_io_executor executor, message_limits limits = {}
);

} // namespace postrider::agent::mcp
