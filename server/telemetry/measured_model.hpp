#pragma once
// A model whose calls are counted: how long they take, how they end, what they use and cost. Under the
// model's own name, as it is asked for. On the executor's thread.
#include "agent/models/model.hpp"
#include "base/clock.hpp"
#include "base/measures.hpp"

#include <array>
#include <cstdint>
#include <memory>

namespace postrider::telemetry {

// As OpenTelemetry advises for gen_ai.client.token.usage.
inline constexpr std::array token_bounds{
    1.0,
    4.0,
    16.0,
    64.0,
    256.0,
    1024.0,
    4096.0,
    16384.0,
    65536.0,
    262144.0,
    1048576.0,
    4194304.0,
    16777216.0,
    67108864.0};

struct model_totals {
    std::int64_t cost_micro = 0; // millionths of a dollar
    std::int64_t cached = 0;     // tokens of the input that came from the provider's cache
};

// By the model's name, "anthropic/claude-haiku-4-5". Flows may ask for any model.
struct model_measures {
    static constexpr std::string_view input = "input";
    static constexpr std::string_view output = "output";

    base::durations calls{base::call_bounds};
    base::series<base::histogram> tokens{base::histogram(token_bounds)}; // of a call: input, output
    base::series<model_totals> totals{model_totals{}};
};

// The same model. Measures and clock outlive it.
std::unique_ptr<agent::model> measured(
    std::unique_ptr<agent::model> model,
    agent::token_prices prices,
    model_measures& measures,
    base::clock& clock
);

} // namespace postrider::telemetry
