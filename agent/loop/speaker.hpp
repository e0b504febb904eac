#pragma once
// Who speaks in a conversation, and in which language. Pure.
#include "agent/models/model.hpp"

#include <span>
#include <string_view>

namespace postrider::agent {

// Where it is not known who speaks, there is one person.
bool are_same(user_id left, user_id right) noexcept;

// That a person's last message is answered in: its own or, where it has none ("3", "👍"), that of the person's
// message before it; "" if none of the last few has one.
std::string_view language_of(std::span<chat_message const> messages, user_id speaker);

} // namespace postrider::agent
