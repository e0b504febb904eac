#pragma once
// The todo agent without a model: what a turn does next, as a model's reply would say it. The loop
// around it runs the calls, asks the person, and asks again with the results, until there is an
// answer. Pure: all that it knows are the messages, so it goes on where a model has failed in the
// middle of a turn, and repeats nothing that this turn has done.
//
// What it cannot tell apart it asks about; a mutation that was not clearly asked for is not called.
#include "agent/models/model.hpp"
#include "base/time_zone.hpp"

#include <span>

namespace postrider::agent::todo {

struct rules_turn {
    std::span<chat_message const> messages; // earlier ones, the question, the turn's rounds
    base::sys_time now;
    base::time_zone const& zone; // of the person
};

struct rules_reply {
    chat_reply reply;
    // False: another may know better. The message asks nothing of the todo agent, and the reply says
    // what it can do; or it asks what something is that may be a task's name.
    bool understood = true;
};

rules_reply next_reply(rules_turn const& turn);

} // namespace postrider::agent::todo
