#pragma once
// A message of Telegram's as agent::group_message: the one reader of who wrote it and of all that filters
// ask for. Tolerant: unknown members are left out, and an entity that does not fit its text counts for
// nothing. Pure.
#include "agent/talk/group_message.hpp"
#include "base/json/json.hpp"

namespace postrider::telegram {

agent::group_message read_group_message(base::json_reader const& message);

// Telegram's word for what a message tells of its chat: joined, pinned, renamed; "" = it is no such message.
std::string read_service(base::json_reader const& message);

agent::named_person read_named_person(base::json_reader const& user);

} // namespace postrider::telegram
