// Many people are mentioned at once.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace postrider::agent::spam {

namespace {

finding look_for_mentions(check_input const& input) {
    std::set<std::string_view> const people(
        input.message.mentions.begin(), input.message.mentions.end()
    );
    if (people.size() < 2) return {};
    auto const limit = static_cast<double>(input.settings.number("limit"));
    return {
        std::min(1.0, double(people.size()) / limit),
        fmt::format("it mentions {} people", people.size())};
}

} // namespace

namespace registered {

extern check const mentions{
    .name = "mentions",
    .looks_for = "Many mentions.",
    .on = true,
    .weight = 50,
    .parameters =
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "5",
          .constraint = "1..100",
          .help = "Number of different people that gives the full score."}},
    .look = look_for_mentions};

} // namespace registered

} // namespace postrider::agent::spam
