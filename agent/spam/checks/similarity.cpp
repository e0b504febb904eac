// The sample that is most alike. A message nearly like one that people let pass is excused; one that is only somewhat like it
// is not, so that spam does not pass with a few harmless words.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

namespace postrider::agent::spam {

namespace {

std::string words_of_likeness(double likeness, std::string_view kind) {
    return fmt::format("it is {:.0f} % like a sample of {}", 100 * likeness, kind);
}

finding look_for_similarity(check_input const& input) {
    auto const likeness = input.knowledge.samples().compare(input.text);
    auto const least = static_cast<double>(input.settings.number("least")) / 100;
    auto const excuse = static_cast<double>(input.settings.number("excuse")) / 100;
    bool const is_spam = likeness.spam > likeness.ham;
    if (is_spam && likeness.spam >= least) return {1.0, words_of_likeness(likeness.spam, "spam")};
    if (!is_spam && likeness.ham >= excuse) return {-1.0, words_of_likeness(likeness.ham, "ham")};
    return {};
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
          .help =
              "Likeness to spam in percent, from which it counts; all words in common are 100."},
         {.key = "excuse",
          .type = base::setting_type::integer,
          .fallback = "85",
          .constraint = "1..100",
          .help = "Likeness to ham in percent, from which it counts for the message."}},
    .look = look_for_similarity,
    .needs_length = true};

} // namespace registered

} // namespace postrider::agent::spam
