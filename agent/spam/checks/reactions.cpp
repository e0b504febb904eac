// Reactions to many messages: they draw people to the profile of an author who writes nothing.
#include "agent/spam/counting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_reactions(check_input const& input) {
    if (!input.message.is_reaction) return {};
    auto const oldest = counted_since(input);
    auto const count =
        1 + std::ranges::count_if(input.recent.reactions, [&](auto const reacted_at) {
            return reacted_at >= oldest;
        });
    if (count < input.settings.number("limit")) return {};
    return {1, fmt::format("its author reacted to {} messages", count)};
}

} // namespace

namespace registered {

extern check const reactions{
    .name = "reactions",
    .looks_for = "Reactions of a new member to many messages.",
    .on = false,
    .weight = 100,
    .parameters =
        {limit_parameter("10", "Number of messages that gives the full score."),
         minutes_parameter("10")},
    .look = look_for_reactions,
    .of_reactions = true};

} // namespace registered

} // namespace postrider::agent::spam
