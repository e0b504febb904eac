#include "server/cli/own_server.hpp"

#include "net/listen_socket.hpp"

#include <fmt/format.h>

namespace postrider::cli {

base::result<std::string> origin_of(std::string_view listen) {
    auto const address = net::parse_listen_address(listen);
    if (!address) return address.error();
    if (address->is_unix()) return "unix:" + address->unix_path;
    auto const ip = net::to_tcp(address->endpoint);
    if (ip.port() == 0)
        return base::error(base::errc::invalid, "port 0 is any free one: name it by --address");
    if (!ip.address().is_unspecified()) return "http://" + net::to_text(address->endpoint);
    return fmt::format("http://{}:{}", ip.address().is_v6() ? "[::1]" : "127.0.0.1", ip.port());
}

} // namespace postrider::cli
