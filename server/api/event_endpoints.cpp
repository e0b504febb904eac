#include "server/api/endpoints.hpp"
#include "server/api/event_stream.hpp"
#include "server/api/problem.hpp"

#include <fmt/format.h>

namespace postrider::api {

namespace {

base::awaitable<net::http_response> watch_events(shared_watchers watchers, call incoming) {
    parameters query(incoming.request);
    auto topics = read_topics(query);
    auto last = query.text("cursor", longest_stream_position).value_or("");
    auto const& headers = incoming.request.headers;
    if (auto const header = headers.find("Last-Event-ID"); !header.empty()) last = header;
    if (auto const wrong = query.mistakes(); !wrong.empty()) co_return invalid(wrong);
    auto const role = incoming.by.role;
    if (auto const topic = forbidden_topic(topics, role))
        co_return net::http_response::problem(
            403,
            "forbidden",
            fmt::format("a token of the role {} may not watch {}", storage::to_string(role), *topic)
        );
    co_return co_await stream_events(
        std::move(watchers), std::move(topics), std::move(last), incoming.by, incoming.db
    );
}

} // namespace

std::vector<endpoint> event_endpoints(resources const& resources) {
    auto const watchers = resources.watchers_of_events;
    if (!watchers) return {};
    endpoint watch{"GET", "/api/v1/events", {}};
    watch.handle = [watchers](call incoming) {
        return watch_events(watchers, std::move(incoming));
    };
    watch.open_to = audience::everybody;
    watch.use = database_use::watch;
    std::vector<endpoint> endpoints{std::move(watch)};
    return endpoints;
}

} // namespace postrider::api
