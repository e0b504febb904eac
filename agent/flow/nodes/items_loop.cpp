#include "agent/flow/node_type.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

base::awaitable<base::result<outputs>> loop_over_items(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const batch_size = static_cast<std::size_t>(parameters->at("batch_size").get_int64());
    auto const input = run.input();
    items collected;
    for (std::size_t at = 0; at < input.size(); at += batch_size) {
        auto const begin = input.begin() + static_cast<std::ptrdiff_t>(at);
        auto const count = std::min(batch_size, input.size() - at);
        items batch(begin, begin + static_cast<std::ptrdiff_t>(count));
        auto came_back = co_await run.run_round(std::move(batch));
        if (!came_back) co_return came_back.error();
        std::ranges::move((*came_back)["next"], std::back_inserter(collected));
        if (collected.size() > most_items) break; // is refused as an output
    }
    outputs output;
    output.emplace("done", std::move(collected));
    co_return output;
}

} // namespace

behaviour items_loop_behaviour() {
    return durable{loop_over_items};
}

} // namespace postrider::agent::flow
