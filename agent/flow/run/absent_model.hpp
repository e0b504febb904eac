#pragma once
// Stands for a model that an earlier run of the job has asked and that cannot be had any more: what the
// record has of it is replayed, and whoever asks it anew is told that it is gone. Private to the agent node.
#include "agent/flow/node_run.hpp"

namespace postrider::agent::flow {

model_part absent_model() noexcept;

} // namespace postrider::agent::flow
