#include "agent/expression/values.hpp"
#include "agent/flow/node_type.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

using item_order = std::vector<std::size_t>;

bool is_descending(json::value const& rule) {
    auto const* flag = rule.get_object().if_contains("descending");
    return flag && flag->get_bool();
}

// Sorts by one rule; equal items keep their order, also where the largest value comes first.
base::result<void> sort_by_rule(
    item_order& order, std::vector<json::object> const& parameters, std::size_t rule
) {
    auto const value_of = [&](std::size_t item) {
        return &parameters[item].at("by").get_array()[rule].at("value");
    };
    auto const values_end = std::stable_partition(order.begin(), order.end(), [&](auto item) {
        return !value_of(item)->is_null();
    });
    item_order const missing(values_end, order.end());
    order.erase(values_end, order.end());
    bool const descending = is_descending(parameters.front().at("by").get_array()[rule]);
    if (descending) std::ranges::reverse(order);
    std::vector<json::value const*> values;
    for (auto item : order) values.push_back(value_of(item));
    item_order sorted;
    if (!values.empty()) {
        expressions::budget budget(expression_limits{});
        auto const positions = expressions::sorted_order(values, budget);
        if (!positions)
            return base::error(
                base::errc::invalid, fmt::format("/by/{}: {}", rule, positions.error().reason)
            );
        for (auto position : *positions) sorted.push_back(order[position]);
    }
    if (descending) std::ranges::reverse(sorted);
    order = std::move(sorted);
    order.insert(order.end(), missing.begin(), missing.end());
    return {};
}

base::awaitable<base::result<outputs>> sort_items(node_run& run) {
    std::vector<json::object> parameters;
    for (std::size_t at = 0; at < run.input().size(); ++at) {
        auto evaluated = co_await run.parameters(at);
        if (!evaluated) co_return evaluated.error();
        if (evaluated->at("by").get_array().size() !=
            (at == 0 ? *evaluated : parameters.front()).at("by").get_array().size())
            co_return base::error(base::errc::invalid, "/by has as many values for each item");
        parameters.push_back(std::move(*evaluated));
    }
    item_order order(run.input().size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    auto rule = parameters.empty() ? 0 : parameters.front().at("by").get_array().size();
    while (rule-- > 0) {
        auto const sorted = sort_by_rule(order, parameters, rule);
        if (!sorted) co_return sorted.error();
    }
    outputs output;
    for (auto item : order) output["main"].push_back(run.input()[item]);
    co_return output;
}

} // namespace

behaviour items_sort_behaviour() {
    return durable{sort_items};
}

} // namespace postrider::agent::flow
