#pragma once
// What happens in a chat, as an event for the jobs that wait for it there.
#include "base/ids.hpp"
#include "storage/batcher.hpp"

#include <boost/json/value.hpp>

#include <string_view>

namespace postrider::storage {

// An event for a job of each of the chat's lanes, one for each topic, that waits for its type without a
// match; of 1,000 lanes at most. It is dropped where none does. It locks these lanes: its unit is apart.
write tell_chat(bot_id bot, chat_id chat, std::string_view type, boost::json::value const& payload);

} // namespace postrider::storage
