#pragma once
// One commit: the execution, and the key under which its request may come again.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/start/execution_input.hpp"
#include "agent/flow/start/execution_intake.hpp"
#include "storage/stores/request_keys.hpp"

#include <optional>
#include <string>

namespace postrider::hooks {

struct new_execution {
    agent::flow::execution_input input;
    storage::lane_row lane;
    std::optional<std::chrono::milliseconds> deadline; // of the execution
    std::optional<storage::request_key> key = {};
};

struct started_execution {
    job_id job{};
    bool is_new = true;
    bool other_request = false; // had the key: nothing was started
};

// Failures as of execution_intake::begin.
base::awaitable<base::result<started_execution>> start_once(
    agent::flow::execution_intake& executions, new_execution execution, base::steady_time until
);

} // namespace postrider::hooks
