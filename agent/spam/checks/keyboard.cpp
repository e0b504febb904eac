// A message with buttons. People cannot send them; bots write in their names.
#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_keyboard(check_input const& input) {
    if (!input.message.has_keyboard) return {};
    return {1, "it has buttons"};
}

} // namespace

namespace registered {

extern check const keyboard{
    .name = "keyboard",
    .looks_for = "Messages with buttons below them.",
    .on = false,
    .weight = 100,
    .look = look_for_keyboard};

} // namespace registered

} // namespace postrider::agent::spam
