#pragma once
// Which request a line answers that cannot be read as a message: one with bytes that are no UTF-8, or
// nested too deeply. So its caller hears of it at once. Pure.
#include "agent/mcp/json_rpc.hpp"

namespace postrider::agent::mcp {

// The id of an object that has a result or an error, and no method: the id of a request is its
// sender's own. Nothing: the line does not look like an answer.
std::optional<request_id> answered_id(std::string_view line);

// Whether a line, of which the end may be missing, is one: as far as it shows.
bool is_answer(std::string_view line);

} // namespace postrider::agent::mcp
