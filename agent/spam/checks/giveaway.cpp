// A giveaway of Telegram.
#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_giveaway(check_input const& input) {
    if (!input.message.is_giveaway) return {};
    return {1, "it is a giveaway"};
}

} // namespace

namespace registered {

extern check const giveaway{
    .name = "giveaway",
    .looks_for = "Giveaways.",
    .on = false,
    .weight = 100,
    .look = look_for_giveaway};

} // namespace registered

} // namespace postrider::agent::spam
