#include "agent/flow/node_type.hpp"
#include "agent/flow/parts/memory.hpp"
#include "agent/talk/degradation.hpp"

#include <fmt/format.h>

namespace postrider::agent::flow {

namespace {

// Committed at once: what runs behind it reads memory. The mark, which stands with the deletion,
// keeps a later run of the job from forgetting what came after.
base::awaitable<base::result<void>> clear_one(node_run& run, std::size_t item) {
    auto const part = co_await connected_memory(run, item);
    if (!part) co_return part.error();
    if (!part->memory) co_return base::error(base::errc::not_found, "no memory is connected");
    auto const name = fmt::format("clear:{}", item);
    bool const was_cleared = run.steps().recorded(name);
    queue::step_value const mark = boost::json::value(true);
    (void)co_await run.steps().record_value(name, mark);
    if (part->site == memory_site::outside) {
        auto const position = run.position(static_cast<int>(item));
        auto const forgotten = co_await part->memory->forget(position, run.steps());
        if (!forgotten)
            run.degrade(degradation_of(degraded_by::memory_degraded, forgotten.error()));
    }
    if (was_cleared) co_return base::result<void>{};
    for (auto& row : part->memory->clear()) run.steps().add(std::move(row));
    co_await run.commit({});
    co_return base::result<void>{};
}

base::awaitable<base::result<outputs>> clear_memory(node_run& run) {
    for (std::size_t item = 0; item < run.input().size(); ++item) {
        auto const cleared = co_await clear_one(run, item);
        if (!cleared) co_return cleared.error();
    }
    outputs output;
    output.emplace("main", run.input());
    co_return output;
}

} // namespace

behaviour memory_clear_behaviour() {
    return durable{clear_memory};
}

} // namespace postrider::agent::flow
