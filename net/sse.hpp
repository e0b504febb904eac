#pragma once
// Server-sent events as the HTML standard writes them. Pure.
#include "net/http.hpp"

#include <string>

namespace postrider::net {

struct sse_event {
    std::string type; // "" = "message"
    std::string data; // any text; each of its lines becomes a field
    // What a client that comes back sends as Last-Event-ID; "" = the one of the event before.
    std::string id = {};
};

// A type or id ends at its first line break: what follows would be fields of its own. An id without
// type and data is no event to a client, which only remembers it.
std::string to_text(sse_event const& event);

// 200 text/event-stream, kept alive by comments. The writer takes what to_text() makes.
http_response sse_response(std::function<base::awaitable<void>(body_writer&)> produce);

} // namespace postrider::net
