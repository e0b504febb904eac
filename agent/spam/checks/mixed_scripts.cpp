// Words in which letters of two writing systems look alike: a way round filters, and rarely an accident.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_mixed_scripts(check_input const& input) {
    auto const count = input.text.mixed_words;
    if (count == 0) return {};
    auto const word = std::ranges::find(input.text.tokens, true, &token::is_mixed);
    auto const share =
        std::min(1.0, double(count) / static_cast<double>(input.settings.number("limit")));
    return {
        share * share, // one word may be a slip
        fmt::format(
            "{} with letters of two alphabets: \"{}\"",
            count == 1 ? "a word" : fmt::format("{} words", count),
            word->plain
        )};
}

} // namespace

namespace registered {

extern check const mixed_scripts{
    .name = "mixed_scripts",
    .looks_for = "Words of two writing systems whose letters look alike.",
    .on = true,
    .weight = 100,
    .parameters =
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "3",
          .constraint = "1..100",
          .help = "Number of such words that gives the full score."}},
    .look = look_for_mixed_scripts};

} // namespace registered

} // namespace postrider::agent::spam
