#pragma once
// A message in a conversation, and the turn that it starts.
#include "server/api/endpoints.hpp"
#include "storage/stores/conversations.hpp"

#include <memory>
#include <optional>

namespace postrider::api {

using shared_services = std::shared_ptr<conversation_services const>;

// The conversation that the path names. Nothing: it is none of the caller's.
std::optional<storage::api_conversation> find_own(
    storage::transaction& tx, net::http_request const& request, caller const& from
);
net::http_response no_conversation();

// {"text"} becomes message and job in one commit; with ?wait= the answer is the reply, when it
// comes in time.
base::awaitable<net::http_response> post_message(
    shared_services with, net::http_request request, caller from
);

} // namespace postrider::api
