// Words written with blanks between their letters, or with characters inside that nobody sees.
#include "agent/spam/check.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_spacing(check_input const& input) {
    auto const count = input.text.spaced_words + input.text.hidden;
    if (count == 0) return {};
    auto const limit = static_cast<double>(input.settings.number("limit"));
    auto const* const reason = input.text.spaced_words == 0
                                   ? "hidden characters stand within its words"
                                   : "blanks stand between the letters of its words";
    return {std::min(1.0, double(count) / limit), reason};
}

} // namespace

namespace registered {

extern check const spacing{
    .name = "spacing",
    .looks_for = "Words with blanks or hidden characters between their letters.",
    .on = true,
    .weight = 100,
    .parameters =
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "2",
          .constraint = "1..100",
          .help = "Number of such words that gives the full score."}},
    .look = look_for_spacing};

} // namespace registered

} // namespace postrider::agent::spam
