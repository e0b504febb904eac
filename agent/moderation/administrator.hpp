#pragma once
// Who may decide about spam in a group: the owners of the bot, and the group's own owner and administrators. A word or a
// press costs no call of Telegram: the messenger keeps its answer for minutes at most, and asks anew once it hears of a change.
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

// A step of that name. Of the linked channel, by its number, an administrator's. Failures as of
// messenger::get_administrators().
base::awaitable<base::result<authority>> ask_authority(
    queue::workflow steps, messenger& out, std::string step, address group, user_id user
);

} // namespace postrider::agent
