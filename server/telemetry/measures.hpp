#pragma once
// What this process measures of its agents and of what they need, for /metrics. Each part counts its
// own; the composition root gives them out. On the executor's thread.
#include "agent/flow/parts/services.hpp"
#include "queue/engine_measures.hpp"
#include "server/telemetry/measured_model.hpp"

namespace postrider::telemetry {

struct measures {
    queue::engine_measures engine;
    agent::flow::tool_measures tools;
    model_measures models;
    base::durations bots{base::call_bounds}; // their requests to Telegram, by the Bot API's method
};

} // namespace postrider::telemetry
