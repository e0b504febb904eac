// What the installation consists of: nodes, bots, and today's budgets.
#include "base/texts.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/page.hpp"
#include "server/api/problem.hpp"
#include "server/api/shared_readings.hpp"
#include "server/views/installation_json.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace postrider::api {

namespace {

using spending_limits = std::map<std::string, storage::spending, std::less<>>;
using bot_states = std::vector<server::bot_state>;

planned list_nodes(net::http_request const& request) {
    parameters query(request);
    auto const after = read_id_cursor(query).value_or(0);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([after, limit](storage::transaction& tx) {
        auto const page = queue::list_nodes(tx, after, limit);
        boost::json::array nodes;
        for (auto const& node : page) nodes.push_back(server::node_json(node));
        boost::json::object body{{"nodes", std::move(nodes)}};
        if (std::ssize(page) >= limit) body["next"] = std::to_string(page.back().id);
        return json_answer(200, body);
    });
}

planned list_bots(std::shared_ptr<bot_states const> states, net::http_request const& request) {
    parameters query(request);
    auto const after = query.text("cursor").value_or("");
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([states = std::move(states), after, limit](storage::transaction& tx) {
        auto const page = storage::list_bots(tx, after, limit);
        boost::json::array bots;
        for (auto const& bot : page) {
            auto const state = std::ranges::find(*states, bot.name, &server::bot_state::name);
            bots.push_back(server::bot_json(bot, state == states->end() ? nullptr : &*state));
        }
        boost::json::object body{{"bots", std::move(bots)}};
        if (std::ssize(page) >= limit) body["next"] = page.back().name;
        return json_answer(200, body);
    });
}

base::awaitable<net::http_response> answer_with_bots(
    std::shared_ptr<shared_readings> readings, call incoming
) {
    auto const states = co_await readings->bots.get();
    auto const known = states ? *states : std::make_shared<bot_states const>();
    auto const list = in_a_transaction([known](net::http_request const& request) {
        return list_bots(known, request);
    });
    co_return co_await list(std::move(incoming));
}

// "user:7" as a page named it.
std::pair<std::string, std::string> read_budget_cursor(parameters& query) {
    auto const cursor = query.text("cursor");
    if (!cursor) return {};
    auto const end = std::min(cursor->find(':'), cursor->size());
    auto scope = cursor->substr(0, end);
    auto const& scopes = agent::budget_scopes();
    if (end == cursor->size() || std::ranges::find(scopes, scope) == scopes.end())
        query.mistake(std::string(wrong_cursor));
    return {std::move(scope), cursor->substr(std::min(end + 1, cursor->size()))};
}

planned list_budgets(spending_limits const& limits, net::http_request const& request) {
    parameters query(request);
    auto const scope = query.text("scope").value_or("");
    auto const& scopes = agent::budget_scopes();
    if (!scope.empty() && std::ranges::find(scopes, scope) == scopes.end())
        query.mistake(fmt::format("scope is not one of {}", base::joined(scopes, ", ")));
    auto const after = read_budget_cursor(query);
    auto const limit = read_limit(query);
    if (auto const wrong = query.mistakes(); !wrong.empty()) return invalid(wrong);
    return work([&limits, scope, after, limit](storage::transaction& tx) {
        auto const page = storage::list_budgets(tx, scope, after, limit);
        boost::json::array budgets;
        for (auto const& budget : page) budgets.push_back(server::budget_json(budget, limits));
        boost::json::object body{{"budgets", std::move(budgets)}};
        if (std::ssize(page) >= limit) body["next"] = page.back().scope + ":" + page.back().subject;
        return json_answer(200, body);
    });
}

} // namespace

std::vector<endpoint> installation_endpoints(resources const& resources) {
    if (!resources.installed || !resources.readings) return {};
    auto bots = [readings = resources.readings](call incoming) {
        return answer_with_bots(readings, std::move(incoming));
    };
    auto budgets = [&limits =
                        resources.installed->settings.budgets](net::http_request const& request) {
        return list_budgets(limits, request);
    };
    return {
        {"GET", "/api/v1/nodes", in_a_transaction(list_nodes)},
        {"GET", "/api/v1/bots", std::move(bots)},
        {"GET", "/api/v1/budgets", in_a_transaction(budgets)}};
}

} // namespace postrider::api
