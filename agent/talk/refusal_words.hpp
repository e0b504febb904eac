#pragma once
// What a failed call of the messenger means for people: sentences without our codes and without the last full stop. The one
// place that words it for admin chats, the console and the command line. Pure.
#include "base/error.hpp"

#include <string>
#include <string_view>

namespace postrider::agent {

// Reasons of the messenger's errors (base::error::reason), where more is known than the code.
namespace messenger_refusal {
inline constexpr std::string_view missing_right = "missing_right";
inline constexpr std::string_view undeletable = "undeletable"; // the message
inline constexpr std::string_view of_administrator = "of_administrator";
inline constexpr std::string_view of_owner = "of_owner";
inline constexpr std::string_view of_bot = "of_bot"; // itself
inline constexpr std::string_view no_chat = "no_chat";
inline constexpr std::string_view no_member = "no_member"; // the bot
inline constexpr std::string_view no_person = "no_person";
} // namespace messenger_refusal

// By its reason: "the author is an administrator of the group". Else by its code, and with its detail.
std::string refusal_in_words(base::error const& failure);

} // namespace postrider::agent
