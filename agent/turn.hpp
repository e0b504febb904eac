#pragma once
// The turn: the job that answers a user's message. history → model (→ tools → model …) → reply →
// save.
//
// Three commits for a plain one: the inbox's (before the job runs), the model's result with the
// assistant message and the intent to send it, and the outcome with the delivery state. Each tool
// call adds one, and so does each further model round and each further part of a long reply.
//
// Steps: "model" (each round), "tool:" + call id, and the effects "reply", "reply#2" … (one per
// part). The history is read, not recorded: a lane is serial, so a later run reads the same.
//
// While the model's breaker is open or its rate used up the turn waits, parked, for as long as its
// model step would have been tried; then, as after a model that fails for good, it says so.
//
// A turn whose model fails for good tells the user so and is completed, with the error's class in
// its output
// ("error_class"): the message was answered, retrying it by hand would answer it twice, and the
// failed step keeps what happened. It fails (dead letter) only when its input cannot be read or the
// database refuses a row. The output: {"delivery": sent|failed|unknown, "rounds", "tool_calls", and
// where they apply "error_class", "delivery_error", "parts_sent" }.
#include "agent/messenger.hpp"
#include "agent/models/model.hpp"
#include "agent/tools/tool.hpp"
#include "base/random.hpp"
#include "queue/limits.hpp"
#include "queue/workflow.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <map>
#include <string>

namespace postrider::agent {

inline constexpr std::string_view turn_kind = "turn";

// The job's input, written by the intake, read by the turn. The user's text stands in the message
// row (position 0 of the turn), not here.
struct turn_input {
    address to;
    user_id user{};
    telegram_message_id message{}; // what is answered
    std::string agent = "assistant";
};

boost::json::value to_json(turn_input const& input);
base::result<turn_input> turn_input_from(boost::json::value const& input);

// Who answers.
struct agent_profile {
    agent::model* model = nullptr; // outlives the engine
    std::string persona;           // "" = default_persona
    int history = 20;              // messages of earlier turns that the model sees
    int max_tool_calls = 5;
    int max_rounds = 10;   // model calls that may ask for tools
    int max_tokens = 4096; // of one model call
    // Names in queue/limits.hpp; "" = none: whose breaker the model's failures open, and what its
    // calls count against.
    std::string breaker = {};
    std::string rate = {};
};

// Everything referred to outlives the engine that runs the turns.
struct turn_services {
    storage::batcher& reads;
    messenger& out;
    tool_set const& tools;
    base::clock& clock;
    base::random_source& random;
    std::map<std::string, agent_profile, std::less<>> agents; // by turn_input::agent
    queue::limiter* limits = nullptr;                         // hears how the models do
};

queue::job_kind make_turn(turn_services services);

} // namespace postrider::agent
