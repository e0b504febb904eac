#include "server/api/routes.hpp"

#include "server/api/home_page.hpp"
#include "server/start/version.hpp"

namespace postrider::api {

namespace {

using answer = std::function<net::http_response()>;

base::awaitable<net::http_response> respond(answer make) {
    co_return make();
}

net::route get(std::string pattern, answer make) {
    net::route route;
    route.method = "GET";
    route.pattern = std::move(pattern);
    route.handle = [make = std::move(make)](net::http_request const&) { return respond(make); };
    return route;
}

net::http_response metrics(metrics_snapshot const& now) {
    auto response = net::http_response::empty(200);
    response.headers.add("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
    response.body = render(now);
    return response;
}

} // namespace

std::vector<net::route> status_routes(
    health const& state, std::function<metrics_snapshot()> snapshot
) {
    std::vector<net::route> routes;
    routes.push_back(get("/", [&state] { return home_page(state, server::this_version().product); })
    );
    routes.push_back(get("/healthz", [] { return healthz(); }));
    routes.push_back(get("/readyz", [&state] { return readyz(state); }));
    routes.push_back(get("/metrics", [take = std::move(snapshot)] { return metrics(take()); }));
    return routes;
}

} // namespace postrider::api
