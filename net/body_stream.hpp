#pragma once
// A body that is sent while it comes to be: for answers that go on telling, like server-sent
// events. The connection is closed after it.
//
// The producer is cancelled (its wait throws operation_aborted, which it lets pass) as soon as the
// client is gone, reads too slowly, or the server stops; the client can tell a body that was cut
// off from one that came to its end. On the executor's one thread.
#include "base/async.hpp"

#include <functional>
#include <string>
#include <string_view>

namespace postrider::net {

class body_writer {
public:
    virtual ~body_writer() = default;
    // Sends the piece now and suspends until the kernel has taken it, so a producer is no faster
    // than its client. False when more is of no use.
    virtual base::awaitable<bool> write(std::string_view piece) = 0;
};

struct body_stream {
    std::function<base::awaitable<void>(body_writer&)> produce;
    // Sent after a silence of http_server_options::longest_silence, so that no proxy takes the
    // connection for dead. Empty: nothing is sent.
    std::string heartbeat;
};

} // namespace postrider::net
