#pragma once
// The edge: HTTP/1.1 over TCP or a Unix socket, on the executor's one thread.
//
// Guarantees:
// - Every connection has header, body, write and idle deadlines, and a least pace for what it sends
//   and takes.
// - At max_connections, or when descriptors run out, the connection that has kept the server
//   waiting for longest is closed for the next one. A connection that has proven a secret (gate in
//   net/router.hpp) is never closed so. When every connection is proven or at work, the next ones
//   wait.
// - A refused request is answered without a wait for its body. The connection is closed, but for one
//   that no route or gate takes and of which the whole body, a small one, has come already.
// - A request that two parsers could read differently is answered 400 and closed
//   (net/framing.hpp).
// - An exception of a handler becomes a 500 without internals.
// Keep-alive and pipelining follow RFC 9112. HTTP only: TLS is the reverse proxy's.
#include "base/async.hpp"
#include "net/router.hpp"
#include "net/transfer_pace.hpp"

#include <memory>
#include <string>
#include <vector>

namespace postrider::net {

struct http_server_options {
    std::string listen =
        "127.0.0.1:8080"; // "host:port", "[::1]:port" or "unix:/path"; port 0 = any
    std::size_t max_connections = 1024;
    std::size_t header_limit = 16u << 10;
    base::duration header_timeout = base::duration{std::chrono::seconds{10}};
    base::duration body_timeout = base::duration{std::chrono::seconds{30}};
    base::duration write_timeout = base::duration{std::chrono::seconds{30}};
    base::duration idle_timeout = base::duration{std::chrono::seconds{75}};
    transfer_pace pace;
    base::duration longest_silence = base::duration{std::chrono::seconds{15}}; // of a stream
    // CIDRs or "unix"; their X-Forwarded-For, X-Forwarded-Proto and X-Request-Id count.
    std::vector<std::string> trusted_proxies;
};

struct http_server_counts {
    std::size_t connections = 0; // open now
    std::uint64_t accepted = 0;
    std::uint64_t requests = 0;
    std::uint64_t refused_framing = 0;
    std::uint64_t timed_out = 0;
    std::uint64_t evicted = 0; // made room for another
};

class http_server {
public:
    virtual ~http_server() = default;

    // Binds and listens, then serves in the background. invalid: a malformed address or CIDR;
    // unavailable: cannot bind (the detail says why).
    virtual base::result<void> start() = 0;
    // "127.0.0.1:43121" or "unix:/path": where it really listens.
    virtual std::string address() const = 0;
    // Stops accepting, answers what has been read with Connection: close, closes idle connections,
    // cuts streams off.
    virtual void stop_accepting() = 0;
    // Returns when no connection is left; after the limit the rest are closed hard.
    virtual base::awaitable<void> drain(base::duration limit) = 0;
    virtual http_server_counts counts() const = 0;
};

// The routes and everything they refer to must outlive the server.
std::unique_ptr<http_server> make_http_server(
    boost::asio::any_io_executor executor, http_server_options options, router routes
);

} // namespace postrider::net
