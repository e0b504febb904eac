#include "server/cli/own_server.hpp"

#include "base/json/json.hpp"
#include "base/utf8.hpp"
#include "net/listen_socket.hpp"
#include "net/origin.hpp"
#include "server/cli/log_setup.hpp"
#include "server/cli/online_work.hpp"
#include "server/start/admin_token.hpp"

#include <boost/asio/ip/address.hpp>
#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

bool is_digits(std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

base::error wrong_address(std::string_view text, std::string_view reason) {
    return base::error(
        base::errc::invalid,
        fmt::format(
            "\"{}\" is not a server's address: {}. Write 8080, 127.0.0.1:8080, "
            "https://example.org or unix:/run/postrider.sock",
            base::shortened(text, 100),
            reason
        )
    );
}

// As people copy it from the API's documentation.
std::string_view without_api_path(std::string_view address) {
    constexpr std::string_view api_path = "/api/v1";
    if (address.ends_with('/')) address.remove_suffix(1);
    if (address.ends_with(api_path)) address.remove_suffix(api_path.size());
    return address;
}

// A server that listens to everything is reached at this machine's own address.
base::result<std::string> reachable_origin(std::string_view text, net::base_url const& url) {
    if (!url.path.empty()) return wrong_address(text, "it has a path");
    auto const where = net::parse_origin(url.origin);
    if (!where) return wrong_address(text, where.error().detail);
    if (where->port == "0")
        return base::error(base::errc::invalid, "port 0 is any free one: name it by --address");
    boost::system::error_code ec;
    auto const ip = boost::asio::ip::make_address(where->host, ec);
    if (ec && where->host == "localhost" && !where->tls) return "http://127.0.0.1:" + where->port;
    if (ec || !ip.is_unspecified()) return url.origin;
    return fmt::format(
        "{}://{}:{}", where->tls ? "https" : "http", ip.is_v6() ? "[::1]" : "127.0.0.1", where->port
    );
}

} // namespace

base::result<std::string> origin_of(std::string_view address) {
    if (address.starts_with("unix:")) {
        auto const local = net::parse_listen_address(address);
        if (!local) return wrong_address(address, "no such path is possible");
        return "unix:" + local->unix_path;
    }
    auto url = std::string(without_api_path(address));
    bool const is_url = url.find("://") != url.npos;
    if (is_digits(url)) url = fmt::format("127.0.0.1:{}", url);
    if (url.starts_with(':')) url = fmt::format("127.0.0.1{}", url);
    if (!is_url && !is_digits(std::string_view(url).substr(url.rfind(':') + 1)))
        return wrong_address(address, "it does not end with a port");
    if (!is_url) url = "http://" + url;
    auto const parsed = net::parse_base_url(url);
    if (!parsed) return wrong_address(address, parsed.error().detail);
    return reachable_origin(address, *parsed);
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
