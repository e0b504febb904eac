// Letters of writing systems that nobody in the group uses.
#include "agent/spam/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace postrider::agent::spam {

namespace {

finding look_for_prohibited_scripts(check_input const& input) {
    std::array<bool, 256> is_prohibited{};
    for (auto const& name : input.settings.words("scripts"))
        is_prohibited[static_cast<std::size_t>(script_named(name))] = true;
    std::size_t count = 0;
    auto last = script::common;
    for (std::string_view rest = input.text.written; !rest.empty();) {
        auto const own = script_of(take_character(rest));
        if (own == script::common || !is_prohibited[static_cast<std::size_t>(own)]) continue;
        ++count;
        last = own;
    }
    if (count == 0) return {};
    auto const limit = static_cast<double>(input.settings.number("limit"));
    return {
        std::min(1.0, double(count) / limit),
        fmt::format("it has {} letters of a prohibited alphabet: {}", count, name_of(last))};
}

} // namespace

namespace registered {

extern check const prohibited_scripts{
    .name = "prohibited_scripts",
    .looks_for = "Letters of prohibited writing systems.",
    .on = false,
    .weight = 100,
    .parameters =
        {{.key = "scripts",
          .type = base::setting_type::words,
          .fallback = "arabic, han",
          .help = "Writing systems: latin, cyrillic, greek, armenian, georgian, hebrew, arabic, "
                  "devanagari, bengali, tamil, thai, ethiopic, cherokee, han, kana, hangul."},
         {.key = "limit",
          .type = base::setting_type::integer,
          .fallback = "3",
          .constraint = "1..10000",
          .help = "Number of such letters that gives the full score."}},
    .look = look_for_prohibited_scripts};

} // namespace registered

} // namespace postrider::agent::spam
