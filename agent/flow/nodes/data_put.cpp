#include "agent/describe/bounds.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/data_tables.hpp"
#include "agent/flow/parts/services.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

// Others that write at the same time may be beyond the bound with what they write.
base::awaitable<queue::step_value> check_room(node_run& run, storage::flow_data_size more) {
    auto const size = co_await storage::measure_flow_data(
        run.services().reads, run.started_by().flow, bounds::longest_read
    );
    if (!size) co_return size.error();
    if (size->rows + more.rows > most_data_rows || size->bytes + more.bytes > most_data_bytes)
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
    storage::flow_data_size more;
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
        rows.push_back(storage::put_flow_data(
            data_table_of(run, values), row, heard ? heard->user : user_id{}, keep
        ));
        ++more.rows;
        more.bytes += bytes;
    }
    queue::step_function const check = [&run, more] { return check_room(run, more); };
    co_return co_await write_data(run, "put", std::move(rows), check);
}

} // namespace

behaviour data_put_behaviour() {
    return durable{put_data};
}

} // namespace postrider::agent::flow
