// A mention and nothing else.
#include "agent/spam/check.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_mention_only(check_input const& input) {
    auto const& parts = input.message.mentions;
    if (parts.empty()) return {};
    auto rest = base::as_utf8(input.message.text);
    for (auto const& part : parts) base::replace_all(rest, part, "");
    for (std::string_view left = rest; !left.empty();)
        if (auto const c = take_character(left); is_letter(c) || is_digit(c)) return {};
    return {1, "it is a mention and nothing else"};
}

} // namespace

namespace registered {

extern check const mention_only{
    .name = "mention_only",
    .looks_for = "Messages that are only mentions.",
    .on = false,
    .weight = 100,
    .look = look_for_mention_only};

} // namespace registered

} // namespace postrider::agent::spam
