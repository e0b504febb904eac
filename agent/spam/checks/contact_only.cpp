// Contacts without a word.
#include "agent/spam/check.hpp"

#include <algorithm>

namespace postrider::agent::spam {

namespace {

finding look_for_contact_only(check_input const& input) {
    auto const& attached = input.message.attached;
    if (!input.text.tokens.empty() || std::ranges::find(attached, media::contact) == attached.end())
        return {};
    return {1, "it is a contact without a text"};
}

} // namespace

namespace registered {

extern check const contact_only{
    .name = "contact_only",
    .looks_for = "Contacts without a text.",
    .on = false,
    .weight = 100,
    .look = look_for_contact_only};

} // namespace registered

} // namespace postrider::agent::spam
