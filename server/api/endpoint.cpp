#include "server/api/endpoint.hpp"

#include "base/log.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/audit.hpp"

namespace postrider::api {

namespace {

// The caller and the change: the path holds ids only. The request's id is in the answer as well.
void report_operation(net::http_request const& request, caller const& caller) {
    base::log::info(
        "api.operation",
        {{"method", request.method},
         {"path", request.path},
         {"token", caller.token},
         {"request", request.id}}
    );
}

base::awaitable<net::http_response> answer(
    std::shared_ptr<endpoint const> endpoint, endpoint_services services, net::http_request request
) {
    std::string authorization(request.headers.find("Authorization"));
    auto identified = co_await services.authenticator.identify(
        request.method, authorization, request.remote, endpoint->open_to
    );
    if (auto* refused = std::get_if<net::http_response>(&identified)) co_return std::move(*refused);
    auto const by = std::get<caller>(identified);
    bool const reads = endpoint->method == "GET";
    auto const use = endpoint->use.value_or(reads ? database_use::read : database_use::change);
    call let_in{request, by, services.databases.of(use), endpoint->pattern, use};
    auto answer = co_await endpoint->handle(std::move(let_in));
    bool const changed = !reads && answer.status < 300;
    if (changed && !endpoint->logs_itself) report_operation(request, by);
    if (changed && endpoint->settle) (void)co_await endpoint->settle();
    if (answer.stream.produce)
        answer.stream = services.authenticator.limited(std::move(answer.stream), by, authorization);
    co_return answer;
}

// The audit says on whose word it was done.
work in_the_name_of(caller const& caller, work operation) {
    return [actor = actor_of(caller), operation = std::move(operation)](storage::transaction& tx) {
        storage::act_as(tx, actor);
        return operation(tx);
    };
}

base::awaitable<net::http_response> answer_in_a_transaction(
    std::shared_ptr<plan const> make, call incoming
) {
    auto planned = (*make)(incoming.request, incoming.by);
    if (auto* at_once = std::get_if<net::http_response>(&planned)) co_return std::move(*at_once);
    auto operation = std::move(std::get<work>(planned));
    if (incoming.use == database_use::change)
        operation = in_the_name_of(incoming.by, std::move(operation));
    co_return co_await perform(
        incoming.db, std::move(incoming.name), std::move(operation), incoming.use
    );
}

net::http_response counted(status_counts& counts, net::http_response answer) {
    auto const hundreds = static_cast<std::size_t>(answer.status / 100);
    ++counts.at(std::min(hundreds, counts.size() - 1));
    return answer;
}

base::awaitable<net::http_response> serve(
    std::shared_ptr<endpoint const> endpoint, endpoint_services services, net::http_request request
) {
    auto response = co_await answer(std::move(endpoint), services, std::move(request));
    co_return counted(services.counts, std::move(response));
}

} // namespace

call_handler in_a_transaction(plan read) {
    auto const make = std::make_shared<plan const>(std::move(read));
    return [make](call incoming) { return answer_in_a_transaction(make, std::move(incoming)); };
}

call_handler in_a_transaction(std::function<planned(net::http_request const&)> read) {
    return in_a_transaction([read = std::move(read)](auto const& request, caller const&) {
        return read(request);
    });
}

std::vector<endpoint> described_by(std::string_view part, std::vector<endpoint> endpoints) {
    for (auto& endpoint : endpoints) endpoint.part = part;
    return endpoints;
}

net::route to_route(endpoint from, endpoint_services services) {
    auto to = std::make_shared<endpoint const>(std::move(from));
    net::route route;
    route.method = to->method;
    route.pattern = to->pattern;
    route.body_limit = to->body_limit;
    route.gate = [services](net::http_request const& head) -> net::gate_result {
        auto refused = services.authenticator.refuse_at_head(head);
        if (!refused) return net::admitted{};
        return counted(services.counts, std::move(*refused));
    };
    route.handle = [to, services](net::http_request request) {
        return serve(to, services, std::move(request));
    };
    return route;
}

base::awaitable<net::http_response> perform(
    storage::database& db, std::string name, work operation, database_use use
) {
    auto response = std::make_shared<net::http_response>();
    auto keep = [response, operation = std::move(operation)](storage::transaction& tx) {
        *response = operation(tx);
    };
    std::function<void(storage::transaction&)> kept = std::move(keep);
    auto done = co_await db.run(name, std::move(kept), database_waits.of(use));
    if (!done) co_return problem_of(done.error(), use);
    co_return std::move(*response);
}

} // namespace postrider::api
