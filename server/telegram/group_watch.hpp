#pragma once
// What a flow that watches a group gets of an update: every message, whoever wrote it and whatever it
// consists of, edits, changes of members, reactions and requests to join. The allowlist of chats decides
// which groups are watched; that of users only what a command is. Pure.
#include "agent/talk/group_event.hpp"
#include "server/telegram/disposition.hpp"

#include <optional>
#include <variant>

namespace postrider::telegram {

struct watched_update {
    agent::group_event event = agent::group_event::message;
    // As for an agent, with the event as the trigger's item has it. Only a message has a text.
    to_job job;
    bool may_command = false; // its sender may use the product's commands there
    // What becomes true together with the job.
    std::variant<std::monostate, to_edit, to_member_event> effect = {};
};

// Nothing: the update is of no allowed group, or of what the bot itself wrote there, or it moves the group.
std::optional<watched_update> watched(update const& u, bot_settings const& bot);

} // namespace postrider::telegram
