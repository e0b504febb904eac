#include "agent/flow/parts/memory.hpp"

namespace postrider::agent::flow {

// A node reads the first of its memories.
base::awaitable<base::result<memory_part>> connected_memory(node_run& run, std::size_t item) {
    auto const parts = run.parts(item);
    auto const connected = parts->connected(ai_memory);
    if (connected.empty()) co_return memory_part{};
    co_return co_await parts->make(ai_memory, connected.front());
}

} // namespace postrider::agent::flow
