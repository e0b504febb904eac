// `executions show`: what went through the nodes of one, as the running server tells it over its
// API: it has the models, the bots and the memory that the record is read with.
#include "base/json_text.hpp"
#include "server/cli/command.hpp"
#include "server/cli/execution_report.hpp"
#include "server/cli/online_work.hpp"
#include "server/cli/own_server.hpp"
#include "server/start/admin_token.hpp"

#include <fmt/format.h>

#include <ostream>

namespace postrider::cli {

namespace {

base::awaitable<int> show(context const& in, net::http_client& http, std::string origin) {
    net::http_call call;
    call.origin = std::move(origin);
    call.method = "GET";
    call.target = fmt::format("/api/v1/executions/{}", in.args.job);
    auto token = server::find_admin_token(in.configured.values, base::system_random()).value;
    auto const found = co_await ask_own_server(http, std::move(call), std::move(token));
    if (found) {
        in.out << (in.args.json ? base::json_text(*found) + "\n" : execution_text(*found));
        co_return 0;
    }
    int const code = fail(in, "show the execution", found.error());
    if (found.error() != base::errc::refused)
        in.err << fmt::format(
            "It is a running server that tells it; `postrider jobs show {}` reads the record.\n",
            in.args.job
        );
    co_return code;
}

} // namespace

int executions_show(context const& in) {
    auto const& listen = in.args.address.empty() ? in.configured.values.listen : in.args.address;
    auto const origin = origin_of(listen);
    if (!origin) return fail(in, "ask " + listen, origin.error());
    return run_online([&](net::http_client& http) { return show(in, http, *origin); });
}

} // namespace postrider::cli
