// Words and phrases that only spam has. They are found in any disguise, for both sides are folded.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_stop_words(check_input const& input) {
    std::size_t count = 0;
    std::string_view first;
    for (auto const& word : input.knowledge.stop_words()) {
        bool const stands_there = word.is_exact
                                      ? input.text.folded == word.folded
                                      : input.text.folded.find(word.folded) != std::string::npos;
        if (!stands_there) continue;
        if (count++ == 0) first = word.written;
    }
    if (count == 0) return {};
    auto const limit = static_cast<double>(input.settings.number("limit"));
    return {
        std::min(1.0, double(count) / limit), fmt::format("it has the stop word \"{}\"", first)};
}

} // namespace

namespace registered {

extern check const stop_words{
    .name = "stop_words",
    .looks_for = "Stop words.",
    .on = true,
    .weight = 70,
    .parameters =
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "1",
          .constraint = "1..100",
          .help = "Number of different stop words that gives the full score."}},
    .look = look_for_stop_words};

} // namespace registered

} // namespace postrider::agent::spam
