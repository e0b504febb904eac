#pragma once
// What the simulated Telegram of an earlier process showed, as the database has it: the history of the
// chat's lane, and the buttons of a question that is still open. What Telegram alone knew is gone: pictures,
// edits and reactions.
#include "agent/talk/address.hpp"
#include "server/demo/open_question.hpp"
#include "server/demo/shown_chat.hpp"
#include "storage/connections.hpp"

namespace postrider::server {

struct earlier_chat {
    lane_id lane{};
    std::vector<shown_message> messages; // oldest first
};

// Of the chat, whose lane is made where there is none yet. Fails as database::run() does.
base::awaitable<base::result<earlier_chat>> read_earlier_chat(
    storage::connections const& postgres, agent::address chat, base::sys_time now
);

} // namespace postrider::server
