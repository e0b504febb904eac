#pragma once
// Where the server listens: parses the address and opens the socket.
#include "base/error.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ip/tcp.hpp>

#include <string>
#include <string_view>

namespace postrider::net {

using acceptor = boost::asio::basic_socket_acceptor<boost::asio::generic::stream_protocol>;

struct listen_address {
    boost::asio::generic::stream_protocol::endpoint endpoint;
    std::string unix_path; // empty for TCP

    bool is_unix() const noexcept { return !unix_path.empty(); }
};

// "127.0.0.1:8080", "localhost:0", "[::1]:8080" or "unix:/run/postrider.sock"; invalid otherwise.
base::result<listen_address> parse_listen_address(std::string_view text);

// Bound and listening. A Unix socket's file has mode 0660; one that a dead process left behind is
// replaced, one that somebody listens on is not. unavailable: says why.
base::result<acceptor> open_listen_socket(
    boost::asio::any_io_executor const& executor, listen_address const& address
);

// At most 64 KiB of what is written wait in the kernel to be sent, instead of megabytes. Bytes on
// their way to a client that reads are not counted.
void keep_little_unsent(boost::asio::generic::stream_protocol::socket& connected);

// Of an endpoint of IP.
boost::asio::ip::tcp::endpoint to_tcp(
    boost::asio::generic::stream_protocol::endpoint const& endpoint
);

// "127.0.0.1:43121", "[::1]:43121" or "unix:/path".
std::string to_text(boost::asio::generic::stream_protocol::endpoint const& endpoint);

} // namespace postrider::net
