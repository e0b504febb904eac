#pragma once
// Conversations as streams of server-sent events.
#include "server/api/conversation_access.hpp"
#include "server/api/conversation_watch.hpp"

#include <memory>
#include <variant>

namespace postrider::api {

// A watch that has looked once, and its place among the watchers.
struct watch_stream {
    std::shared_ptr<conversation_watch> watch;
    std::shared_ptr<void> place;
};

// From a position, or from now on. 503 busy where no place is free; 404, 400 and 503 as the first
// look fails.
base::awaitable<std::variant<watch_stream, net::http_response>> begin_watch(
    shared_services services,
    storage::api_conversation conversation,
    std::optional<conversation_position> position,
    storage::database& db
);
net::http_response stream_of(watch_stream line);

// What happens in the conversation from now on, or from behind the event of that Last-Event-ID.
base::awaitable<net::http_response> watch_conversation(
    shared_services services, net::http_request request, caller caller, storage::database& db
);

} // namespace postrider::api
