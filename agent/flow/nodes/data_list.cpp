#include "agent/describe/bounds.hpp"
#include "agent/flow/node_type.hpp"
#include "agent/flow/nodes/data_tables.hpp"
#include "agent/flow/parts/services.hpp"

#include <boost/json/array.hpp>
#include <fmt/format.h>

namespace postrider::agent::flow {

namespace json = boost::json;

namespace {

base::awaitable<queue::step_value> read_page_of_data(node_run& run, json::object const& values) {
    auto const table = data_table_of(run, values);
    auto rows = co_await storage::list_flow_data(
        run.services().reads,
        table,
        values.at("where").get_object(),
        data_text(values, "after"),
        values.at("limit").to_number<std::int64_t>(),
        most_read_bytes,
        bounds::longest_read
    );
    if (!rows) co_return rows.error();
    json::array page;
    for (auto& row : *rows)
        page.push_back(json::object{
            {"key", row.key}, {"value", std::move(row.value)}, {"changed_at", row.changed_at}});
    co_return json::value(std::move(page));
}

base::awaitable<base::result<outputs>> list_data(node_run& run) {
    auto const parameters = co_await parameters_of_items(run);
    if (!parameters) co_return parameters.error();
    items listed;
    std::int64_t bytes = 0;
    for (auto const& values : *parameters) {
        if (listed.size() > most_items || bytes > most_read_bytes)
            co_return base::error(
                base::errc::too_large,
                fmt::format("the pages have more than {} rows or 1 MiB together", most_items)
            );
        auto const work = [&] { return read_page_of_data(run, values); };
        auto const page = co_await run.steps().try_step("list", data_tries(run), work);
        if (!page) co_return page.error();
        for (auto const& row : page->as_array()) {
            bytes += storage::flow_data_bytes(
                {.key = std::string(row.at("key").get_string()), .value = row.at("value")}
            );
            listed.push_back({row});
        }
    }
    outputs output;
    output.emplace("main", std::move(listed));
    co_return output;
}

} // namespace

behaviour data_list_behaviour() {
    return durable{list_data};
}

} // namespace postrider::agent::flow
