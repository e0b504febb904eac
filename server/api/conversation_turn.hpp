#pragma once
// A message in a conversation, and the turn that it starts.
#include "server/api/conversation_access.hpp"

namespace postrider::api {

// {"text"} becomes message and job in one commit. With ?wait= the answer is the reply, when it
// comes in time; with ?stream=true what happens in the conversation from this message on, up to the
// end of its turn.
base::awaitable<net::http_response> post_message(
    shared_services services, net::http_request request, caller caller, storage::database& db
);

} // namespace postrider::api
