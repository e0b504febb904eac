#pragma once
// The turn: the job that answers a user's message. history → model (→ tools → model …) → reply → save.
//
// Three commits for a plain one: the inbox's (before the job runs), the model's result with the assistant
// message and the intent to send it, and the outcome with the delivery state.
#include "agent/messenger.hpp"
#include "queue/workflow.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace postrider::agent {

inline constexpr std::string_view turn_kind = "turn";

// The job's input, written by the intake, read by the turn. The user's text stands in the message row
// (position 0 of the turn), not here.
struct turn_input {
    address to;
    user_id user{};
    telegram_message_id message{};   // what is answered
    std::string agent = "assistant";
};

boost::json::value to_json(turn_input const& input);
base::result<turn_input> turn_input_from(boost::json::value const& input);

} // namespace postrider::agent
