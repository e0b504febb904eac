#pragma once
// The models that hang on an agent.
#include "agent/describe/bounds.hpp"
#include "agent/flow/node_run.hpp"
#include "agent/models/model.hpp"
#include "agent/models/streaming.hpp"

#include <optional>
#include <string>
#include <vector>

namespace postrider::agent::flow {

struct model_part {
    agent::model* model = nullptr; // outlives the execution
    int max_tokens = 4096;
    std::optional<double> temperature = {};
    streaming stream = streaming::watched;
    token_prices prices = {}; // in the currency of the configuration
    std::chrono::milliseconds timeout = bounds::model_timeout.usual; // of one call
    // Names in queue/limits/limits.hpp; "" = none: whose breaker the model's failures open, and what
    // its calls count against.
    std::string breaker = {};
    std::string rate = {};
    // As it was selected, for a job that asks it later.
    std::string credential = {};
    std::string provider = {};
    std::string selected = {}; // by its own name; "" = the entry's
};
// Of one node, in the order in which they are asked; never empty. An error: that one cannot be made.
struct models_part {
    std::vector<base::result<model_part>> in_order;
};
inline constexpr part_kind_of<models_part> ai_model{{"ai_model", "model", 1}};

// One of an agent's models, and the step that asks it.
struct model_choice {
    model_part part;
    std::string step;
};

// In their order, without those that cannot be made. An error: none is left. What the record of an earlier run
// names stays in its place.
base::awaitable<base::result<std::vector<model_choice>>> connected_models(
    node_run& run, std::size_t item
);

} // namespace postrider::agent::flow
