// The same text by several authors: a campaign.
#include "agent/spam/counting.hpp"

#include <fmt/format.h>

#include <set>

namespace postrider::agent::spam {

namespace {

finding look_for_copies(check_input const& input) {
    std::set<std::int64_t> authors{input.message.author.id};
    for (auto const& past : equal_messages(input)) authors.insert(past.author);
    if (std::ssize(authors) < input.settings.number("limit")) return {};
    return {1, fmt::format("{} people sent it", authors.size())};
}

} // namespace

namespace registered {

extern check const copies{
    .name = "copies",
    .looks_for = "The same text by several authors.",
    .on = true,
    .weight = 100,
    .parameters =
        {limit_parameter("3", "Number of authors that gives the full score."),
         minutes_parameter("60"),
         least_parameter("30")},
    .look = look_for_copies,
    .of_all_members = true};

} // namespace registered

} // namespace postrider::agent::spam
