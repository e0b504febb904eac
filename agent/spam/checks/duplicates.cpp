// The same text again by the same author, also by one who is approved.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_duplicates(check_input const& input) {
    auto const wording = wording_of(input.text);
    auto const least = static_cast<std::size_t>(input.settings.number("least"));
    if (wording == 0 || input.text.characters < least) return {};
    auto const oldest =
        input.message.sent_at - std::chrono::minutes(input.settings.number("minutes"));
    auto const count = 1 + std::ranges::count_if(input.recent.messages, [&](auto const& past) {
                           return past.wording == wording &&
                                  past.author == input.message.author.id && past.sent_at >= oldest;
                       });
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
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "3",
          .constraint = "2..100",
          .help = "Number of equal messages that gives the full score."},
         {.key = "minutes",
          .type = base::setting_type::integer,
          .fallback = "60",
          .constraint = "1..1440",
          .help = "The time in which they count."},
         {.key = "least",
          .type = base::setting_type::integer,
          .fallback = "10",
          .constraint = "1..1000",
          .help = "Visible characters from which a text counts."}},
    .look = look_for_duplicates,
    .of_all_members = true};

} // namespace registered

} // namespace postrider::agent::spam
