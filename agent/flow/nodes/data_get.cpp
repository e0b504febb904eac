#include "agent/describe/bounds.hpp"
#include "agent/flow/nodes/data_tables.hpp"
#include "agent/flow/nodes/field_of_item.hpp"
#include "agent/flow/parts/services.hpp"

#include <boost/json/array.hpp>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// [value] of each item, or [] where there is none.
base::awaitable<queue::step_value> read_all_data(
    node_run& run, std::vector<json::object> const& parameters
) {
    std::vector<storage::flow_key> keys;
    for (auto const& values : parameters)
        keys.push_back({data_text(values, "table"), data_text(values, "key")});
    auto values = co_await storage::read_flow_data(
        run.services().reads, run.started_by().flow, keys, most_read_bytes, bounds::longest_read
    );
    if (!values && values.error() == base::errc::too_large)
        co_return base::error(base::errc::too_large, "the values are more than 1 MiB together");
    if (!values) co_return values.error();
    json::array found;
    for (auto& value : *values)
        found.push_back(value ? json::array{std::move(*value)} : json::array());
    co_return json::value(std::move(found));
}

base::awaitable<base::result<outputs>> get_data(node_run& run) {
    auto const parameters = co_await parameters_of_items(run);
    if (!parameters) co_return parameters.error();
    auto const work = [&] { return read_all_data(run, *parameters); };
    auto const found = co_await run.steps().try_step("get", data_tries(run), work);
    if (!found) co_return found.error();
    outputs output;
    for (std::size_t item = 0; item < run.input().size(); ++item) {
        auto const& value = found->as_array().at(item).as_array();
        auto fields = with_field(
            run.input()[item],
            data_text((*parameters)[item], "field"),
            value.empty() ? json::value() : value.front()
        );
        output[value.empty() ? "missing" : "main"].push_back({std::move(fields)});
    }
    co_return output;
}

} // namespace

behaviour data_get_behaviour() {
    return durable{get_data};
}

} // namespace postrider::agent::flow
