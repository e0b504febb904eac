#pragma once
// Triggers of different flows that would take the same messages: of two, one is not
// started. Pure. Who publishes one of them is told.
#include "agent/flow/document/definition.hpp"
#include "agent/flow/document/problem.hpp"
#include "agent/flow/trigger.hpp"

#include <span>
#include <string>
#include <vector>

namespace postrider::agent::flow {

// Warnings `rivalled_trigger` at the triggers of `flow`, were it published beside the others.
// `agents` are those of the configured bots; empty = of one for which the assistant answers.
std::vector<problem> rivalled_triggers(
    definition const& flow,
    std::span<definition const> others,
    std::span<std::string const> agents,
    catalog const& types
);

} // namespace postrider::agent::flow
