#include "server/api/endpoint.hpp"

#include "base/log.hpp"
#include "server/api/answer_headers.hpp"
#include "server/api/problem.hpp"
#include "storage/stores/audit.hpp"
#include "storage/transact.hpp"

#include <fmt/format.h>

#include <atomic>
#include <exception>

namespace postrider::api {

namespace {

// The caller and the change: the path holds ids only. The request's id is in the answer as well.
void report_operation(net::http_request const& request, caller const& caller) {
    base::log::info(
        "api.operation",
        {{"method", request.method},
         {"path", request.path},
         {"token", caller.token},
         {"session", caller.session},
         {"request", request.id}}
    );
}

base::awaitable<net::http_response> answer(
    std::shared_ptr<endpoint const> endpoint, endpoint_services services, net::http_request request
) {
    auto identified = co_await services.authenticator.identify(request, endpoint->open_to);
    if (auto* refused = std::get_if<net::http_response>(&identified)) co_return std::move(*refused);
    auto const by = std::get<caller>(identified);
    bool const reads = endpoint->method == "GET";
    auto const use = endpoint->use.value_or(reads ? database_use::read : database_use::change);
    call let_in{
        request,
        by,
        services.databases.of(use),
        endpoint->pattern,
        use,
        &services.databases.reports};
    auto answer = co_await endpoint->handle(std::move(let_in));
    bool const changed = !reads && answer.status < 300;
    if (changed && !endpoint->logs_itself) report_operation(request, by);
    if (changed && endpoint->settle) (void)co_await endpoint->settle();
    if (answer.stream.produce)
        answer.stream = services.authenticator.limited(std::move(answer.stream), by, request);
    co_return answer;
}

// The audit says on whose word it was done.
work in_the_name_of(caller const& caller, work operation) {
    return [actor = actor_of(caller), operation = std::move(operation)](storage::transaction& tx) {
        storage::act_as(tx, actor);
        return operation(tx);
    };
}

// Notes whether a try ended in a failure of the database.
struct end_of_try {
    std::atomic<bool>& was_cut_off;
    ~end_of_try() { was_cut_off = std::uncaught_exceptions() > 0; }
};

std::string statements_last(base::duration most) {
    using std::chrono::milliseconds;
    auto const count = std::chrono::duration_cast<milliseconds>(most).count();
    return fmt::format("set local statement_timeout = '{}ms'", count);
}

// Nothing where one of its statements takes longer than a quick one may.
base::awaitable<std::optional<net::http_response>> read_quickly(
    storage::database& db, std::string name, work operation
) {
    // A storage thread may still be at it when nobody waits any more.
    auto const was_cut_off = std::make_shared<std::atomic<bool>>(false);
    auto read = [was_cut_off, operation = std::move(operation)](storage::transaction& tx) {
        end_of_try const end{*was_cut_off};
        tx.script(statements_last(database_waits.quick));
        return operation(tx);
    };
    auto response = co_await storage::transact(db, name, std::move(read), database_waits.read);
    if (response) co_return std::move(*response);
    if (response.error() == base::errc::timeout && *was_cut_off) co_return std::nullopt;
    co_return problem_of(response.error(), database_use::read);
}

// The work in a transaction of its own, and what its failure is to a client. A database that takes
// longer than database_bounds.hpp allows is answered 503.
base::awaitable<net::http_response> perform(
    storage::database& db, std::string name, work operation, database_use use
) {
    auto response =
        co_await storage::transact(db, name, std::move(operation), database_waits.of(use));
    if (!response) co_return problem_of(response.error(), use);
    co_return std::move(*response);
}

base::awaitable<net::http_response> answer_in_a_transaction(
    std::shared_ptr<plan const> make, call incoming
) {
    auto planned = (*make)(incoming.request, incoming.by);
    if (auto* at_once = std::get_if<net::http_response>(&planned)) co_return std::move(*at_once);
    auto operation = std::move(std::get<work>(planned));
    if (incoming.use == database_use::change)
        operation = in_the_name_of(incoming.by, std::move(operation));
    if (incoming.use != database_use::read)
        co_return co_await perform(incoming.db, incoming.name, std::move(operation), incoming.use);
    auto answer = co_await read_quickly(incoming.db, incoming.name, operation);
    if (answer) co_return std::move(*answer);
    co_return co_await perform(
        *incoming.reports, incoming.name, std::move(operation), database_use::report
    );
}

net::http_response finished(status_counts& counts, net::http_response answer) {
    add_protective_headers(answer);
    auto const hundreds = static_cast<std::size_t>(answer.status / 100);
    ++counts.at(std::min(hundreds, counts.size() - 1));
    return answer;
}

base::awaitable<net::http_response> serve(
    std::shared_ptr<endpoint const> endpoint, endpoint_services services, net::http_request request
) {
    auto response = co_await answer(std::move(endpoint), services, std::move(request));
    co_return finished(services.counts, std::move(response));
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

net::route to_route(endpoint described, endpoint_services services) {
    auto to = std::make_shared<endpoint const>(std::move(described));
    net::route route;
    route.method = to->method;
    route.pattern = to->pattern;
    route.body_limit = to->body_limit;
    route.gate = [services](net::http_request const& head) -> net::gate_result {
        auto refused = services.authenticator.refuse_at_head(head);
        if (!refused) return net::admitted{};
        return finished(services.counts, std::move(*refused));
    };
    route.handle = [to, services](net::http_request request) {
        return serve(to, services, std::move(request));
    };
    return route;
}

} // namespace postrider::api
