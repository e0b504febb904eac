#pragma once
// Calls tools of a server object of this process, for whoever the caller says. Every call is a message
// of the protocol on a connection of its own, so that nothing of one person is there for the next. On
// the executor's one thread.
//
// Errors: cancelled, after close(); ambiguous, when no answer came in time; unavailable; invalid or
// refused, when the server refuses the message itself. A tool that failed is a result.
#include "agent/mcp/handshake.hpp"
#include "agent/mcp/server.hpp"

#include <string>

namespace postrider::agent::mcp {

class in_process_caller {
public:
    // The server outlives it.
    in_process_caller(
        boost::asio::any_io_executor executor, server const& serving, client_identity identity
    );
    in_process_caller(in_process_caller const&) = delete;
    in_process_caller& operator=(in_process_caller const&) = delete;

    // `key`: as call_key_member; "" = none. `origin`: as of served_session.
    base::awaitable<base::result<tool_result>> call(
        user_id caller,
        std::string tool,
        json::object arguments,
        std::string key,
        json::object origin = {}
    );

    // Await it, and the end of what calls, before destruction.
    base::awaitable<void> close();

private:
    struct connection;
    struct retirement;

    boost::asio::any_io_executor executor_;
    server const& serving_;
    client_identity identity_;
    bool closed_ = false;
    base::task_group retiring_;
};

} // namespace postrider::agent::mcp
