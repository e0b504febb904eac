// A link and nothing else.
#include "agent/spam/check.hpp"
#include "base/texts.hpp"
#include "base/utf8.hpp"

namespace postrider::agent::spam {

namespace {

finding look_for_links_only(check_input const& input) {
    auto const& parts = input.message.links;
    if (parts.empty()) return {};
    auto rest = base::as_utf8(input.message.text);
    for (auto const& part : parts) base::replace_all(rest, part, "");
    for (std::string_view left = rest; !left.empty();)
        if (auto const c = take_character(left); is_letter(c) || is_digit(c)) return {};
    return {1, "it is a link and nothing else"};
}

} // namespace

namespace registered {

extern check const links_only{
    .name = "links_only",
    .looks_for = "Messages that are only links.",
    .on = false,
    .weight = 100,
    .look = look_for_links_only};

} // namespace registered

} // namespace postrider::agent::spam
