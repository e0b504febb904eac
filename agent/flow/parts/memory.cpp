#include "agent/flow/parts/memory.hpp"

namespace postrider::agent::flow {

// A node reads the first of its memories.
base::awaitable<base::result<std::shared_ptr<memory>>> connected_memory(
    node_run& run, std::size_t item
) {
    auto const parts = run.parts(item);
    auto const connected = parts->connected(ai_memory);
    if (connected.empty()) co_return std::shared_ptr<flow::memory>{};
    auto offer = co_await parts->make(ai_memory, connected.front());
    if (!offer) co_return offer.error();
    co_return std::move(offer->memory);
}

} // namespace postrider::agent::flow
