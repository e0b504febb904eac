#include "agent/flow/nodes/data_tables.hpp"

#include "agent/describe/bounds.hpp"

namespace postrider::agent::flow {

base::awaitable<base::result<std::vector<boost::json::object>>> parameters_of_items(node_run& run) {
    std::vector<boost::json::object> all;
    for (std::size_t item = 0; item < run.input().size(); ++item) {
        auto parameters = co_await run.parameters(item);
        if (!parameters) co_return parameters.error();
        all.push_back(std::move(*parameters));
    }
    co_return all;
}

storage::flow_table data_table_of(node_run& run, boost::json::object const& parameters) {
    return {.flow = run.started_by().flow, .name = data_text(parameters, "table")};
}

std::string data_text(boost::json::object const& parameters, std::string_view name) {
    return std::string(parameters.at(name).get_string());
}

base::retry_policy data_tries(node_run const& run) {
    using namespace std::chrono_literals;
    return run.retry({.limit = 3, .delay = 1s, .timeout = bounds::longest_read + 1s});
}

base::awaitable<base::result<outputs>> write_data(
    node_run& run, std::string step, std::vector<storage::write> rows, queue::step_function check
) {
    auto& steps = run.steps();
    if (run.started_by().silent) {
        steps.skip_unasked(); // a fork may have the record of what was written
    } else {
        bool const was_written = steps.recorded(step);
        if (!was_written && steps.is_read_only()) throw queue::suspended{}; // here the record ends
        auto const allowed = co_await steps.try_step(step, data_tries(run), std::move(check));
        if (!allowed) co_return allowed.error();
        if (!was_written) {
            for (auto& row : rows) steps.add(std::move(row));
            co_await run.commit({});
        }
    }
    outputs output;
    output.emplace("main", run.input());
    co_return output;
}

} // namespace postrider::agent::flow
