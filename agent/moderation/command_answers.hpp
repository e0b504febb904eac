#pragma once
// What the bot says in the group to those who command, report or are warned. Plain sentences; pure.
#include <string>
#include <string_view>

namespace postrider::agent {

// Why nothing is done about a message.
inline constexpr std::string_view own_message =
    "This message is mine. I did nothing, and the filter learned nothing.";
inline constexpr std::string_view message_of_runner =
    "This message is from an administrator of the group or from its channel. I did nothing, and "
    "the filter learned nothing.";
inline constexpr std::string_view message_of_unknown =
    "I do not know who wrote this message. I did nothing, and the filter learned nothing.";

// At `limit` warnings the author is banned. Spam that was caught counts, too: the count may be above the limit.
std::string warning_text(std::string_view name, int count, int limit, bool is_banned);

// To whoever reports: `count` reports by now, `limit` that the administrators hear of.
std::string report_answer(int count, int limit);

} // namespace postrider::agent
