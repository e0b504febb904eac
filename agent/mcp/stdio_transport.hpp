#pragma once
// A server that runs as a child process: one message per line on its standard input and output.
//
// Lines that are no messages are skipped, up to a number of them in a row; an answer that cannot be
// read fails its request; a line that is too long ends the connection. What the child writes to its standard error is read and, but for its end, thrown away.
// A child that is closed gets time to end by itself, then SIGTERM, then SIGKILL; its group ends
// with it.
#include "agent/mcp/child_process.hpp"
#include "agent/mcp/transport.hpp"

#include <memory>

namespace postrider::agent::mcp {

struct stdio_options {
    child_command command;
    message_limits limits = {};
    std::size_t most_unreadable = 100;  // lines between two messages
    std::size_t most_unsent = 8u << 20; // bytes that the child has not read
    base::duration grace = base::duration{std::chrono::seconds{2}}; // before each signal
};

std::unique_ptr<transport> make_stdio_transport(
    boost::asio::any_io_executor executor, stdio_options options
);

} // namespace postrider::agent::mcp
