#pragma once
// Sends one streamed body on a session's socket, whose head has been written: chunked, or as it is
// until the connection closes (HTTP/1.0). While it does, it reads and drops what the client sends,
// to notice that it has gone. On the executor's one thread.
#include "net/body_stream.hpp"
#include "net/watchdog.hpp"

#include <boost/asio/buffer.hpp>
#include <boost/asio/generic/stream_protocol.hpp>

#include <array>

namespace postrider::net {

class response_stream final : public body_writer {
public:
    using socket = boost::asio::generic::stream_protocol::socket;

    struct options {
        std::string request_id; // for the log
        bool chunked = true;
        base::duration write_timeout;
        base::duration longest_silence;
    };

    // The watchdog cancels the socket. Both outlive the stream.
    response_stream(socket& connection, watchdog& deadline, options stream_options);

    // Returns when the body has come to its end or was cut off; then the connection is of no more
    // use.
    base::awaitable<void> send(body_stream body);
    // Cuts the body off.
    void stop();

    base::awaitable<bool> write(std::string_view piece) override;

private:
    using pieces = std::array<boost::asio::const_buffer, 3>;

    base::awaitable<void> produce(body_stream const& body);
    base::awaitable<void> read_until_gone();
    base::awaitable<void> beat(std::string const& heartbeat);
    base::awaitable<bool> put(pieces buffers);

    socket& socket_;
    watchdog& deadline_;
    options options_;
    base::signal stop_;
    base::signal written_;
    base::steady_time last_written_;
    bool writing_ = false;
    bool stopped_ = false;
    bool broken_ = false; // a write failed: what follows would stand in the middle of it
};

} // namespace postrider::net
