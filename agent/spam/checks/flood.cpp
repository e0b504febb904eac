// Many short messages of one author in a short time.
#include "agent/spam/counting.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_flood(check_input const& input) {
    auto const longest = static_cast<std::size_t>(input.settings.number("longest"));
    bool const is_part = !input.message.album.empty(); // ten pictures may come as one message
    if (input.message.is_edit || is_part || input.text.characters > longest) return {};
    auto const oldest =
        input.message.sent_at - std::chrono::seconds(input.settings.number("seconds"));
    auto const count = 1 + std::ranges::count_if(input.recent.messages, [&](auto const& past) {
                           return past.author == input.message.author.id &&
                                  past.sent_at >= oldest && past.characters <= longest;
                       });
    if (count < input.settings.number("limit")) return {};
    return {1, fmt::format("its author sent {} short messages in a row", count)};
}

} // namespace

namespace registered {

extern check const flood{
    .name = "flood",
    .looks_for = "Many short messages of one author.",
    .on = true,
    .weight = 100,
    .parameters =
        {limit_parameter("10", "Number of messages that gives the full score."),
         {.key = "seconds",
          .type = base::setting_type::integer,
          .fallback = "30",
          .constraint = "1..3600",
          .help = "The time in which they count."},
         {.key = "longest",
          .type = base::setting_type::integer,
          .fallback = "30",
          .constraint = "1..1000",
          .help = "Visible characters up to which a message is short."}},
    .look = look_for_flood,
    .of_all_members = true};

} // namespace registered

} // namespace postrider::agent::spam
