#pragma once
// The data tables of flows: keys and values that outlast an execution. Each flow has its own tables, by
// name. Rows are written inside other rooms' commits and read in batches. A row that has expired is not
// there.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/object.hpp>

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::storage {

struct flow_table {
    std::string flow;
    std::string name;
};

struct flow_data_row {
    std::string key;
    boost::json::value value;
    std::string changed_at = {}; // ISO 8601 in UTC; only read
};

// The last value of a key stands. `user`: whose message is answered, or nobody's (0). `keep`: how long it
// stays; nothing = until it is deleted. Order 72; returns no row.
write put_flow_data(
    flow_table const& table,
    flow_data_row const& row,
    user_id user,
    std::optional<std::chrono::milliseconds> keep
);
// Order 73; returns no row.
write delete_flow_data(flow_table const& table, std::string_view key);

// What a key and its value count.
std::int64_t flow_data_bytes(flow_data_row const& row);

struct flow_data_size {
    std::int64_t rows = 0;
    std::int64_t bytes = 0;
};
// Of a row, within its flow.
struct flow_key {
    std::string table;
    std::string key;

    auto operator<=>(flow_key const&) const = default;
};

// Of all tables of the flow together, expired rows included, but for those of the keys that are to be
// `replaced`. This and what follows fails as batcher::commit().
base::awaitable<base::result<flow_data_size>> measure_flow_data(
    batcher& reads,
    std::string_view flow,
    std::set<flow_key> const& replaced,
    base::duration deadline
);

// By key, in their order; nothing where there is no row.
using flow_values = std::vector<std::optional<boost::json::value>>;
// In one round trip. too_large: their rows have more bytes together.
base::awaitable<base::result<flow_values>> read_flow_data(
    batcher& reads,
    std::string_view flow,
    std::vector<flow_key> const& keys,
    std::int64_t most_bytes,
    base::duration deadline
);

// Rows behind the key `after`, by key; those whose value has all members of `where`, with these values. At
// most `limit` of them, and no more than so many bytes, but at least one.
base::awaitable<base::result<std::vector<flow_data_row>>> list_flow_data(
    batcher& reads,
    flow_table const& table,
    boost::json::object const& where,
    std::string_view after,
    std::int64_t limit,
    std::int64_t bytes,
    base::duration deadline
);

} // namespace postrider::storage
