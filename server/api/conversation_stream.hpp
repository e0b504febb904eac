#pragma once
// Conversations as streams of server-sent events.
#include "server/api/conversation_turn.hpp"

namespace postrider::api {

// What happens in the conversation from now on, or from behind the event of that Last-Event-ID.
base::awaitable<net::http_response> watch_conversation(
    shared_services with, net::http_request request, caller from, storage::database& db
);

} // namespace postrider::api
