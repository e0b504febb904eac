#pragma once
// Which revision a client and its server speak, and what the server says of itself.
//
// A server that answers server/discover speaks revision 2026-07-28; any other is greeted with
// initialize, and may answer with any revision since 2024-11-05. Not cancelled from within: it ends within the two times.
#include "agent/mcp/peer.hpp"

#include <string>

namespace postrider::agent::mcp {

struct client_identity {
    std::string name;
    std::string version;
};

struct handshake_options {
    client_identity identity;
    std::string revision = {}; // "" = whichever both speak
    base::duration probe_timeout = base::duration{std::chrono::seconds{5}}; // of server/discover
    base::duration timeout = base::duration{std::chrono::seconds{30}};      // of initialize
};

struct agreement {
    std::string revision;
    std::string server_name; // "" = it does not say
    std::string server_version;
    std::string instructions;  // foreign text, for a model
    bool lists_change = false; // it tells when its list of tools changes
};

// refused: the revisions have nothing in common; invalid: the server's answer makes no sense;
// otherwise as peer::request().
base::awaitable<base::result<agreement>> shake_hands(
    peer& asking, transport& carrier, handshake_options options
);

// What each request of revision 2026-07-28 says of its sender, added to the params.
void add_request_meta(json::object& params, client_identity const& identity);

// The server's own words in a failure of ours, cut.
base::error to_error(rpc_error const& received);

} // namespace postrider::agent::mcp
