#include "agent/flow/node_type.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::flow {

namespace {

base::awaitable<base::result<outputs>> repeat_items(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const most_rounds = parameters->at("max_rounds").get_int64();
    items batch = run.input();
    items finished;
    for (std::int64_t round = 0; round < most_rounds && !batch.empty(); ++round) {
        auto came_back = co_await run.run_round(std::move(batch));
        if (!came_back) co_return came_back.error();
        batch = std::move((*came_back)["again"]);
        if (batch.size() > most_items)
            co_return base::error(
                base::errc::too_large, fmt::format("more than {} items in one round", most_items)
            );
        std::ranges::move((*came_back)["finished"], std::back_inserter(finished));
        if (finished.size() > most_items) break; // is refused as an output
    }
    if (!batch.empty() && parameters->at("at_limit") == "fail")
        co_return base::error(
            base::errc::too_large, fmt::format("items still come back after round {}", most_rounds)
        );
    outputs output;
    output.emplace("done", std::move(finished));
    output.emplace("limit", std::move(batch));
    co_return output;
}

} // namespace

behaviour items_repeat_behaviour() {
    return durable{repeat_items};
}

} // namespace postrider::agent::flow
