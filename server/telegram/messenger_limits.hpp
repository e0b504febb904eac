#pragma once
// The messenger's bounds, and what it logs of a refusal that changes nothing. Pure but for the log.
#include "agent/speech/speech.hpp"
#include "server/telegram/bot_api.hpp"
#include "server/telegram/split.hpp"

namespace postrider::telegram {

// Half of what is sent otherwise: whatever Telegram counted that we did not, this is below its limit.
inline constexpr std::size_t shorter_limit = message_limit / 2;

inline constexpr std::size_t longest_press_note = 200; // UTF-16 units: never more characters

inline constexpr base::duration delivery_deadline = std::chrono::seconds{4};
inline constexpr base::duration route_deadline = std::chrono::milliseconds{900};
// A notice waits for the title of its group, and does without it.
inline constexpr base::duration patience_with_title = std::chrono::seconds{5};

// What was refused in one form is sent or changed in others within the same try. All of them together
// have the time of two calls that take as long as they may. So they end before their step does: cut
// off, a send could not say whether the message is there.
inline constexpr base::duration all_sends = 2 * longest_send;
inline constexpr base::duration all_changes = 2 * longest_change;
static_assert(route_deadline + all_sends + delivery_deadline < agent::sending.timeout);
static_assert(route_deadline + all_changes + delivery_deadline < agent::acting_timeout);

// Of what was refused in every form that there was time for.
base::error out_of_time();

// What is stored here helps the next process; this one has it in memory, so a failure is only told.
void log_unstored(std::string_view state, bot_id bot, base::result<void> const& stored);

void log_objection(bot_id bot, objection objection);

} // namespace postrider::telegram
