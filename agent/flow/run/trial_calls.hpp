#pragma once
// The calls of an agent's past turn, as the input of a trial has them (execution_input.hpp). Pure.
#include "agent/flow/execution_input.hpp"
#include "queue/workflow.hpp"

#include <string_view>

namespace postrider::agent::flow {

// What a model reads of a call that a trial does not run.
inline constexpr std::string_view not_in_trial =
    "Not run: this is a trial of a past turn, which had no such call. In a trial only calls run "
    "that change nothing.";

struct recorded_call {
    std::string tool;
    boost::json::value arguments;
    queue::step_value result; // of its step
};

boost::json::object to_json(recorded_call const& call);

// The first with this tool and these arguments. Null: there is none.
boost::json::value const* find_call(
    trial const& trial, std::string_view tool, boost::json::value const& arguments
);
// Of an entry of the trial's calls.
queue::step_value outcome_of(boost::json::value const& recorded);

} // namespace postrider::agent::flow
