#pragma once
// Starting an execution inside somebody else's transaction: it becomes true together with its
// cause.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/start/execution_input.hpp"
#include "queue/store/enqueue.hpp"
#include "storage/stores/lanes.hpp"

#include <string_view>

namespace postrider::agent::flow {

// How the flow wants its lanes to take what arrives.
storage::lane_manner manner_of(settings const& settings);

// In the lane of the key, which is made when there is none and told how it takes what arrives;
// settings.timeout is the job's deadline. Other nodes hear of it when the transaction commits. For
// kind see execution_input.hpp.
queue::enqueued enqueue_execution(
    storage::transaction& tx,
    std::string_view kind,
    execution_input const& input,
    settings const& settings,
    std::string_view lane_key
);

} // namespace postrider::agent::flow
