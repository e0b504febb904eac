#pragma once
// What an agent did in an execution, by its record: for trials of a past turn, and to compare these with it. An
// agent within a loop or a called flow has none. Pure.
#include "agent/flow/run/trial_calls.hpp"
#include "queue/admin/replay_workflow.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

struct agent_record {
    std::string first_step; // its key
    std::string model;      // that replied last; "" = none did
    std::string text;       // of the last reply
    std::vector<recorded_call> calls = {};
    queue::model_payment paid = {};          // by all tries
    std::optional<base::error> failure = {}; // of the last try, where no reply followed
};

// Nothing: the record has no step of a model for the node.
std::optional<agent_record> read_agent_record(
    queue::job_details const& record, std::string_view node_id
);

} // namespace postrider::agent::flow
