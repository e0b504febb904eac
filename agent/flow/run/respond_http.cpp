// The answer to the request that started an execution: a recorded step that the waiting request
// finds.
#include "agent/flow/nodes/actions.hpp"

namespace postrider::agent::flow {

base::awaitable<base::result<outputs>> respond_http(node_run& run) {
    auto parameters = co_await run.parameters();
    if (!parameters) co_return parameters.error();
    boost::json::value const answer = std::move(*parameters);
    (void)co_await run.steps().run("respond", {}, [&] { return queue::give(answer); });
    outputs output;
    output.emplace("main", run.input());
    co_return output;
}

} // namespace postrider::agent::flow
