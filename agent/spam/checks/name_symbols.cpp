// Symbols in the name of the author: advertisements begin there.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_name_symbols(check_input const& input) {
    auto const& author = input.message.author;
    auto const name = author.first_name + " " + author.last_name + " " + author.username;
    auto count = normalize(name).emoji;
    for (auto const& symbol : input.settings.words("symbols"))
        for (auto at = name.find(symbol); at != name.npos;
             at = name.find(symbol, at + symbol.size()))
            ++count;
    if (count == 0) return {};
    auto const limit = static_cast<double>(input.settings.number("limit"));
    return {
        std::min(1.0, double(count) / limit),
        fmt::format("its author's name has {} symbols", count)};
}

} // namespace

namespace registered {

extern check const name_symbols{
    .name = "name_symbols",
    .looks_for = "Emoji and chosen symbols in names.",
    .on = true,
    .weight = 30,
    .parameters =
        {{.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "2",
          .constraint = "1..100",
          .help = "Number of symbols that gives the full score."},
         {.key = "symbols",
          .type = base::setting_type::words,
          .fallback = "",
          .help = "Symbols that count besides emoji."}},
    .look = look_for_name_symbols,
    .of_reactions = true};

} // namespace registered

} // namespace postrider::agent::spam
