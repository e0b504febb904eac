// The same text by several authors: a campaign.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <set>

namespace postrider::agent::spam {

namespace {

finding look_for_copies(check_input const& input) {
    auto const wording = wording_of(input.text);
    auto const least = static_cast<std::size_t>(input.settings.number("least"));
    if (wording == 0 || input.text.characters < least) return {};
    auto const oldest =
        input.message.sent_at - std::chrono::minutes(input.settings.number("minutes"));
    std::set<std::int64_t> authors{input.message.author.id};
    for (auto const& past : input.recent.messages)
        if (past.wording == wording && past.sent_at >= oldest) authors.insert(past.author);
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
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "3",
          .constraint = "2..100",
          .help = "Number of authors that gives the full score."},
         {.key = "minutes",
          .type = base::setting_type::integer,
          .fallback = "60",
          .constraint = "1..1440",
          .help = "The time in which they count."},
         {.key = "least",
          .type = base::setting_type::integer,
          .fallback = "30",
          .constraint = "1..1000",
          .help = "Visible characters from which a text counts."}},
    .look = look_for_copies,
    .of_all_members = true};

} // namespace registered

} // namespace postrider::agent::spam
