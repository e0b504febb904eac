#pragma once
// What the nodes of data tables have in common: where their table is, and its bounds.
#include "agent/flow/node_run.hpp"
#include "base/backoff.hpp"
#include "storage/stores/flow_data.hpp"

#include <vector>

namespace postrider::agent::flow {

// Of all tables of a flow together.
inline constexpr std::int64_t most_data_rows = 10'000;
inline constexpr std::int64_t most_data_bytes = 16 << 20;
inline constexpr std::int64_t most_value_bytes = 64 << 10;
// That one step reads.
inline constexpr std::int64_t most_read_bytes = 1 << 20;

// The parameters of each item, in their order.
base::awaitable<base::result<std::vector<boost::json::object>>> parameters_of_items(node_run& run);

storage::flow_table data_table_of(node_run& run, boost::json::object const& parameters);
std::string data_text(boost::json::object const& parameters, std::string_view name);

// Of the steps that ask the database.
base::retry_policy data_tries(node_run const& run);

// The items pass, and the rows are committed with the step of that name: at most once, whatever runs again.
// Before, `check` says whether they may be; what it says is recorded. A silent execution writes nothing.
base::awaitable<base::result<outputs>> write_data(
    node_run& run, std::string step, std::vector<storage::write> rows, queue::step_function check
);

} // namespace postrider::agent::flow
