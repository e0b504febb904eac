// A message that was forwarded.
#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_forward(check_input const& input) {
    if (!input.message.is_forward) return {};
    return {1, "it was forwarded"};
}

} // namespace

namespace registered {

extern check const forward{
    .name = "forward",
    .looks_for = "Forwarded messages.",
    .on = false,
    .weight = 100,
    .look = look_for_forward};

} // namespace registered

} // namespace postrider::agent::spam
