#pragma once
// Whose a memory is: a person's in one bot, or a group's. Pure.
#include "base/ids.hpp"

#include <optional>

namespace postrider::agent::recall {

struct memory_owner {
    bot_id bot{};   // 0 = the chat API
    user_id user{}; // 0 = a group's
    chat_id chat{}; // 0 = a person's

    bool operator==(memory_owner const&) const = default;
};

// Who may remember and recall there: in a group the group, else the person. Nothing: there is neither.
std::optional<memory_owner> owner_in(bot_id bot, chat_id chat, user_id user) noexcept;

} // namespace postrider::agent::recall
