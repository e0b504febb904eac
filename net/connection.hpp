#pragma once
// A client's connection, plain or TLS: connects, reads and writes under one deadline at a time.
//
// A deadline that passes closes the connection; the operation then ends with an error and late() is
// true. The destructor closes. On the executor's one thread; in net/ only, because it names
// OpenSSL.
#include "base/async.hpp"
#include "net/origin.hpp"
#include "net/resolver.hpp"
#include "net/tls_trust.hpp"

#include <boost/asio/buffer.hpp>

#include <array>
#include <memory>

namespace postrider::net {

// Throws operation_aborted when the calling coroutine has been cancelled. An operation that a
// deadline's close() has ended has the same error code, and is no reason to throw.
base::awaitable<void> let_cancellation_pass();

class connection {
public:
    virtual ~connection() = default;

    virtual void expect_before(base::steady_time deadline) = 0;
    virtual void rest() = 0; // no deadline
    virtual bool late() const = 0;

    virtual base::awaitable<std::size_t> read_some(
        boost::asio::mutable_buffer into, boost::system::error_code& ec
    ) = 0;
    // All of both; returns how much was written when it fails.
    virtual base::awaitable<std::size_t> write(
        std::array<boost::asio::const_buffer, 2> bytes, boost::system::error_code& ec
    ) = 0;

    virtual void close() noexcept = 0;
    // Idle as it should be: open, and nothing to read (an end, or bytes nobody asked for).
    virtual bool quiet() = 0;
};

// Tries the endpoints in turn, each with its share of the time; then the TLS handshake with SNI and
// verification of the host's name. unavailable or timeout: nothing was asked of the other side.
base::awaitable<base::result<std::unique_ptr<connection>>> connect(
    tls_trust& trust, origin to, endpoints candidates, base::steady_time deadline
);

// The same to a Unix socket, without TLS.
base::awaitable<base::result<std::unique_ptr<connection>>> connect_local(
    std::string path, base::steady_time deadline
);

} // namespace postrider::net
