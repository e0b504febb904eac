#pragma once
// A message in a conversation, and the turn that it starts.
#include "server/api/conversation_bells.hpp"
#include "server/api/endpoints.hpp"
#include "server/api/watch_places.hpp"
#include "storage/stores/conversations.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>

namespace postrider::api {

// What the endpoints of conversations share.
struct shared_conversations : conversation_services {
    explicit shared_conversations(conversation_services with)
        : conversation_services(std::move(with)) {}

    conversation_bells bells;
    watch_places places{100, 10};
};
using shared_services = std::shared_ptr<shared_conversations>;

// The conversation that the path names. Nothing: it is none of the caller's.
std::optional<storage::api_conversation> find_own(
    storage::transaction& tx, net::http_request const& request, caller const& from
);
net::http_response no_conversation();
// The same by a batch of reads. 404, or 503 when there is none to be had.
base::awaitable<std::variant<storage::api_conversation, net::http_response>> look_up(
    shared_services with, std::string id, user_id user
);

// {"text"} becomes message and job in one commit; with ?wait= the answer is the reply, when it
// comes in time.
base::awaitable<net::http_response> post_message(
    shared_services with, net::http_request request, caller from
);

} // namespace postrider::api
