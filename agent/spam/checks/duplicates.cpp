// The same text again by the same author, also by one who is approved.
#include "agent/spam/counting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_duplicates(check_input const& input) {
    auto const author = input.message.author.id;
    auto const count =
        1 + std::ranges::count(equal_messages(input), author, &recent_message::author);
    if (count < input.settings.number("limit")) return {};
    return {1, fmt::format("its author sent it {} times", count)};
}

} // namespace

namespace registered {

extern check const duplicates{
    .name = "duplicates",
    .looks_for = "The same text several times by one author.",
    .on = true,
    .weight = 100,
    .parameters =
        {limit_parameter("3", "Number of equal messages that gives the full score."),
         minutes_parameter("60"),
         least_parameter("10")},
    .look = look_for_duplicates,
    .of_all_members = true};

} // namespace registered

} // namespace postrider::agent::spam
