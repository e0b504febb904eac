#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/data_tables.hpp"

namespace postrider::agent::flow {

namespace {

base::awaitable<base::result<outputs>> delete_data(node_run& run) {
    auto const parameters = co_await parameters_of_items(run);
    if (!parameters) co_return parameters.error();
    std::vector<storage::write> rows;
    for (auto const& values : *parameters)
        rows.push_back(
            storage::delete_flow_data(data_table_of(run, values), data_text(values, "key"))
        );
    queue::step_function const check = [] { return queue::give(boost::json::value(true)); };
    co_return co_await write_data(run, "delete", std::move(rows), check);
}

} // namespace

behaviour data_delete_behaviour() {
    return durable{delete_data};
}

} // namespace postrider::agent::flow
