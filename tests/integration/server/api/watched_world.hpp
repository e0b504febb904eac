#pragma once
// Conversations, and clients that read their events.
#include "net/sse.hpp"
#include "tests/integration/server/api/conversations_world.hpp"
#include "tests/unit/net/raw_connection.hpp"

#include <memory>
#include <string>
#include <vector>

namespace postrider::tests {

using events = std::vector<net::sse_event>;

std::vector<std::string> types_of(events const& all);
// Of its messages.
std::vector<std::string> contents_of(events const& all);
// What the agent said by pieces.
std::string words_of(events const& all);

class watched_conversations : public conversations {
protected:
    using stream = std::unique_ptr<raw_connection>;

    // GET …/events of the conversation whose messages are there.
    stream watch(std::string const& where, std::string last_id = {}, std::string who = "alice");
    stream watch_from_now(std::string const& where);
    // Everything up to the text, with the whole of its event.
    events heard(stream const& from, std::string const& until);
    // Everything that is still to come, up to the end of the stream.
    events heard_to_the_end(stream const& from);

    // Sends the request to the path below /api/v1/conversations as that person.
    stream send(
        std::string method, std::string path, net::header_list headers, std::string body = {}
    );
};

} // namespace postrider::tests
