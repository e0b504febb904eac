#pragma once
// One commit: an execution, the key under which its request may come again, and the count of the
// messages of the person who sends it.
#include "agent/flow/start/execution_intake.hpp"
#include "storage/stores/message_counts.hpp"
#include "storage/stores/request_keys.hpp"

#include <optional>

namespace postrider::agent::flow {

// So many messages a minute are taken of a person.
struct message_quota {
    user_id user{};
    int most = 0;
};

// Without any of them every request starts an execution.
struct start_conditions {
    std::optional<storage::request_key> key = {};
    std::optional<message_quota> quota =
        {}; // a request under a key that was answered counts no more
};

struct started_execution {
    job_id job{};
    bool is_new = true;
    bool other_request = false; // had the key: nothing was started
    // The message is beyond its quota: nothing was started, and the key is free as before.
    std::optional<storage::message_count> beyond = {};
};

// Failures as of execution_intake::begin.
base::awaitable<base::result<started_execution>> start_once(
    execution_intake& executions,
    execution_start start,
    start_conditions conditions,
    base::steady_time until
);

} // namespace postrider::agent::flow
