#pragma once
// The todo agent without a model: what a turn does next, as a model's reply would say it. The loop
// around it runs the calls, asks the person, and asks again with the results, until there is an
// answer. Pure: all that it knows are the messages, so it goes on where a model has failed in the
// middle of a turn, and repeats nothing that this turn has done.
//
// What it cannot tell apart it asks about; a mutation that was not clearly asked for is not called.
#include "agent/loop/tool_family.hpp"

namespace postrider::agent::todo {

rules_reply next_reply(rules_turn const& turn);

} // namespace postrider::agent::todo
