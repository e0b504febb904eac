#pragma once
// Plans a trial: a past turn of an agent again, with another model or system prompt (flow::trial). Pure.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/watch/agent_record.hpp"

#include <optional>
#include <string>

namespace postrider::agent::flow {

struct trial_request {
    std::string node = {};                 // the agent's name or id; "" = the only one that ran
    std::optional<std::string> model = {}; // a NAME of [models.NAME]
    std::optional<std::string> system_prompt = {};
};

struct trial_plan {
    std::string from_step;       // the record before it is kept
    boost::json::object input;   // members that take the place of the original's
    boost::json::value document; // among them: the flow with the change
};

// not_found: no such agent ran. invalid: nothing is to be changed, or several agents ran; the detail names them.
base::result<trial_plan> plan_trial(
    definition const& flow, queue::recording const& record, trial_request const& request
);

} // namespace postrider::agent::flow
