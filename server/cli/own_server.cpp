#include "server/cli/own_server.hpp"

#include "base/json.hpp"
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

base::awaitable<base::result<boost::json::value>> ask_own_server(
    net::http_client& http, net::http_call call, base::secret token
) {
    call.headers.add("Authorization", "Bearer " + token.reveal());
    auto answer = co_await http.send(std::move(call));
    if (!answer) co_return answer.error();
    auto read = base::parse_json(answer->body);
    if (!read || !read->is_object())
        co_return base::error(base::errc::invalid, "the server's answer is not its API's");
    if (answer->status < 300) co_return std::move(*read);
    base::json_reader const problem{*read};
    co_return base::error(base::errc::refused, problem["detail"].string_or("it refuses"));
}

} // namespace postrider::cli
