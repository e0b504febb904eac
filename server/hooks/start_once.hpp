#pragma once
// One commit: the execution, and the key under which its request may come again.
#include "agent/flow/definition.hpp"
#include "agent/flow/execution_input.hpp"
#include "storage/stores/request_keys.hpp"

#include <optional>
#include <string>

namespace postrider::hooks {

struct wanted_execution {
    agent::flow::execution_input input;
    agent::flow::settings how;
    std::string lane_key;
    std::optional<storage::request_key> key = {};
};

struct started_execution {
    job_id job{};
    bool is_new = true;
    bool other_request = false; // had the key: nothing was started
};

// Failures as in storage/database.hpp.
base::awaitable<base::result<started_execution>> start_once(
    storage::database& db, wanted_execution what
);

} // namespace postrider::hooks
