#pragma once
// The conversations of one person: begun, listed, deleted. Nobody else's can be told from one that
// does not exist.
#include "server/api/conversation_access.hpp"

namespace postrider::api {

planned begin_conversation(
    shared_services const& services, net::http_request const& request, caller const& caller
);
// Whom one can begin a conversation with; 200 at most.
planned list_chat_partners(shared_services const& services, net::http_request const& request);
// Newest first.
planned list_conversations(net::http_request const& request, caller const& caller);
// With what was said. 409 running while a worker has a turn of it; turns that wait end as
// cancelled.
planned delete_conversation(net::http_request const& request, caller const& caller);

} // namespace postrider::api
