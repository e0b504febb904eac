#include "server/api/rest.hpp"

#include "server/api/description.hpp"
#include "server/api/endpoints.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::api {

namespace {

base::awaitable<net::http_response> tell(std::shared_ptr<std::string const> description) {
    co_return net::http_response::json(200, *description);
}

net::route description_route(std::shared_ptr<std::string const> description) {
    net::route route;
    route.method = "GET";
    route.pattern = "/api/openapi.json";
    route.handle = [description = std::move(description)](net::http_request const&) {
        return tell(description);
    };
    return route;
}

} // namespace

rest::rest(
    api_databases databases,
    storage::batcher& reads,
    access_secrets secrets,
    base::clock& clock,
    base::random_source& random,
    flow_services flows
)
    : databases_(databases),
      random_(random),
      mint_(secrets.mint),
      flows_(std::move(flows)),
      who_(std::move(secrets), reads, databases.console, clock) {}

base::awaitable<void> rest::keep_noting_token_uses() {
    constexpr base::duration pause = std::chrono::seconds{5};
    for (;;) {
        co_await base::sleep_for(pause);
        co_await note_token_uses();
    }
}

void rest::add(std::vector<endpoint> more) {
    std::ranges::move(more, std::back_inserter(more_));
}

std::vector<net::route> rest::routes() {
    std::vector<endpoint> endpoints;
    for (auto group :
         {job_endpoints(),
          bulk_endpoints(),
          lane_endpoints(),
          effect_endpoints(),
          approval_endpoints(),
          audit_endpoints(),
          erasure_endpoints(),
          session_endpoints(),
          usage_endpoints(),
          token_endpoints(mint_, random_),
          flow_endpoints(flows_),
          flow_version_endpoints(flows_),
          flow_tool_endpoints(flows_),
          more_})
        std::ranges::move(group, std::back_inserter(endpoints));
    description_ = std::make_shared<std::string const>(describe(endpoints));
    endpoint_services const services{databases_, who_, counts_};
    std::vector<net::route> all{description_route(description_)};
    for (auto& endpoint : endpoints) all.push_back(to_route(std::move(endpoint), services));
    return all;
}

} // namespace postrider::api
