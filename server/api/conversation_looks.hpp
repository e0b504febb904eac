#pragma once
// What all who watch conversations on this node look at together: the changes of every conversation
// that is watched come by three queries a round, four where turns are followed.
#include "server/views/shared_looks.hpp"
#include "storage/stores/conversation_changes.hpp"

namespace postrider::api {

struct conversation_query {
    storage::changes_query changes;
    std::optional<job_id> turn; // that is followed

    auto operator<=>(conversation_query const&) const = default;
};

struct conversation_finding {
    storage::conversation_changes changes;
    // Of the followed turn. Where its conversation is gone: its own or that of the turn that took its
    // message in, if it is not a reply, which went with the conversation.
    std::optional<storage::ended_turn> end;
};

using conversation_looks = server::shared_looks<conversation_query, conversation_finding>;

// The database and the clock outlive them.
conversation_looks look_at_conversations(storage::database& db, base::clock const& clock);

} // namespace postrider::api
