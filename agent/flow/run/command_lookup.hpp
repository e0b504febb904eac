#pragma once
// What a command looks up of the person who sends it, and changes: usage, approvals, settings. Each is one
// recorded step, so that every run says the same, and what changes is committed with it.
#include "agent/flow/execution_input.hpp"
#include "agent/flow/parts/services.hpp"
#include "agent/language/command.hpp"
#include "queue/workflow.hpp"

#include <boost/json/value.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace postrider::agent::flow {

std::string_view step_of(lookup subject) noexcept;

// {"text"}; of settings that change also {"timezone"} or {"language"}, of documents that are taken also
// {"documents"}. The input is one with a message.
base::awaitable<queue::step_value> look_up(
    lookup subject,
    queue::job const& job,
    execution_input const& input,
    node_services const& services
);

// Of what was looked up. A record of before has the text alone.
std::string looked_up_text(boost::json::value const& value);
std::vector<storage::write> changes_in(boost::json::value const& value, user_id user);

// In which the person is told.
base::awaitable<std::string> language_of_answer(
    execution_input const& input, queue::job const& job, node_services const& services
);

} // namespace postrider::agent::flow
