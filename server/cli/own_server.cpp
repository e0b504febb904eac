#include "server/cli/own_server.hpp"

#include "base/json.hpp"
#include "net/listen_socket.hpp"
#include "server/cli/log_setup.hpp"
#include "server/cli/online_work.hpp"
#include "server/start/admin_token.hpp"

#include <fmt/format.h>

#include <ostream>

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

own_server::own_server(net::http_client& http, std::string origin, base::secret token)
    : http_(http),
      origin_(std::move(origin)),
      token_(std::move(token)) {}

base::awaitable<base::result<net::http_answer>> own_server::send(net::http_call call) {
    call.origin = origin_;
    call.headers.add("Authorization", "Bearer " + token_.reveal());
    auto answer = co_await http_.send(std::move(call));
    if (answer) co_return std::move(*answer);
    auto reason = answer.error();
    reason.detail += "; postrider tried " + origin_;
    co_return reason;
}

base::awaitable<base::result<boost::json::value>> own_server::ask(net::http_call call) {
    auto answer = co_await send(std::move(call));
    if (!answer) co_return answer.error();
    auto read = base::parse_json(answer->body);
    if (!read || !read->is_object())
        co_return base::error(base::errc::invalid, "the server's answer is not its API's");
    if (answer->status < 300) co_return std::move(*read);
    base::json_reader const problem{*read};
    co_return base::error(base::errc::refused, problem["detail"].string_or("it refuses"));
}

namespace {

base::awaitable<int> ask_as_owner(
    net::http_client& http,
    std::string origin,
    base::secret token,
    std::function<base::awaitable<int>(own_server&)> work
) {
    own_server server(http, std::move(origin), std::move(token));
    co_return co_await work(server);
}

} // namespace

int ask_own_server(
    context const& in,
    std::string const& address,
    std::function<base::awaitable<int>(own_server&)> const& work
) {
    auto const& listen = address.empty() ? in.configured.values.listen : address;
    auto const origin = origin_of(listen);
    if (!origin) return fail(in, "ask " + listen, origin.error());
    auto const token = server::known_admin_token(in.configured.values);
    if (!token) return fail(in, "ask the server", token.error());
    return run_online([&](net::http_client& http) {
        return ask_as_owner(http, *origin, *token, work);
    });
}

int fail_to_ask(context const& in, std::string_view doing, base::error const& reason) {
    fail(in, doing, reason);
    if (reason == base::errc::refused) return 1;
    in.err << "A running server is asked: `postrider serve` starts one; --address says where it is"
           << (by_default(in, "server.listen") ? ".\n" : " if server.listen does not.\n");
    return 1;
}

} // namespace postrider::cli
