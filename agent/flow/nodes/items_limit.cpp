#include "agent/flow/node_type.hpp"

#include <algorithm>

namespace postrider::agent::flow {

namespace {

base::awaitable<base::result<outputs>> limit_items(node_run& run) {
    auto const parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    auto const& input = run.input();
    auto const count = static_cast<std::size_t>(parameters->at("count").get_int64());
    auto const dropped = static_cast<std::ptrdiff_t>(input.size() - std::min(count, input.size()));
    bool const keeps_last = parameters->at("keep") == "last";
    outputs output;
    output.emplace(
        "main",
        keeps_last ? items(input.begin() + dropped, input.end())
                   : items(input.begin(), input.end() - dropped)
    );
    co_return output;
}

} // namespace

behaviour items_limit_behaviour() {
    return durable{limit_items};
}

} // namespace postrider::agent::flow
