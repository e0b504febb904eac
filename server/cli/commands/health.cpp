// `health`: is the server ready? For the health checks of containers and load balancers, which
// know no other program that could ask. It needs no database and no secret.
#include "server/cli/online_work.hpp"
#include "server/cli/options.hpp"
#include "server/cli/own_server.hpp"
#include "server/start/config.hpp"

#include <ostream>

namespace postrider::cli {

namespace {

using namespace std::chrono_literals;

constexpr auto health_patience = 3s;

base::awaitable<base::result<net::http_answer>> ask_health(
    net::http_client& http, std::string origin
) {
    net::http_call call;
    call.method = "GET";
    call.origin = std::move(origin);
    call.target = "/readyz";
    call.total_timeout = health_patience;
    co_return co_await http.send(std::move(call));
}

struct health_arguments {
    std::string address;
};

void declare_health(option_parser& parser, health_arguments& args) {
    add_address(parser, args.address);
}

int run_health(context const& in, health_arguments const& args) {
    auto const& listen = args.address.empty() ? in.configured.values.listen : args.address;
    auto const origin = origin_of(listen);
    if (!origin) return fail(in, "ask " + listen, origin.error());
    auto answer = run_online([&](net::http_client& http) { return ask_health(http, *origin); });
    if (!answer) return fail_to_ask(in, "reach the server at " + listen, answer.error());
    in.out << answer->body << '\n';
    return answer->status == 200 ? 0 : 1;
}

} // namespace

namespace commands {

extern constinit command const health{
    .path = "health",
    .summary = "Ask a running server whether it is ready",
    .example = "postrider health --address 127.0.0.1:8080",
    .prepare = with_options<declare_health, run_health>,
    .json = false};

} // namespace commands

} // namespace postrider::cli
