#include "net/listen_socket.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/local/stream_protocol.hpp>

#include <charconv>
#include <cstring>
#include <netinet/tcp.h>
#include <sys/stat.h>
#include <unistd.h>

namespace postrider::net {

namespace asio = boost::asio;
using asio::ip::tcp;
using base::errc;
using base::error;
using stream = asio::generic::stream_protocol;

namespace {

std::optional<std::uint16_t> parse_port(std::string_view text) {
    std::uint16_t port = 0;
    auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), port);
    if (text.empty() || ec != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return port;
}

// A socket file whose listener is gone: bind() fails on it, connect() is refused.
bool is_stale(std::string const& path) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISSOCK(status.st_mode)) return false;
    asio::io_context context;
    asio::local::stream_protocol::socket probe{context};
    boost::system::error_code ec;
    probe.connect(asio::local::stream_protocol::endpoint{path}, ec);
    return ec == asio::error::connection_refused;
}

void bind_to(acceptor& socket, listen_address const& address, boost::system::error_code& ec) {
    socket.bind(address.endpoint, ec);
    if (!address.is_unix()) return;
    if (ec == asio::error::address_in_use && is_stale(address.unix_path)) {
        ::unlink(address.unix_path.c_str());
        socket.bind(address.endpoint, ec);
    }
    // Nobody can connect before listen(), so there is no moment with wider rights.
    if (!ec && ::chmod(address.unix_path.c_str(), 0660) != 0)
        ec.assign(errno, boost::system::system_category());
}

} // namespace

base::result<listen_address> parse_listen_address(std::string_view text) {
    base::result<listen_address> invalid{
        boost::system::in_place_error, errc::invalid, "not host:port, [host]:port or unix:/path"};
    if (text.starts_with("unix:")) {
        std::string path{text.substr(5)};
        // sun_path holds 107 bytes and a terminator.
        if (!path.starts_with('/') || path.size() > 107 || path.find('\0') != std::string::npos)
            return invalid;
        return listen_address{asio::local::stream_protocol::endpoint{path}, path};
    }

    auto colon = text.rfind(':');
    if (colon == std::string_view::npos) return invalid;
    auto host = text.substr(0, colon);
    auto port = parse_port(text.substr(colon + 1));
    auto const bracketed = host.starts_with('[') && host.ends_with(']');
    if (bracketed) host = host.substr(1, host.size() - 2);
    if (host == "localhost") host = "127.0.0.1";
    boost::system::error_code ec;
    auto ip = asio::ip::make_address(host, ec);
    if (ec || !port || ip.is_v6() != bracketed) return invalid;
    return listen_address{tcp::endpoint{ip, *port}, {}};
}

base::result<acceptor> open_listen_socket(
    asio::any_io_executor const& executor, listen_address const& address
) {
    acceptor socket{executor};
    boost::system::error_code ec;
    socket.open(address.endpoint.protocol(), ec);
    if (!ec && !address.is_unix()) socket.set_option(tcp::acceptor::reuse_address(true), ec);
    if (!ec) bind_to(socket, address, ec);
    if (!ec) socket.listen(asio::socket_base::max_listen_connections, ec);
    if (ec)
        return error(
            errc::unavailable, "cannot listen on " + to_text(address.endpoint) + ": " + ec.message()
        );
    return socket;
}

void keep_little_unsent(stream::socket& connected) {
    using unsent_limit = asio::detail::socket_option::integer<IPPROTO_TCP, TCP_NOTSENT_LOWAT>;
    boost::system::error_code ignored; // a local socket has no such limit
    connected.set_option(unsent_limit(64 << 10), ignored);
}

tcp::endpoint to_tcp(stream::endpoint const& endpoint) {
    tcp::endpoint ip;
    std::memcpy(ip.data(), endpoint.data(), std::min(endpoint.size(), ip.capacity()));
    return ip;
}

std::string to_text(stream::endpoint const& endpoint) {
    if (endpoint.protocol().family() == AF_UNIX) {
        asio::local::stream_protocol::endpoint local;
        std::memcpy(local.data(), endpoint.data(), std::min(endpoint.size(), local.capacity()));
        local.resize(endpoint.size());
        return "unix:" + local.path();
    }
    auto ip = to_tcp(endpoint);
    auto host = ip.address().to_string();
    if (ip.address().is_v6()) host = "[" + host + "]";
    return host + ":" + std::to_string(ip.port());
}

} // namespace postrider::net
