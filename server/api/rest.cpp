#include "server/api/rest.hpp"

#include "server/api/answer_headers.hpp"
#include "server/api/description.hpp"
#include "server/api/event_stream.hpp"
#include "server/api/shared_readings.hpp"

#include <algorithm>
#include <iterator>

namespace postrider::api {

namespace {

base::awaitable<net::http_response> tell(std::shared_ptr<std::string const> description) {
    auto answer = net::http_response::json(200, *description);
    add_protective_headers(answer);
    co_return answer;
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
    resources with
)
    : databases_(databases),
      with_(std::move(with)),
      who_(secrets, reads, databases.console, clock) {
    with_.mint = std::move(secrets.mint);
    with_.readings = std::make_shared<shared_readings>(
        databases_.reports, clock, with_.installed, with_.flows.validator
    );
    add_shared_watchers(with_);
}

base::awaitable<void> rest::keep_noting_token_uses() {
    constexpr base::duration pause = std::chrono::seconds{5};
    for (;;) {
        co_await base::sleep_for(pause);
        co_await note_token_uses();
    }
}

stream_counts rest::streams() const {
    stream_counts open;
    if (auto const& all = with_.watchers_of_events)
        open.events = all->people.taken() + all->operators.taken();
    if (auto const& all = with_.watchers_of_executions) open.executions = all->places.taken();
    if (auto const& all = with_.watchers_of_conversations) open.conversations = all->places.taken();
    return open;
}

void rest::add(std::vector<endpoint> more) {
    std::ranges::move(more, std::back_inserter(more_));
}

std::vector<net::route> rest::routes() {
    auto endpoints = all_endpoints(with_);
    std::ranges::move(more_, std::back_inserter(endpoints));
    description_ = std::make_shared<std::string const>(describe(endpoints));
    endpoint_services const services{databases_, who_, counts_};
    std::vector<net::route> all{description_route(description_)};
    for (auto& endpoint : endpoints) all.push_back(to_route(std::move(endpoint), services));
    return all;
}

} // namespace postrider::api
