// The sample that is most alike. A message like one that people let pass is protected.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_similarity(check_input const& input) {
    auto const likeness = input.knowledge.samples().compare(input.text);
    auto const least = static_cast<double>(input.settings.number("least")) / 100;
    auto const most = std::max(likeness.spam, likeness.ham);
    if (most < least) return {};
    bool const is_spam = likeness.spam > likeness.ham;
    return {
        is_spam ? 1.0 : -1.0,
        fmt::format("it is {:.0f} % like a sample of {}", 100 * most, is_spam ? "spam" : "ham")};
}

} // namespace

namespace registered {

extern check const similarity{
    .name = "similarity",
    .looks_for = "Texts like known spam.",
    .on = true,
    .weight = 100,
    .parameters =
        {{.key = "least",
          .type = base::setting_type::integer,
          .fallback = "50",
          .constraint = "1..100",
          .help = "Likeness in percent, from which it counts; all words in common are 100."}},
    .look = look_for_similarity,
    .needs_length = true};

} // namespace registered

} // namespace postrider::agent::spam
