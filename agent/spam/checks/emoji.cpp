// Many emoji. People write some; advertisements are full of them.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_emoji(check_input const& input) {
    auto const count = input.text.emoji;
    if (count < 2) return {};
    auto const limit = static_cast<double>(input.settings.number("limit"));
    return {std::min(1.0, double(count) / limit), fmt::format("it has {} emoji", count)};
}

} // namespace

namespace registered {

extern check const emoji{
    .name = "emoji",
    .looks_for = "Many emoji.",
    .on = true,
    .weight = 30,
    .parameters =
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "6",
          .constraint = "1..1000",
          .help = "Number of emoji that gives the full score."}},
    .look = look_for_emoji};

} // namespace registered

} // namespace postrider::agent::spam
