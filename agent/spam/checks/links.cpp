// Links. A few are common, so alone they are weak evidence.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_links(check_input const& input) {
    auto const count = input.message.links.size();
    if (count == 0) return {};
    auto const limit = static_cast<double>(input.settings.number("limit"));
    return {
        std::min(1.0, double(count) / limit),
        fmt::format("it has {} {}", count, count == 1 ? "link" : "links")};
}

} // namespace

namespace registered {

extern check const links{
    .name = "links",
    .looks_for = "Links.",
    .on = true,
    .weight = 25,
    .parameters =
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "2",
          .constraint = "1..100",
          .help = "Number of links that gives the full score."}},
    .look = look_for_links};

} // namespace registered

} // namespace postrider::agent::spam
