// A message that answers one of another chat: spam can stand in what it cites.
#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_external_reply(check_input const& input) {
    if (!input.message.is_external_reply) return {};
    return {1, "it replies to a message of another chat"};
}

} // namespace

namespace registered {

extern check const external_reply{
    .name = "external_reply",
    .looks_for = "Replies to messages of other chats.",
    .on = false,
    .weight = 100,
    .look = look_for_external_reply};

} // namespace registered

} // namespace postrider::agent::spam
