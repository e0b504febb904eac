// Not evidence, but a gate: short messages say too little for the checks that compare words.
#include "agent/spam/check.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_length(check_input const& input) {
    if (is_long_enough(input.text, input.settings)) return {};
    return {0, "it is too short for the checks that compare words"};
}

} // namespace

bool is_long_enough(normal_text const& text, check_settings const& settings) {
    return text.characters >= static_cast<std::size_t>(settings.number("least"));
}

namespace registered {

extern check const length{
    .name = "length",
    .looks_for = "Texts that are too short to be compared.",
    .on = true,
    .weight = 0,
    .parameters =
        {{.key = "least",
          .type = base::setting_type::integer,
          .fallback = "10",
          .constraint = "0..1000",
          .help = "Visible characters from which words are compared."}},
    .look = look_for_length};

} // namespace registered

} // namespace postrider::agent::spam
