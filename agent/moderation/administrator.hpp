#pragma once
// Who may decide about spam in a group: the owners of the bot, and the group's own owner and administrators. Asked of
// Telegram at the moment of each word or press, so nobody decides who was demoted a minute ago.
#include "agent/talk/messenger.hpp"
#include "queue/workflow.hpp"

#include <string>

namespace postrider::agent {

enum class authority : std::uint8_t {
    none,
    administrator, // may not ban: asks and teaches
    moderator,     // may ban there, too
};

// What a member's standing allows. An owner of the bot may do all.
authority authority_of(chat_member const& member) noexcept;

// A step of that name; one who was never there has none. Failures as of messenger::get_member().
base::awaitable<base::result<authority>> ask_authority(
    queue::workflow steps, messenger& out, std::string step, address group, user_id user
);

} // namespace postrider::agent
