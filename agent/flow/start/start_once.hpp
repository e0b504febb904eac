#pragma once
// One commit: an execution, and the key under which its request may come again.
#include "agent/flow/start/execution_intake.hpp"
#include "storage/stores/request_keys.hpp"

#include <optional>

namespace postrider::agent::flow {

struct started_execution {
    job_id job{};
    bool is_new = true;
    bool other_request = false; // had the key: nothing was started
};

// Without a key every request starts one. Failures as of execution_intake::begin.
base::awaitable<base::result<started_execution>> start_once(
    execution_intake& executions,
    execution_start start,
    std::optional<storage::request_key> key,
    base::steady_time until
);

} // namespace postrider::agent::flow
