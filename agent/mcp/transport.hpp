#pragma once
// What carries messages between two peers: a child's pipes, HTTP, or memory. On the executor's one
// thread.
//
// A transport serves one connection: opened once, closed once, and closed before it is destroyed.
// What arrives is given to the receiver,
// which outlives it; nothing is given to it after close() has ended.
#include "agent/mcp/json_rpc.hpp"
#include "base/async.hpp"

#include <string>
#include <utility>
#include <vector>

namespace postrider::agent::mcp {

class message_receiver {
public:
    virtual ~message_receiver() = default;
    virtual void receive(message arrived) = 0;
    // Nothing will answer this request: its POST failed, or what came for it cannot be read.
    virtual void fail_request(request_id const& id, base::error const& reason) = 0;
    // The connection has ended, and not by close().
    virtual void lose(base::error const& reason) = 0;
};

struct send_options {
    base::steady_time deadline = base::steady_time::max(); // of the request's answer
    // Where messages have header fields of their own: name and value, besides the transport's.
    std::vector<std::pair<std::string, std::string>> headers = {};
};

class transport {
public:
    virtual ~transport() = default;

    // unavailable, refused: there is no connection.
    virtual base::awaitable<base::result<void>> open(message_receiver& receiver) = 0;
    // Takes it for sending, in order where the transport has one; the receiver hears what becomes of
    // a request. unavailable, overloaded, invalid: not taken, so certainly not sent.
    virtual base::result<void> send(message const& content, send_options const& options) = 0;
    // Nobody waits for the answer any more. True when the other side learns of it without a
    // notification.
    virtual bool abandon(request_id const& id) = 0;
    // The revision that both sides speak from now on; "" before a handshake.
    virtual void use_revision(std::string const& revision) = 0;
    // From now on also what answers no request of ours is to arrive, where that needs asking for.
    virtual void listen() = 0;
    // A second call returns at once. What is awaited here takes seconds at the most.
    virtual base::awaitable<void> close() = 0;
    // What the other side said of itself beside the protocol, for people; holds no secret of ours.
    virtual std::string diagnostics() const = 0;
};

} // namespace postrider::agent::mcp
