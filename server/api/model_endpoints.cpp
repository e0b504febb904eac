// The models that the configuration can reach, and a trial of one.
#include "agent/flow/budgets.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/views/person_calls.hpp"
#include "storage/stores/audit.hpp"
#include "storage/transact.hpp"

namespace postrider::api {

namespace {

base::awaitable<net::http_response> list_models(server::model_directory& models) {
    auto const list = co_await models.read();
    co_return json_answer(200, server::to_json(*list));
}

struct model_desk {
    server::model_directory& models;
    server::spending_by_scope const& limits;
    base::random_source& random;
};

// Nothing: it is reserved, or no budget is configured. The audit says who asks, before the provider hears of it.
base::awaitable<std::optional<net::http_response>> begin_trial(
    call const& incoming,
    std::string entry,
    std::vector<storage::budget> budgets,
    storage::reservation_key key,
    storage::spending most
) {
    auto reserve = [key,
                    most,
                    actor = actor_of(incoming.by),
                    entry = std::move(entry),
                    budgets = std::move(budgets)](storage::transaction& tx) {
        constexpr std::chrono::seconds until_settled{60};
        auto const lasts = server::longest_trial + until_settled;
        std::optional<storage::empty_budget> empty;
        if (!budgets.empty()) empty = storage::reserve(tx, key, budgets, most, lasts);
        if (empty) return empty;
        storage::act_as(tx, actor);
        storage::audit_operation(tx, "model_test", {}, "model:" + entry, {{"outcome", "begun"}});
        return empty;
    };
    auto const empty = co_await storage::transact(
        incoming.db, incoming.name, std::move(reserve), database_waits.change
    );
    if (!empty) co_return problem_of(empty.error(), database_use::change);
    if (!*empty) co_return std::nullopt;
    co_return net::http_response::problem(409, "budget", agent::refusal(**empty).detail);
}

// What it paid is spent, and the audit says how it went.
std::function<void(storage::transaction&)> settling(
    std::string actor,
    std::string entry,
    server::model_trial const& trial,
    storage::reservation_key key
) {
    auto const tokens = trial.usage.input + trial.usage.output;
    storage::spending const paid{1, tokens, trial.cost_micro};
    bool const is_answered = !trial.failure;
    return [=](storage::transaction& tx) {
        storage::act_as(tx, actor);
        storage::settle(tx, key, is_answered ? paid : storage::spending{});
        storage::audit_operation(
            tx,
            "model_test",
            {},
            "model:" + entry,
            {{"outcome", is_answered ? "done" : "failed"}, {"tokens", tokens}}
        );
    };
}

base::awaitable<net::http_response> test_model(model_desk desk, call incoming) {
    parameters query(incoming.request);
    members body(incoming.request);
    auto const entry = path_text(incoming.request, "entry", query);
    if (auto const wrong = mistakes_of(query, body); !wrong.empty()) co_return invalid(wrong);
    if (!desk.models.has(entry))
        co_return net::http_response::problem(
            404, "not_found", "there is no [models." + entry + "]"
        );
    auto const key = server::fresh_reservation(desk.random);
    auto budgets = server::budgets_of_person(desk.limits, incoming.by.user);
    auto const most = desk.models.most_of_trial(entry);
    auto refused = co_await begin_trial(incoming, entry, std::move(budgets), key, most);
    if (refused) co_return std::move(*refused);
    auto const trial = co_await desk.models.try_out(entry);
    auto settle = settling(actor_of(incoming.by), entry, trial, key);
    auto const settled =
        co_await incoming.db.run(incoming.name, std::move(settle), database_waits.change);
    if (!settled) co_return problem_of(settled.error(), database_use::change);
    co_return json_answer(200, server::to_json(entry, trial));
}

} // namespace

std::vector<endpoint> model_endpoints(resources const& resources) {
    if (!resources.models) return {};
    std::vector<endpoint> endpoints{
        {"GET", "/api/v1/models", [&models = *resources.models](call const&) {
             return list_models(models);
         }}};
    if (!resources.installed) return endpoints;
    model_desk const desk{
        *resources.models, resources.installed->settings.budgets, resources.random};
    endpoints.push_back({"POST", "/api/v1/models/{entry}/test", [desk](call incoming) {
                             return test_model(desk, std::move(incoming));
                         }});
    return endpoints;
}

} // namespace postrider::api
