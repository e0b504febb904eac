#pragma once
// What the intake stores of a message that a flow takes: its row, its lane, and the start of its turn. Pure, but for
// the ids that are drawn.
#include "base/random.hpp"
#include "server/telegram/delivery.hpp"
#include "server/telegram/message_flows.hpp"

namespace postrider::telegram {

// A flow's own lane is not the chat's: messages of several may wait in it.
storage::lane_row lane_of(to_job const& job, chosen_flow const& chosen);

// Nothing: it is no part of an album.
std::optional<album_part> part_of(to_job const& job);
// The same, where the message starts nothing by itself.
std::optional<storage::album_message> joining_part(to_job const& job);

// Of a message that the owner of a business account wrote, as our side said it.
storage::message_row message_of(to_job const& job, base::random_source& random);

agent::flow::execution_start start_of(
    to_job const& job, chosen_flow const& chosen, bool is_owner, base::random_source& random
);

} // namespace postrider::telegram
