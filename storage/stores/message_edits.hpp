#pragma once
// Edits of people's messages. An edit replaces the text; who wrote the message, and how it came,
// stays as it was.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace postrider::storage {

// Of two edits the later one counts, whichever comes first; of one second that of the greater update.
struct edit_order {
    std::int64_t date = 0; // Unix seconds, by Telegram's clock
    update_id update{};
};

// Replaces the text of a user's message, wherever it stands: in its chat's own lane, whose key is given, or
// in another one, which its flow chose. Where its turn has not recorded anything yet (job not over, no step
// done or failed), that turn reads the new text, and the edit is counted on the lane. Otherwise only later
// turns read it, and what the message said before is kept with it. A lane may have messages of several chats,
// whose numbers are the chat's own: the turn's input says of which it is. A message without a live turn is
// found for two days. Its unit gets one row (i, replaced) when the message is found; an edit that changes no
// text, or comes behind a later one, counts as replaced and is not counted on the lane. Without an order it
// is taken for the latest. The unit asks for lock_edited_lanes() in the same
// stage: the lane's lock must be held by a statement of its own, or a reply that commits meanwhile would not
// be seen.
write edit_message(
    std::string_view lane_key,
    bot_id bot,
    chat_id chat,
    telegram_message_id message,
    std::string_view text,
    std::optional<edit_order> order = std::nullopt
);
// Of the chat and of the message, in the order of lanes.
write lock_edited_lanes(std::string_view lane_key, chat_id chat, telegram_message_id message);

} // namespace postrider::storage
