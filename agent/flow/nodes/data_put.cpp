#include "agent/describe/bounds.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/data_tables.hpp"
#include "agent/flow/parts/services.hpp"

#include <fmt/format.h>

#include <iterator>
#include <map>
#include <set>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Bytes by row: the last value of a key stands.
using put_rows = std::map<storage::flow_key, std::int64_t>;

// Others that write at the same time may be beyond the bound with what they write.
base::awaitable<queue::step_value> check_room(node_run& run, put_rows puts) {
    std::set<storage::flow_key> replaced;
    for (auto const& put : puts) replaced.insert(put.first);
    auto size = co_await storage::measure_flow_data(
        run.services().reads, run.started_by().flow, replaced, bounds::longest_read
    );
    if (!size) co_return size.error();
    size->rows += std::ssize(puts);
    for (auto const& put : puts) size->bytes += put.second;
    if (size->rows > most_data_rows || size->bytes > most_data_bytes)
        co_return base::error(
            base::errc::too_large,
            fmt::format(
                "the tables of a flow hold at most {} rows and {} MiB: delete some, or set keep",
                most_data_rows,
                most_data_bytes >> 20
            )
        );
    co_return json::value(true);
}

base::awaitable<base::result<outputs>> put_data(node_run& run) {
    auto const parameters = co_await parameters_of_items(run);
    if (!parameters) co_return parameters.error();
    std::vector<storage::write> rows;
    put_rows puts;
    auto const& heard = run.started_by().heard;
    for (auto const& values : *parameters) {
        storage::flow_data_row const row{
            .key = data_text(values, "key"), .value = values.at("value")};
        auto const bytes = storage::flow_data_bytes(row);
        if (bytes > most_value_bytes)
            co_return base::error(
                base::errc::too_large,
                fmt::format("a value has at most {} KiB", most_value_bytes >> 10)
            );
        std::optional<std::chrono::milliseconds> keep;
        if (values.contains("keep"))
            keep = std::chrono::duration_cast<std::chrono::milliseconds>(
                base::duration_from_text(data_text(values, "keep")).value()
            );
        auto const table = data_table_of(run, values);
        puts.insert_or_assign({table.name, row.key}, bytes);
        rows.push_back(storage::put_flow_data(table, row, heard ? heard->user : user_id{}, keep));
    }
    queue::step_function const check = [&run, puts = std::move(puts)] {
        return check_room(run, puts);
    };
    co_return co_await write_data(run, "put", std::move(rows), check);
}

} // namespace

behaviour data_put_behaviour() {
    return durable{put_data};
}

} // namespace postrider::agent::flow
